// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { CustomEnum, CustomInputObject, CustomObject, CustomScalar, Timeouts } from './types.ts'

/** All types of the arguments and answers of actions, in one resource. It owns every custom type of the engine: one that somebody else adds is drift, and the next apply removes it. Where several stacks have types of their own, each type is a `CustomType` instead; a stack has either the one or the others. Types that name each other in a circle can only be declared here. */
export interface CustomTypesConfig extends TerraformMetaArguments {
  /** Objects that arguments are made of. */
  readonly inputObjects?: readonly (CustomInputObject | IResolvable)[] | IResolvable | undefined
  /** Objects that answers are made of. */
  readonly objects?: readonly (CustomObject | IResolvable)[] | IResolvable | undefined
  /** Types that may be any JSON. */
  readonly scalars?: readonly (CustomScalar | IResolvable)[] | IResolvable | undefined
  /** Types of a few values. */
  readonly enums?: readonly (CustomEnum | IResolvable)[] | IResolvable | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  inputObjects: ['input_objects', { each: { object: {
    name: ['name', 'plain'],
    description: ['description', 'plain'],
    fields: ['fields', { each: { object: {
      name: ['name', 'plain'],
      type: ['type', 'plain'],
      description: ['description', 'plain'],
    } } }],
  } } }],
  objects: ['objects', { each: { object: {
    name: ['name', 'plain'],
    description: ['description', 'plain'],
    fields: ['fields', { each: { object: {
      name: ['name', 'plain'],
      type: ['type', 'plain'],
      description: ['description', 'plain'],
    } } }],
    relationships: ['relationships', { each: { object: {
      name: ['name', 'plain'],
      type: ['type', 'plain'],
      source: ['source', 'plain'],
      remoteTable: ['remote_table', { object: {
        schema: ['schema', 'plain'],
        dataset: ['dataset', 'plain'],
        name: ['name', 'plain'],
      } }],
      fieldMapping: ['field_mapping', 'plain'],
    } } }],
  } } }],
  scalars: ['scalars', { each: { object: {
    name: ['name', 'plain'],
    description: ['description', 'plain'],
  } } }],
  enums: ['enums', { each: { object: {
    name: ['name', 'plain'],
    description: ['description', 'plain'],
    values: ['values', { each: { object: {
      value: ['value', 'plain'],
      description: ['description', 'plain'],
      isDeprecated: ['is_deprecated', 'plain'],
    } } }],
  } } }],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** All types of the arguments and answers of actions, in one resource. It owns every custom type of the engine: one that somebody else adds is drift, and the next apply removes it. Where several stacks have types of their own, each type is a `CustomType` instead; a stack has either the one or the others. Types that name each other in a circle can only be declared here.
 * 
 * `svc_custom_types` in Terraform. */
export class CustomTypes extends TerraformResource {
  static readonly tfResourceType = 'svc_custom_types'
  readonly #config: CustomTypesConfig

  constructor(scope: Construct, id: string, config: CustomTypesConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'svc_custom_types',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `custom_types`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Objects that arguments are made of. */
  get inputObjects(): IResolvable {
    return this.interpolationForAttribute('input_objects')
  }

  /** Objects that answers are made of. */
  get objects(): IResolvable {
    return this.interpolationForAttribute('objects')
  }

  /** Types that may be any JSON. */
  get scalars(): IResolvable {
    return this.interpolationForAttribute('scalars')
  }

  /** Types of a few values. */
  get enums(): IResolvable {
    return this.interpolationForAttribute('enums')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
