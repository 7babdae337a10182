// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { CollectionQuery, Timeouts } from './types.ts'

/** Named GraphQL queries, which REST endpoints answer with and the allow-list names. */
export interface QueryCollectionConfig extends TerraformMetaArguments {
  /** Its name. A change replaces. */
  readonly name: string
  /** The queries, no two of one name. */
  readonly queries: readonly (CollectionQuery | IResolvable)[] | IResolvable
  /** For people who read the metadata. */
  readonly comment?: string | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  name: ['name', 'plain'],
  queries: ['queries', { each: { object: {
    name: ['name', 'plain'],
    query: ['query', 'plain'],
  } } }],
  comment: ['comment', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** Named GraphQL queries, which REST endpoints answer with and the allow-list names.
 * 
 * `svc_query_collection` in Terraform. */
export class QueryCollection extends TerraformResource {
  static readonly tfResourceType = 'svc_query_collection'
  readonly #config: QueryCollectionConfig

  constructor(scope: Construct, id: string, config: QueryCollectionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_query_collection',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<name>`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Its name. */
  get name(): string {
    return this.getStringAttribute('name')
  }

  /** The queries, no two of one name. */
  get queries(): IResolvable {
    return this.interpolationForAttribute('queries')
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
