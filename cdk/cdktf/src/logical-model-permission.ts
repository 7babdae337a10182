// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { Timeouts } from './types.ts'

/** Which fields and rows of a logical model a role may read, from whatever native query they come. */
export interface LogicalModelPermissionConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. A change replaces. */
  readonly source?: string | undefined
  /** Name of the logical model, best as an output of it. A change replaces. */
  readonly logicalModel: string
  /** The role. Required unless `default_role` of the provider is set. A change replaces. */
  readonly role?: string | undefined
  /** Fields it may read. Either this or `all_columns`. */
  readonly columns?: readonly string[] | undefined
  /** All fields, also those that the logical model gets later. Either this or `columns`. Default: `false`. */
  readonly allColumns?: boolean | IResolvable | undefined
  /** Condition of the rows it may read, as JSON. `{}`: all rows. Any value, or a text of JSON. */
  readonly filter: unknown
  /** For people who read the metadata. */
  readonly comment?: string | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  logicalModel: ['logical_model', 'plain'],
  role: ['role', 'plain'],
  columns: ['columns', 'plain'],
  allColumns: ['all_columns', 'plain'],
  filter: ['filter', 'json'],
  comment: ['comment', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** Which fields and rows of a logical model a role may read, from whatever native query they come.
 * 
 * `svc_logical_model_permission` in Terraform. */
export class LogicalModelPermission extends TerraformResource {
  static readonly tfResourceType = 'svc_logical_model_permission'
  readonly #config: LogicalModelPermissionConfig

  constructor(scope: Construct, id: string, config: LogicalModelPermissionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_logical_model_permission',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<source>/<logical_model>/<role>`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. */
  get source(): string {
    return this.getStringAttribute('source')
  }

  /** Name of the logical model, best as an output of it. */
  get logicalModel(): string {
    return this.getStringAttribute('logical_model')
  }

  /** The role. Required unless `default_role` of the provider is set. */
  get role(): string {
    return this.getStringAttribute('role')
  }

  /** Fields it may read. Either this or `all_columns`. */
  get columns(): string[] {
    return this.getListAttribute('columns')
  }

  /** All fields, also those that the logical model gets later. Either this or `columns`. */
  get allColumns(): IResolvable {
    return this.getBooleanAttribute('all_columns')
  }

  /** Condition of the rows it may read, as JSON. `{}`: all rows. */
  get filter(): string {
    return this.getStringAttribute('filter')
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
