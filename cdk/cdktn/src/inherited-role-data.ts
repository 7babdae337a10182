// Made from the declarations by `npm run cdk`: do not edit.

import { type TerraformMetaArguments, TerraformDataSource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. A role that may do what any of its roles may. */
export interface DataSvcInheritedRoleConfig extends TerraformMetaArguments {
  /** Its name. */
  readonly roleName: string
}

const inputs: Inputs = {
  roleName: ['role_name', 'plain'],
}

/** Reads one object that is there, whoever made it. A role that may do what any of its roles may.
 * 
 * `svc_inherited_role` in Terraform. */
export class DataSvcInheritedRole extends TerraformDataSource {
  static readonly tfResourceType = 'svc_inherited_role'
  readonly #config: DataSvcInheritedRoleConfig

  constructor(scope: Construct, id: string, config: DataSvcInheritedRoleConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_inherited_role',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its name. */
  get roleName(): string {
    return this.getStringAttribute('role_name')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
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
