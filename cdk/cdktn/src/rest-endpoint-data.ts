// Made from the declarations by `npm run cdk`: do not edit.

import { type TerraformMetaArguments, TerraformDataSource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. A path below `/api/rest` that answers with a query of a collection. */
export interface DataSvcRestEndpointConfig extends TerraformMetaArguments {
  /** Its name. */
  readonly name: string
}

const inputs: Inputs = {
  name: ['name', 'plain'],
}

/** Reads one object that is there, whoever made it. A path below `/api/rest` that answers with a query of a collection.
 * 
 * `svc_rest_endpoint` in Terraform. */
export class DataSvcRestEndpoint extends TerraformDataSource {
  static readonly tfResourceType = 'svc_rest_endpoint'
  readonly #config: DataSvcRestEndpointConfig

  constructor(scope: Construct, id: string, config: DataSvcRestEndpointConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_rest_endpoint',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its name. */
  get name(): string {
    return this.getStringAttribute('name')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
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
