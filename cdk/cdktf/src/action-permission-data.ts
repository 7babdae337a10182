// Made from the declarations by `npm run cdk`: do not edit.

import { type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. Lets a role use an action. */
export interface DataSvcActionPermissionConfig extends TerraformMetaArguments {
  /** Name of the action, best as an output of it. */
  readonly action: string
  /** The role. Required unless `default_role` of the provider is set. */
  readonly role?: string | undefined
}

const inputs: Inputs = {
  action: ['action', 'plain'],
  role: ['role', 'plain'],
}

/** Reads one object that is there, whoever made it. Lets a role use an action.
 * 
 * `svc_action_permission` in Terraform. */
export class DataSvcActionPermission extends TerraformDataSource {
  static readonly tfResourceType = 'svc_action_permission'
  readonly #config: DataSvcActionPermissionConfig

  constructor(scope: Construct, id: string, config: DataSvcActionPermissionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_action_permission',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Name of the action, best as an output of it. */
  get action(): string {
    return this.getStringAttribute('action')
  }

  /** The role. Required unless `default_role` of the provider is set. */
  get role(): string {
    return this.getStringAttribute('role')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
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
