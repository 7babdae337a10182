// Made from the declarations by `npm run cdk`: do not edit.

import { type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. What a role may use of a remote schema. The engine has to run with `--enable-remote-schema-permissions`. */
export interface DataSvcRemoteSchemaPermissionConfig extends TerraformMetaArguments {
  /** Name of the remote schema, best as an output of it. */
  readonly remoteSchema: string
  /** The role. Required unless `default_role` of the provider is set. */
  readonly role?: string | undefined
}

const inputs: Inputs = {
  remoteSchema: ['remote_schema', 'plain'],
  role: ['role', 'plain'],
}

/** Reads one object that is there, whoever made it. What a role may use of a remote schema. The engine has to run with `--enable-remote-schema-permissions`.
 * 
 * `svc_remote_schema_permission` in Terraform. */
export class DataSvcRemoteSchemaPermission extends TerraformDataSource {
  static readonly tfResourceType = 'svc_remote_schema_permission'
  readonly #config: DataSvcRemoteSchemaPermissionConfig

  constructor(scope: Construct, id: string, config: DataSvcRemoteSchemaPermissionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_remote_schema_permission',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Name of the remote schema, best as an output of it. */
  get remoteSchema(): string {
    return this.getStringAttribute('remote_schema')
  }

  /** The role. Required unless `default_role` of the provider is set. */
  get role(): string {
    return this.getStringAttribute('role')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** The part of the server's schema that the role sees, as SDL; `@preset(value: …)` gives arguments and input fields that the role does not. Order, descriptions, comments and white space make no difference. */
  get schema(): string {
    return this.getStringAttribute('schema')
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
