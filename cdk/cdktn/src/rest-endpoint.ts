// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { Timeouts } from './types.ts'

/** A path below `/api/rest` that answers with a query of a collection. */
export interface RestEndpointConfig extends TerraformMetaArguments {
  /** Its name. A change replaces. */
  readonly name: string
  /** The path below `/api/rest`. `:name` is a variable of the query: `albums/:id`. */
  readonly url: string
  /** HTTP methods it answers to. */
  readonly methods: readonly string[]
  /** Name of the query collection, best as an output of it. */
  readonly collectionName: string
  /** Name of the query in that collection. */
  readonly queryName: string
  /** For people who read the metadata. */
  readonly comment?: string | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  name: ['name', 'plain'],
  url: ['url', 'plain'],
  methods: ['methods', 'plain'],
  collectionName: ['collection_name', 'plain'],
  queryName: ['query_name', 'plain'],
  comment: ['comment', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** A path below `/api/rest` that answers with a query of a collection.
 * 
 * `svc_rest_endpoint` in Terraform. */
export class RestEndpoint extends TerraformResource {
  static readonly tfResourceType = 'svc_rest_endpoint'
  readonly #config: RestEndpointConfig

  constructor(scope: Construct, id: string, config: RestEndpointConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_rest_endpoint',
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

  /** The path below `/api/rest`. `:name` is a variable of the query: `albums/:id`. */
  get url(): string {
    return this.getStringAttribute('url')
  }

  /** HTTP methods it answers to. */
  get methods(): string[] {
    return this.getListAttribute('methods')
  }

  /** Name of the query collection, best as an output of it. */
  get collectionName(): string {
    return this.getStringAttribute('collection_name')
  }

  /** Name of the query in that collection. */
  get queryName(): string {
    return this.getStringAttribute('query_name')
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
