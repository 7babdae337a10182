// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { TableName } from './types.ts'

/** Reads one object that is there, whoever made it. A table or view of a source that the engine serves. When it goes, its relationships and permissions go with it. */
export interface DataSvcTableConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. */
  readonly source?: string | undefined
  /** The table or view in the database. */
  readonly table: TableName | IResolvable
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  table: ['table', { object: {
    schema: ['schema', 'plain'],
    dataset: ['dataset', 'plain'],
    name: ['name', 'plain'],
  } }],
}

/** Reads one object that is there, whoever made it. A table or view of a source that the engine serves. When it goes, its relationships and permissions go with it.
 * 
 * `svc_table` in Terraform. */
export class DataSvcTable extends TerraformDataSource {
  static readonly tfResourceType = 'svc_table'
  readonly #config: DataSvcTableConfig

  constructor(scope: Construct, id: string, config: DataSvcTableConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_table',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. */
  get source(): string {
    return this.getStringAttribute('source')
  }

  /** The table or view in the database. */
  get table(): IResolvable {
    return this.interpolationForAttribute('table')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Whether its rows are the values of an enum. */
  get isEnum(): IResolvable {
    return this.getBooleanAttribute('is_enum')
  }

  /** Name of its type, and in its root fields. */
  get customName(): string {
    return this.getStringAttribute('custom_name')
  }

  /** Description of its type; empty: none. Without it, the table's own comment. */
  get comment(): string {
    return this.getStringAttribute('comment')
  }

  /** Names and descriptions of single root fields. */
  get customRootFields(): IResolvable {
    return this.interpolationForAttribute('custom_root_fields')
  }

  /** Names and descriptions of its columns. */
  get columnConfig(): IResolvable {
    return this.interpolationForAttribute('column_config')
  }

  /** Makes its type an entity that other subgraphs of Apollo Federation refer to, by its primary key. */
  get apolloFederationConfig(): IResolvable {
    return this.interpolationForAttribute('apollo_federation_config')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
