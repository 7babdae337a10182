// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { Timeouts } from './types.ts'

/** Lets a role use an action. */
export interface ActionPermissionConfig extends TerraformMetaArguments {
  /** Name of the action, best as an output of it. A change replaces. */
  readonly action: string
  /** The role. Required unless `default_role` of the provider is set. A change replaces. */
  readonly role?: string | undefined
  /** For people who read the metadata. */
  readonly comment?: string | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  action: ['action', 'plain'],
  role: ['role', 'plain'],
  comment: ['comment', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** Lets a role use an action.
 * 
 * `svc_action_permission` in Terraform. */
export class ActionPermission extends TerraformResource {
  static readonly tfResourceType = 'svc_action_permission'
  readonly #config: ActionPermissionConfig

  constructor(scope: Construct, id: string, config: ActionPermissionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_action_permission',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<action>/<role>`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Name of the action, best as an output of it. */
  get action(): string {
    return this.getStringAttribute('action')
  }

  /** The role. Required unless `default_role` of the provider is set. */
  get role(): string {
    return this.getStringAttribute('role')
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
