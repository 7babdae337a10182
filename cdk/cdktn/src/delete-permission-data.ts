// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { TableName } from './types.ts'

/** Reads one object that is there, whoever made it. Which rows of a table a role may delete. */
export interface DataSvcDeletePermissionConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. */
  readonly source?: string | undefined
  /** The table it lies in, best as an output of it. */
  readonly table: TableName | IResolvable
  /** The role. Required unless `default_role` of the provider is set. */
  readonly role?: string | undefined
  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  readonly showSecrets?: boolean | IResolvable | undefined
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  table: ['table', { object: {
    schema: ['schema', 'plain'],
    dataset: ['dataset', 'plain'],
    name: ['name', 'plain'],
  } }],
  role: ['role', 'plain'],
  showSecrets: ['show_secrets', 'plain'],
}

/** Reads one object that is there, whoever made it. Which rows of a table a role may delete.
 * 
 * `svc_delete_permission` in Terraform. */
export class DataSvcDeletePermission extends TerraformDataSource {
  static readonly tfResourceType = 'svc_delete_permission'
  readonly #config: DataSvcDeletePermissionConfig

  constructor(scope: Construct, id: string, config: DataSvcDeletePermissionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_delete_permission',
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

  /** The role. Required unless `default_role` of the provider is set. */
  get role(): string {
    return this.getStringAttribute('role')
  }

  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  get showSecrets(): IResolvable {
    return this.getBooleanAttribute('show_secrets')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Condition of the rows it may delete, as JSON. `{}`: all rows. */
  get filter(): string {
    return this.getStringAttribute('filter')
  }

  /** Whether only requests with the admin secret and `x-svc-use-backend-only-permissions` may use it. */
  get backendOnly(): IResolvable {
    return this.getBooleanAttribute('backend_only')
  }

  /** A webhook that is asked before anything is written, and can refuse it. */
  get validateInput(): IResolvable {
    return this.interpolationForAttribute('validate_input')
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
