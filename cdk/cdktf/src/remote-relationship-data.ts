// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { TableName } from './types.ts'

/** Reads one object that is there, whoever made it. A relationship from a row to rows of another source, or to a field of a remote schema. From a type of a remote schema it is a `RemoteTypeRelationship`. One in the older form, with `svc_fields`, is read as the same in the newer one. */
export interface DataSvcRemoteRelationshipConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. */
  readonly source?: string | undefined
  /** The table it lies in, best as an output of it. */
  readonly table: TableName | IResolvable
  /** Its name, which is also its field. */
  readonly name: string
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  table: ['table', { object: {
    schema: ['schema', 'plain'],
    dataset: ['dataset', 'plain'],
    name: ['name', 'plain'],
  } }],
  name: ['name', 'plain'],
}

/** Reads one object that is there, whoever made it. A relationship from a row to rows of another source, or to a field of a remote schema. From a type of a remote schema it is a `RemoteTypeRelationship`. One in the older form, with `svc_fields`, is read as the same in the newer one.
 * 
 * `svc_remote_relationship` in Terraform. */
export class DataSvcRemoteRelationship extends TerraformDataSource {
  static readonly tfResourceType = 'svc_remote_relationship'
  readonly #config: DataSvcRemoteRelationshipConfig

  constructor(scope: Construct, id: string, config: DataSvcRemoteRelationshipConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_remote_relationship',
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

  /** Its name, which is also its field. */
  get name(): string {
    return this.getStringAttribute('name')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** A table of a source. Either this or `to_remote_schema`. */
  get toSource(): IResolvable {
    return this.interpolationForAttribute('to_source')
  }

  /** A field of a remote schema. Either this or `to_source`. */
  get toRemoteSchema(): IResolvable {
    return this.interpolationForAttribute('to_remote_schema')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
