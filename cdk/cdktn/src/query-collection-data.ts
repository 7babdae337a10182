// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. Named GraphQL queries, which REST endpoints answer with and the allow-list names. */
export interface DataSvcQueryCollectionConfig extends TerraformMetaArguments {
  /** Its name. */
  readonly name: string
}

const inputs: Inputs = {
  name: ['name', 'plain'],
}

/** Reads one object that is there, whoever made it. Named GraphQL queries, which REST endpoints answer with and the allow-list names.
 * 
 * `svc_query_collection` in Terraform. */
export class DataSvcQueryCollection extends TerraformDataSource {
  static readonly tfResourceType = 'svc_query_collection'
  readonly #config: DataSvcQueryCollectionConfig

  constructor(scope: Construct, id: string, config: DataSvcQueryCollectionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_query_collection',
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
