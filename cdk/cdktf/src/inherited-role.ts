// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { Timeouts } from './types.ts'

/** A role that may do what any of its roles may. */
export interface InheritedRoleConfig extends TerraformMetaArguments {
  /** Its name. A change replaces. */
  readonly roleName: string
  /** The roles it is made of: of permissions, or inherited ones. */
  readonly roleSet: readonly string[]
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  roleName: ['role_name', 'plain'],
  roleSet: ['role_set', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** A role that may do what any of its roles may.
 * 
 * `svc_inherited_role` in Terraform. */
export class InheritedRole extends TerraformResource {
  static readonly tfResourceType = 'svc_inherited_role'
  readonly #config: InheritedRoleConfig

  constructor(scope: Construct, id: string, config: InheritedRoleConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_inherited_role',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<role_name>`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Its name. */
  get roleName(): string {
    return this.getStringAttribute('role_name')
  }

  /** The roles it is made of: of permissions, or inherited ones. */
  get roleSet(): string[] {
    return this.getListAttribute('role_set')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
