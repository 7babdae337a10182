// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { FunctionName, Timeouts } from './types.ts'

/** That a role may call a tracked function: needed for mutations, and for queries where the engine does not infer it. The role must have a select permission on the returned table. */
export interface FunctionPermissionConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. A change replaces. */
  readonly source?: string | undefined
  /** The tracked function, best as an output of it. A change replaces. */
  readonly function: FunctionName | IResolvable
  /** The role. Required unless `default_role` of the provider is set. A change replaces. */
  readonly role?: string | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  function: ['function', { object: {
    schema: ['schema', 'plain'],
    dataset: ['dataset', 'plain'],
    name: ['name', 'plain'],
  } }],
  role: ['role', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** That a role may call a tracked function: needed for mutations, and for queries where the engine does not infer it. The role must have a select permission on the returned table.
 * 
 * `svc_function_permission` in Terraform. */
export class FunctionPermission extends TerraformResource {
  static readonly tfResourceType = 'svc_function_permission'
  readonly #config: FunctionPermissionConfig

  constructor(scope: Construct, id: string, config: FunctionPermissionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_function_permission',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<source>/<schema>/<function>/<role>`. */
  get id(): string {
    return this.getStringAttribute('id')
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

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
