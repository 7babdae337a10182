// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { TableName, Timeouts } from './types.ts'

/** Which columns and rows of a table a role may read. */
export interface SelectPermissionConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. A change replaces. */
  readonly source?: string | undefined
  /** The table it lies in, best as an output of it. A change replaces. */
  readonly table: TableName | IResolvable
  /** The role. Required unless `default_role` of the provider is set. A change replaces. */
  readonly role?: string | undefined
  /** Columns it may read. Either this or `all_columns`. */
  readonly columns?: readonly string[] | undefined
  /** All columns, also those that the table gets later. Either this or `columns`. Default: `false`. */
  readonly allColumns?: boolean | IResolvable | undefined
  /** Computed fields it may read. */
  readonly computedFields?: readonly string[] | undefined
  /** Condition of the rows it may read, as JSON. `{}`: all rows. Any value, or a text of JSON. */
  readonly filter: unknown
  /** Most rows of one answer. */
  readonly limit?: number | undefined
  /** Whether it may count and aggregate. Default: `false`. */
  readonly allowAggregations?: boolean | IResolvable | undefined
  /** Root fields of queries it may use. Without it all, an empty list none. */
  readonly queryRootFields?: readonly string[] | undefined
  /** Root fields of subscriptions it may use. Without it all, an empty list none. */
  readonly subscriptionRootFields?: readonly string[] | undefined
  /** For people who read the metadata. */
  readonly comment?: string | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  table: ['table', { object: {
    schema: ['schema', 'plain'],
    dataset: ['dataset', 'plain'],
    name: ['name', 'plain'],
  } }],
  role: ['role', 'plain'],
  columns: ['columns', 'plain'],
  allColumns: ['all_columns', 'plain'],
  computedFields: ['computed_fields', 'plain'],
  filter: ['filter', 'json'],
  limit: ['limit', 'plain'],
  allowAggregations: ['allow_aggregations', 'plain'],
  queryRootFields: ['query_root_fields', 'plain'],
  subscriptionRootFields: ['subscription_root_fields', 'plain'],
  comment: ['comment', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** Which columns and rows of a table a role may read.
 * 
 * `svc_select_permission` in Terraform. */
export class SelectPermission extends TerraformResource {
  static readonly tfResourceType = 'svc_select_permission'
  readonly #config: SelectPermissionConfig

  constructor(scope: Construct, id: string, config: SelectPermissionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_select_permission',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<source>/<schema>/<table>/<role>`. */
  get id(): string {
    return this.getStringAttribute('id')
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
