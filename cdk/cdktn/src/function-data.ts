// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { FunctionName } from './types.ts'

/** Reads one object that is there, whoever made it. A function of a source, returning rows of a tracked table, that the engine serves as root fields. When it goes, its permissions go with it. */
export interface DataSvcFunctionConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. */
  readonly source?: string | undefined
  /** The function in the database. */
  readonly function: FunctionName | IResolvable
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  function: ['function', { object: {
    schema: ['schema', 'plain'],
    dataset: ['dataset', 'plain'],
    name: ['name', 'plain'],
  } }],
}

/** Reads one object that is there, whoever made it. A function of a source, returning rows of a tracked table, that the engine serves as root fields. When it goes, its permissions go with it.
 * 
 * `svc_function` in Terraform. */
export class DataSvcFunction extends TerraformDataSource {
  static readonly tfResourceType = 'svc_function'
  readonly #config: DataSvcFunctionConfig

  constructor(scope: Construct, id: string, config: DataSvcFunctionConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_function',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. */
  get source(): string {
    return this.getStringAttribute('source')
  }

  /** The function in the database. */
  get function(): IResolvable {
    return this.interpolationForAttribute('function')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Its argument, of type json, that gets the session variables. */
  get sessionArgument(): string {
    return this.getStringAttribute('session_argument')
  }

  /** Where its field stands. Without it a VOLATILE function is a mutation, any other a query. */
  get exposedAs(): string {
    return this.getStringAttribute('exposed_as')
  }

  /** Name in its fields and types. */
  get customName(): string {
    return this.getStringAttribute('custom_name')
  }

  /** Names of single root fields. */
  get customRootFields(): IResolvable {
    return this.interpolationForAttribute('custom_root_fields')
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
