// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. Which fields and rows of a logical model a role may read, from whatever native query they come. */
export interface DataSvcLogicalModelPermissionConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. */
  readonly source?: string | undefined
  /** Name of the logical model, best as an output of it. */
  readonly logicalModel: string
  /** The role. Required unless `default_role` of the provider is set. */
  readonly role?: string | undefined
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  logicalModel: ['logical_model', 'plain'],
  role: ['role', 'plain'],
}

/** Reads one object that is there, whoever made it. Which fields and rows of a logical model a role may read, from whatever native query they come.
 * 
 * `svc_logical_model_permission` in Terraform. */
export class DataSvcLogicalModelPermission extends TerraformDataSource {
  static readonly tfResourceType = 'svc_logical_model_permission'
  readonly #config: DataSvcLogicalModelPermissionConfig

  constructor(scope: Construct, id: string, config: DataSvcLogicalModelPermissionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_logical_model_permission',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
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

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
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
