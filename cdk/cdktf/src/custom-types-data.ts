// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. All types of the arguments and answers of actions, in one resource. It owns every custom type of the engine: one that somebody else adds is drift, and the next apply removes it. Where several stacks have types of their own, each type is a `CustomType` instead; a stack has either the one or the others. Types that name each other in a circle can only be declared here. */
export interface DataSvcCustomTypesConfig extends TerraformMetaArguments {
}

const inputs: Inputs = {
}

/** Reads one object that is there, whoever made it. All types of the arguments and answers of actions, in one resource. It owns every custom type of the engine: one that somebody else adds is drift, and the next apply removes it. Where several stacks have types of their own, each type is a `CustomType` instead; a stack has either the one or the others. Types that name each other in a circle can only be declared here.
 * 
 * `svc_custom_types` in Terraform. */
export class DataSvcCustomTypes extends TerraformDataSource {
  static readonly tfResourceType = 'svc_custom_types'
  readonly #config: DataSvcCustomTypesConfig

  constructor(scope: Construct, id: string, config: DataSvcCustomTypesConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'svc_custom_types',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported. */
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
