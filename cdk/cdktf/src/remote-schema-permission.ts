// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { Timeouts } from './types.ts'

/** What a role may use of a remote schema. The engine has to run with `--enable-remote-schema-permissions`. */
export interface RemoteSchemaPermissionConfig extends TerraformMetaArguments {
  /** Name of the remote schema, best as an output of it. A change replaces. */
  readonly remoteSchema: string
  /** The role. Required unless `default_role` of the provider is set. A change replaces. */
  readonly role?: string | undefined
  /** The part of the server's schema that the role sees, as SDL; `@preset(value: …)` gives arguments and input fields that the role does not. Order, descriptions, comments and white space make no difference. */
  readonly schema: string
  /** For people who read the metadata. */
  readonly comment?: string | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  remoteSchema: ['remote_schema', 'plain'],
  role: ['role', 'plain'],
  schema: ['schema', 'plain'],
  comment: ['comment', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** What a role may use of a remote schema. The engine has to run with `--enable-remote-schema-permissions`.
 * 
 * `svc_remote_schema_permission` in Terraform. */
export class RemoteSchemaPermission extends TerraformResource {
  static readonly tfResourceType = 'svc_remote_schema_permission'
  readonly #config: RemoteSchemaPermissionConfig

  constructor(scope: Construct, id: string, config: RemoteSchemaPermissionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_remote_schema_permission',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<remote_schema>/<role>`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Name of the remote schema, best as an output of it. */
  get remoteSchema(): string {
    return this.getStringAttribute('remote_schema')
  }

  /** The role. Required unless `default_role` of the provider is set. */
  get role(): string {
    return this.getStringAttribute('role')
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
