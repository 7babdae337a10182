// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. A query written in SQL that the engine serves as a root field. */
export interface DataSvcNativeQueryConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. */
  readonly source?: string | undefined
  /** Its name, which is also its root field. */
  readonly rootFieldName: string
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  rootFieldName: ['root_field_name', 'plain'],
}

/** Reads one object that is there, whoever made it. A query written in SQL that the engine serves as a root field.
 * 
 * `svc_native_query` in Terraform. */
export class DataSvcNativeQuery extends TerraformDataSource {
  static readonly tfResourceType = 'svc_native_query'
  readonly #config: DataSvcNativeQueryConfig

  constructor(scope: Construct, id: string, config: DataSvcNativeQueryConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_native_query',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. */
  get source(): string {
    return this.getStringAttribute('source')
  }

  /** Its name, which is also its root field. */
  get rootFieldName(): string {
    return this.getStringAttribute('root_field_name')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
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
