// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { NativeQueryRelationship, Timeouts } from './types.ts'

export interface NativeQueryArguments {
  /** Its type in the database. */
  readonly type: string
  /** Whether it may be null or left out. Default: `false`. */
  readonly nullable?: boolean | IResolvable | undefined
  /** Its description in GraphQL. */
  readonly description?: string | undefined
}

/** A query written in SQL that the engine serves as a root field. */
export interface NativeQueryConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. A change replaces. */
  readonly source?: string | undefined
  /** Its name, which is also its root field. A change replaces. */
  readonly rootFieldName: string
  /** The SQL. `{{name}}` stands for an argument, which is sent apart from it and never becomes SQL. */
  readonly code: string
  /** What clients give, by name. */
  readonly arguments?: Readonly<Record<string, NativeQueryArguments | IResolvable>> | IResolvable | undefined
  /** The logical model of its rows, best as an output of it. Either this or `returns_inline`. */
  readonly returns?: string | undefined
  /** A logical model of its own, as JSON: `{"fields": […], "select_permissions": […]}`. Either this or `returns`. Any value, or a text of JSON. */
  readonly returnsInline?: unknown | undefined
  /** Description of its root field. */
  readonly description?: string | undefined
  /** From a row to one row elsewhere. */
  readonly objectRelationships?: readonly (NativeQueryRelationship | IResolvable)[] | IResolvable | undefined
  /** From a row to any number of rows elsewhere. */
  readonly arrayRelationships?: readonly (NativeQueryRelationship | IResolvable)[] | IResolvable | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  rootFieldName: ['root_field_name', 'plain'],
  code: ['code', 'plain'],
  arguments: ['arguments', { each: { object: {
    type: ['type', 'plain'],
    nullable: ['nullable', 'plain'],
    description: ['description', 'plain'],
  } } }],
  returns: ['returns', 'plain'],
  returnsInline: ['returns_inline', 'json'],
  description: ['description', 'plain'],
  objectRelationships: ['object_relationships', { each: { object: {
    name: ['name', 'plain'],
    remoteTable: ['remote_table', { object: {
      schema: ['schema', 'plain'],
      dataset: ['dataset', 'plain'],
      name: ['name', 'plain'],
    } }],
    remoteNativeQuery: ['remote_native_query', 'plain'],
    columnMapping: ['column_mapping', 'plain'],
    comment: ['comment', 'plain'],
  } } }],
  arrayRelationships: ['array_relationships', { each: { object: {
    name: ['name', 'plain'],
    remoteTable: ['remote_table', { object: {
      schema: ['schema', 'plain'],
      dataset: ['dataset', 'plain'],
      name: ['name', 'plain'],
    } }],
    remoteNativeQuery: ['remote_native_query', 'plain'],
    columnMapping: ['column_mapping', 'plain'],
    comment: ['comment', 'plain'],
  } } }],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** A query written in SQL that the engine serves as a root field.
 * 
 * `svc_native_query` in Terraform. */
export class NativeQuery extends TerraformResource {
  static readonly tfResourceType = 'svc_native_query'
  readonly #config: NativeQueryConfig

  constructor(scope: Construct, id: string, config: NativeQueryConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_native_query',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<source>/<root_field_name>`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. */
  get source(): string {
    return this.getStringAttribute('source')
  }

  /** Its name, which is also its root field. */
  get rootFieldName(): string {
    return this.getStringAttribute('root_field_name')
  }

  /** The SQL. `{{name}}` stands for an argument, which is sent apart from it and never becomes SQL. */
  get code(): string {
    return this.getStringAttribute('code')
  }

  /** What clients give, by name. */
  get arguments(): IResolvable {
    return this.interpolationForAttribute('arguments')
  }

  /** The logical model of its rows, best as an output of it. Either this or `returns_inline`. */
  get returns(): string {
    return this.getStringAttribute('returns')
  }

  /** A logical model of its own, as JSON: `{"fields": […], "select_permissions": […]}`. Either this or `returns`. */
  get returnsInline(): string {
    return this.getStringAttribute('returns_inline')
  }

  /** Description of its root field. */
  get description(): string {
    return this.getStringAttribute('description')
  }

  /** From a row to one row elsewhere. */
  get objectRelationships(): IResolvable {
    return this.interpolationForAttribute('object_relationships')
  }

  /** From a row to any number of rows elsewhere. */
  get arrayRelationships(): IResolvable {
    return this.interpolationForAttribute('array_relationships')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
