// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. One type of the arguments and answers of actions. Types of others are left alone, so that several stacks may have their own; a stack that owns all of them has one `CustomTypes` instead. */
export interface DataSvcCustomTypeConfig extends TerraformMetaArguments {
  /** Its name, which no other type has. */
  readonly name: string
}

const inputs: Inputs = {
  name: ['name', 'plain'],
}

/** Reads one object that is there, whoever made it. One type of the arguments and answers of actions. Types of others are left alone, so that several stacks may have their own; a stack that owns all of them has one `CustomTypes` instead.
 * 
 * `svc_custom_type` in Terraform. */
export class DataSvcCustomType extends TerraformDataSource {
  static readonly tfResourceType = 'svc_custom_type'
  readonly #config: DataSvcCustomTypeConfig

  constructor(scope: Construct, id: string, config: DataSvcCustomTypeConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_custom_type',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its name, which no other type has. */
  get name(): string {
    return this.getStringAttribute('name')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
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
