// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { TableName } from './types.ts'

/** Reads one object that is there, whoever made it. Which rows a role may insert into a table, and which of their columns it may set. */
export interface DataSvcInsertPermissionConfig extends TerraformMetaArguments {
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

/** Reads one object that is there, whoever made it. Which rows a role may insert into a table, and which of their columns it may set.
 * 
 * `svc_insert_permission` in Terraform. */
export class DataSvcInsertPermission extends TerraformDataSource {
  static readonly tfResourceType = 'svc_insert_permission'
  readonly #config: DataSvcInsertPermissionConfig

  constructor(scope: Construct, id: string, config: DataSvcInsertPermissionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_insert_permission',
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

  /** Columns it may set. Either this or `all_columns`. */
  get columns(): string[] {
    return this.getListAttribute('columns')
  }

  /** All columns, also those that the table gets later. Either this or `columns`. */
  get allColumns(): IResolvable {
    return this.getBooleanAttribute('all_columns')
  }

  /** Condition that every new row must meet, as JSON. `{}`: none. */
  get check(): string {
    return this.getStringAttribute('check')
  }

  /** Columns that the engine fills in, as JSON: values, or names of session variables (`X-Svc-User-Id`). Clients cannot set them. */
  get set(): string {
    return this.getStringAttribute('set')
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
