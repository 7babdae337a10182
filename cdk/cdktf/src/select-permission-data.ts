// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { TableName } from './types.ts'

/** Reads one object that is there, whoever made it. Which columns and rows of a table a role may read. */
export interface DataSvcSelectPermissionConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. */
  readonly source?: string | undefined
  /** The table it lies in, best as an output of it. */
  readonly table: TableName | IResolvable
  /** The role. Required unless `default_role` of the provider is set. */
  readonly role?: string | undefined
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  table: ['table', { object: {
    schema: ['schema', 'plain'],
    dataset: ['dataset', 'plain'],
    name: ['name', 'plain'],
  } }],
  role: ['role', 'plain'],
}

/** Reads one object that is there, whoever made it. Which columns and rows of a table a role may read.
 * 
 * `svc_select_permission` in Terraform. */
export class DataSvcSelectPermission extends TerraformDataSource {
  static readonly tfResourceType = 'svc_select_permission'
  readonly #config: DataSvcSelectPermissionConfig

  constructor(scope: Construct, id: string, config: DataSvcSelectPermissionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_select_permission',
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

  /** The role. Required unless `default_role` of the provider is set. */
  get role(): string {
    return this.getStringAttribute('role')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Columns it may read. Either this or `all_columns`. */
  get columns(): string[] {
    return this.getListAttribute('columns')
  }

  /** All columns, also those that the table gets later. Either this or `columns`. */
  get allColumns(): IResolvable {
    return this.getBooleanAttribute('all_columns')
  }

  /** Computed fields it may read. */
  get computedFields(): string[] {
    return this.getListAttribute('computed_fields')
  }

  /** Condition of the rows it may read, as JSON. `{}`: all rows. */
  get filter(): string {
    return this.getStringAttribute('filter')
  }

  /** Most rows of one answer. */
  get limit(): number {
    return this.getNumberAttribute('limit')
  }

  /** Whether it may count and aggregate. */
  get allowAggregations(): IResolvable {
    return this.getBooleanAttribute('allow_aggregations')
  }

  /** Root fields of queries it may use. Without it all, an empty list none. */
  get queryRootFields(): string[] {
    return this.getListAttribute('query_root_fields')
  }

  /** Root fields of subscriptions it may use. Without it all, an empty list none. */
  get subscriptionRootFields(): string[] {
    return this.getListAttribute('subscription_root_fields')
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
