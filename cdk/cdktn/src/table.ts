// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { RootField, TableName, Timeouts } from './types.ts'

export interface TableCustomRootFields {
  /** The root field `select`. */
  readonly select?: RootField | IResolvable | undefined
  /** The root field `select_by_pk`. */
  readonly selectByPk?: RootField | IResolvable | undefined
  /** The root field `select_aggregate`. */
  readonly selectAggregate?: RootField | IResolvable | undefined
  /** The root field `select_stream`. */
  readonly selectStream?: RootField | IResolvable | undefined
  /** The root field `insert`. */
  readonly insert?: RootField | IResolvable | undefined
  /** The root field `insert_one`. */
  readonly insertOne?: RootField | IResolvable | undefined
  /** The root field `update`. */
  readonly update?: RootField | IResolvable | undefined
  /** The root field `update_by_pk`. */
  readonly updateByPk?: RootField | IResolvable | undefined
  /** The root field `update_many`. */
  readonly updateMany?: RootField | IResolvable | undefined
  /** The root field `delete`. */
  readonly delete?: RootField | IResolvable | undefined
  /** The root field `delete_by_pk`. */
  readonly deleteByPk?: RootField | IResolvable | undefined
}

export interface TableColumnConfig {
  /** Name of its field. */
  readonly customName?: string | undefined
  /** Description of the column in GraphQL; empty: none. */
  readonly comment?: string | undefined
}

export interface TableApolloFederationConfig {
  /** Version of the federation. One of `v1`. */
  readonly enable: string
}

/** A table or view of a source that the engine serves. When it goes, its relationships and permissions go with it. */
export interface TableConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. A change replaces. */
  readonly source?: string | undefined
  /** The table or view in the database. A change replaces. */
  readonly table: TableName | IResolvable
  /** Whether its rows are the values of an enum. Default: `false`. */
  readonly isEnum?: boolean | IResolvable | undefined
  /** Name of its type, and in its root fields. */
  readonly customName?: string | undefined
  /** Description of its type; empty: none. Without it, the table's own comment. */
  readonly comment?: string | undefined
  /** Names and descriptions of single root fields. */
  readonly customRootFields?: TableCustomRootFields | IResolvable | undefined
  /** Names and descriptions of its columns. */
  readonly columnConfig?: Readonly<Record<string, TableColumnConfig | IResolvable>> | IResolvable | undefined
  /** Makes its type an entity that other subgraphs of Apollo Federation refer to, by its primary key. */
  readonly apolloFederationConfig?: TableApolloFederationConfig | IResolvable | undefined
  /** Whether what lies in it goes with it when it is deleted, though no resource deletes it. Without it such a delete is refused. Applied before the delete. */
  readonly forceDestroy?: boolean | IResolvable | undefined
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
  isEnum: ['is_enum', 'plain'],
  customName: ['custom_name', 'plain'],
  comment: ['comment', 'plain'],
  customRootFields: ['custom_root_fields', { object: {
    select: ['select', { object: {
      name: ['name', 'plain'],
      comment: ['comment', 'plain'],
    } }],
    selectByPk: ['select_by_pk', { object: {
      name: ['name', 'plain'],
      comment: ['comment', 'plain'],
    } }],
    selectAggregate: ['select_aggregate', { object: {
      name: ['name', 'plain'],
      comment: ['comment', 'plain'],
    } }],
    selectStream: ['select_stream', { object: {
      name: ['name', 'plain'],
      comment: ['comment', 'plain'],
    } }],
    insert: ['insert', { object: {
      name: ['name', 'plain'],
      comment: ['comment', 'plain'],
    } }],
    insertOne: ['insert_one', { object: {
      name: ['name', 'plain'],
      comment: ['comment', 'plain'],
    } }],
    update: ['update', { object: {
      name: ['name', 'plain'],
      comment: ['comment', 'plain'],
    } }],
    updateByPk: ['update_by_pk', { object: {
      name: ['name', 'plain'],
      comment: ['comment', 'plain'],
    } }],
    updateMany: ['update_many', { object: {
      name: ['name', 'plain'],
      comment: ['comment', 'plain'],
    } }],
    delete: ['delete', { object: {
      name: ['name', 'plain'],
      comment: ['comment', 'plain'],
    } }],
    deleteByPk: ['delete_by_pk', { object: {
      name: ['name', 'plain'],
      comment: ['comment', 'plain'],
    } }],
  } }],
  columnConfig: ['column_config', { each: { object: {
    customName: ['custom_name', 'plain'],
    comment: ['comment', 'plain'],
  } } }],
  apolloFederationConfig: ['apollo_federation_config', { object: {
    enable: ['enable', 'plain'],
  } }],
  forceDestroy: ['force_destroy', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** A table or view of a source that the engine serves. When it goes, its relationships and permissions go with it.
 * 
 * `svc_table` in Terraform. */
export class Table extends TerraformResource {
  static readonly tfResourceType = 'svc_table'
  readonly #config: TableConfig

  constructor(scope: Construct, id: string, config: TableConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_table',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<source>/<schema>/<table>`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. */
  get source(): string {
    return this.getStringAttribute('source')
  }

  /** The table or view in the database. */
  get table(): IResolvable {
    return this.interpolationForAttribute('table')
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

  /** Whether what lies in it goes with it when it is deleted, though no resource deletes it. Without it such a delete is refused. Applied before the delete. */
  get forceDestroy(): IResolvable {
    return this.getBooleanAttribute('force_destroy')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
