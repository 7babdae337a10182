// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { TableName } from './types.ts'

/** Reads one object that is there, whoever made it. A relationship from a row to any number of rows of another table. */
export interface DataSvcArrayRelationshipConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. */
  readonly source?: string | undefined
  /** The table it lies in, best as an output of it. */
  readonly table: TableName | IResolvable
  /** Its name, which is also its field. */
  readonly name: string
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  table: ['table', { object: {
    schema: ['schema', 'plain'],
    dataset: ['dataset', 'plain'],
    name: ['name', 'plain'],
  } }],
  name: ['name', 'plain'],
}

/** Reads one object that is there, whoever made it. A relationship from a row to any number of rows of another table.
 * 
 * `svc_array_relationship` in Terraform. */
export class DataSvcArrayRelationship extends TerraformDataSource {
  static readonly tfResourceType = 'svc_array_relationship'
  readonly #config: DataSvcArrayRelationshipConfig

  constructor(scope: Construct, id: string, config: DataSvcArrayRelationshipConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_array_relationship',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. */
  get source(): string {
    return this.getStringAttribute('source')
  }

  /** The table it lies in, best as an output of it. */
  get table(): IResolvable {
    return this.interpolationForAttribute('table')
  }

  /** Its name, which is also its field. */
  get name(): string {
    return this.getStringAttribute('name')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** The foreign key of the other table to this one. */
  get remoteForeignKey(): IResolvable {
    return this.interpolationForAttribute('remote_foreign_key')
  }

  /** Without a foreign key: which columns equal which. */
  get manualConfiguration(): IResolvable {
    return this.interpolationForAttribute('manual_configuration')
  }

  /** For people who read the metadata. */
  get comment(): string {
    return this.getStringAttribute('comment')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
