// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. A relationship from a type of a remote schema to rows of a table, or to a field of a remote schema. From a table it is a `RemoteRelationship`. */
export interface DataSvcRemoteTypeRelationshipConfig extends TerraformMetaArguments {
  /** Name of the remote schema that has the type, best as an output of it. */
  readonly remoteSchema: string
  /** The type, by the name that its server gives it. */
  readonly typeName: string
  /** Its name, which is also its field. */
  readonly name: string
}

const inputs: Inputs = {
  remoteSchema: ['remote_schema', 'plain'],
  typeName: ['type_name', 'plain'],
  name: ['name', 'plain'],
}

/** Reads one object that is there, whoever made it. A relationship from a type of a remote schema to rows of a table, or to a field of a remote schema. From a table it is a `RemoteRelationship`.
 * 
 * `svc_remote_type_relationship` in Terraform. */
export class DataSvcRemoteTypeRelationship extends TerraformDataSource {
  static readonly tfResourceType = 'svc_remote_type_relationship'
  readonly #config: DataSvcRemoteTypeRelationshipConfig

  constructor(scope: Construct, id: string, config: DataSvcRemoteTypeRelationshipConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_remote_type_relationship',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Name of the remote schema that has the type, best as an output of it. */
  get remoteSchema(): string {
    return this.getStringAttribute('remote_schema')
  }

  /** The type, by the name that its server gives it. */
  get typeName(): string {
    return this.getStringAttribute('type_name')
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
