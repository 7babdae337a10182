// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { InputValidation, TableName, Timeouts } from './types.ts'

/** Which rows a role may insert into a table, and which of their columns it may set. */
export interface InsertPermissionConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. A change replaces. */
  readonly source?: string | undefined
  /** The table it lies in, best as an output of it. A change replaces. */
  readonly table: TableName | IResolvable
  /** The role. Required unless `default_role` of the provider is set. A change replaces. */
  readonly role?: string | undefined
  /** Columns it may set. Either this or `all_columns`. */
  readonly columns?: readonly string[] | undefined
  /** All columns, also those that the table gets later. Either this or `columns`. Default: `false`. */
  readonly allColumns?: boolean | IResolvable | undefined
  /** Condition that every new row must meet, as JSON. `{}`: none. Any value, or a text of JSON. */
  readonly check: unknown
  /** Columns that the engine fills in, as JSON: values, or names of session variables (`X-Svc-User-Id`). Clients cannot set them. Any value, or a text of JSON. */
  readonly set?: unknown | undefined
  /** Whether only requests with the admin secret and `x-svc-use-backend-only-permissions` may use it. Default: `false`. */
  readonly backendOnly?: boolean | IResolvable | undefined
  /** A webhook that is asked before anything is written, and can refuse it. */
  readonly validateInput?: InputValidation | IResolvable | undefined
  /** More of `validate_input.headers`, values by name, that are stored in no state and no plan. Sent when the object is made or changed, and when `validate_input_headers_wo_version` changes. Stored nowhere. */
  readonly validateInputHeadersWo?: Readonly<Record<string, string>> | IResolvable | undefined
  /** Any number, given with `validate_input_headers_wo`; a change sends it again. */
  readonly validateInputHeadersWoVersion?: number | undefined
  /** For people who read the metadata. */
  readonly comment?: string | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  table: ['table', { object: {
    schema: ['schema', 'plain'],
    dataset: ['dataset', 'plain'],
    name: ['name', 'plain'],
  } }],
  role: ['role', 'plain'],
  columns: ['columns', 'plain'],
  allColumns: ['all_columns', 'plain'],
  check: ['check', 'json'],
  set: ['set', 'json'],
  backendOnly: ['backend_only', 'plain'],
  validateInput: ['validate_input', { object: {
    url: ['url', 'plain'],
    headers: ['headers', { each: { object: {
      name: ['name', 'plain'],
      value: ['value', 'plain'],
      valueFromEnv: ['value_from_env', 'plain'],
    } } }],
    timeout: ['timeout', 'plain'],
    forwardClientHeaders: ['forward_client_headers', 'plain'],
  } }],
  validateInputHeadersWo: ['validate_input_headers_wo', 'plain'],
  validateInputHeadersWoVersion: ['validate_input_headers_wo_version', 'plain'],
  comment: ['comment', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** Which rows a role may insert into a table, and which of their columns it may set.
 * 
 * `svc_insert_permission` in Terraform. */
export class InsertPermission extends TerraformResource {
  static readonly tfResourceType = 'svc_insert_permission'
  readonly #config: InsertPermissionConfig

  constructor(scope: Construct, id: string, config: InsertPermissionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_insert_permission',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<source>/<schema>/<table>/<role>`. */
  get id(): string {
    return this.getStringAttribute('id')
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

  /** Any number, given with `validate_input_headers_wo`; a change sends it again. */
  get validateInputHeadersWoVersion(): number {
    return this.getNumberAttribute('validate_input_headers_wo_version')
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
