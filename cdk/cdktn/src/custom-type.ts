// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { CustomEnumValue, CustomTypeField, CustomTypeRelationship, Timeouts } from './types.ts'

/** One type of the arguments and answers of actions. Types of others are left alone, so that several stacks may have their own; a stack that owns all of them has one `CustomTypes` instead. */
export interface CustomTypeConfig extends TerraformMetaArguments {
  /** Its name, which no other type has. A change replaces. */
  readonly name: string
  /** Description of the type in GraphQL. */
  readonly description?: string | undefined
  /** Of an object that arguments are made of: its fields. */
  readonly inputFields?: readonly (CustomTypeField | IResolvable)[] | IResolvable | undefined
  /** Of an object that answers are made of: its fields. */
  readonly fields?: readonly (CustomTypeField | IResolvable)[] | IResolvable | undefined
  /** Beside `fields`: what leads to rows of tables, by fields that hold values of columns. */
  readonly relationships?: readonly (CustomTypeRelationship | IResolvable)[] | IResolvable | undefined
  /** Of an enum: its values. */
  readonly values?: readonly (CustomEnumValue | IResolvable)[] | IResolvable | undefined
  /** Whether it is a scalar, which may be any JSON. Default: `false`. */
  readonly scalar?: boolean | IResolvable | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  name: ['name', 'plain'],
  description: ['description', 'plain'],
  inputFields: ['input_fields', { each: { object: {
    name: ['name', 'plain'],
    type: ['type', 'plain'],
    description: ['description', 'plain'],
  } } }],
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
  values: ['values', { each: { object: {
    value: ['value', 'plain'],
    description: ['description', 'plain'],
    isDeprecated: ['is_deprecated', 'plain'],
  } } }],
  scalar: ['scalar', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** One type of the arguments and answers of actions. Types of others are left alone, so that several stacks may have their own; a stack that owns all of them has one `CustomTypes` instead.
 * 
 * `svc_custom_type` in Terraform. */
export class CustomType extends TerraformResource {
  static readonly tfResourceType = 'svc_custom_type'
  readonly #config: CustomTypeConfig

  constructor(scope: Construct, id: string, config: CustomTypeConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_custom_type',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<name>`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Its name, which no other type has. */
  get name(): string {
    return this.getStringAttribute('name')
  }

  /** Description of the type in GraphQL. */
  get description(): string {
    return this.getStringAttribute('description')
  }

  /** Of an object that arguments are made of: its fields. */
  get inputFields(): IResolvable {
    return this.interpolationForAttribute('input_fields')
  }

  /** Of an object that answers are made of: its fields. */
  get fields(): IResolvable {
    return this.interpolationForAttribute('fields')
  }

  /** Beside `fields`: what leads to rows of tables, by fields that hold values of columns. */
  get relationships(): IResolvable {
    return this.interpolationForAttribute('relationships')
  }

  /** Of an enum: its values. */
  get values(): IResolvable {
    return this.interpolationForAttribute('values')
  }

  /** Whether it is a scalar, which may be any JSON. */
  get scalar(): IResolvable {
    return this.getBooleanAttribute('scalar')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
