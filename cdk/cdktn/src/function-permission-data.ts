// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { FunctionName } from './types.ts'

/** Reads one object that is there, whoever made it. That a role may call a tracked function: needed for mutations, and for queries where the engine does not infer it. The role must have a select permission on the returned table. */
export interface DataSvcFunctionPermissionConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. */
  readonly source?: string | undefined
  /** The tracked function, best as an output of it. */
  readonly function: FunctionName | IResolvable
  /** The role. Required unless `default_role` of the provider is set. */
  readonly role?: string | undefined
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  function: ['function', { object: {
    schema: ['schema', 'plain'],
    dataset: ['dataset', 'plain'],
    name: ['name', 'plain'],
  } }],
  role: ['role', 'plain'],
}

/** Reads one object that is there, whoever made it. That a role may call a tracked function: needed for mutations, and for queries where the engine does not infer it. The role must have a select permission on the returned table.
 * 
 * `svc_function_permission` in Terraform. */
export class DataSvcFunctionPermission extends TerraformDataSource {
  static readonly tfResourceType = 'svc_function_permission'
  readonly #config: DataSvcFunctionPermissionConfig

  constructor(scope: Construct, id: string, config: DataSvcFunctionPermissionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_function_permission',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. */
  get source(): string {
    return this.getStringAttribute('source')
  }

  /** The tracked function, best as an output of it. */
  get function(): IResolvable {
    return this.interpolationForAttribute('function')
  }

  /** The role. Required unless `default_role` of the provider is set. */
  get role(): string {
    return this.getStringAttribute('role')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
