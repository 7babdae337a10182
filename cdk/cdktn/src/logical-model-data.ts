// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. The type of the rows that native queries give. When it goes, its permissions go with it. */
export interface DataSvcLogicalModelConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. */
  readonly source?: string | undefined
  /** Its name, which is also its type. */
  readonly name: string
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  name: ['name', 'plain'],
}

/** Reads one object that is there, whoever made it. The type of the rows that native queries give. When it goes, its permissions go with it.
 * 
 * `svc_logical_model` in Terraform. */
export class DataSvcLogicalModel extends TerraformDataSource {
  static readonly tfResourceType = 'svc_logical_model'
  readonly #config: DataSvcLogicalModelConfig

  constructor(scope: Construct, id: string, config: DataSvcLogicalModelConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_logical_model',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. */
  get source(): string {
    return this.getStringAttribute('source')
  }

  /** Its name, which is also its type. */
  get name(): string {
    return this.getStringAttribute('name')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** The fields of a row. */
  get fields(): IResolvable {
    return this.interpolationForAttribute('fields')
  }

  /** Description of its type. */
  get description(): string {
    return this.getStringAttribute('description')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
