// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { StoredProcedureName } from './types.ts'

/** Reads one object that is there, whoever made it. A stored procedure of SQL Server that the engine serves as a root field. */
export interface DataSvcStoredProcedureConfig extends TerraformMetaArguments {
  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. Default: `"default"`. */
  readonly source?: string | undefined
  /** The procedure in the database. */
  readonly storedProcedure: StoredProcedureName | IResolvable
}

const inputs: Inputs = {
  source: ['source', 'plain'],
  storedProcedure: ['stored_procedure', { object: {
    schema: ['schema', 'plain'],
    name: ['name', 'plain'],
  } }],
}

/** Reads one object that is there, whoever made it. A stored procedure of SQL Server that the engine serves as a root field.
 * 
 * `svc_stored_procedure` in Terraform. */
export class DataSvcStoredProcedure extends TerraformDataSource {
  static readonly tfResourceType = 'svc_stored_procedure'
  readonly #config: DataSvcStoredProcedureConfig

  constructor(scope: Construct, id: string, config: DataSvcStoredProcedureConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_stored_procedure',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Name of the source it lies in. `default_source` of the provider stands in where it is not given. */
  get source(): string {
    return this.getStringAttribute('source')
  }

  /** The procedure in the database. */
  get storedProcedure(): IResolvable {
    return this.interpolationForAttribute('stored_procedure')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Where its field stands. */
  get exposedAs(): string {
    return this.getStringAttribute('exposed_as')
  }

  /** Name of its field. */
  get customName(): string {
    return this.getStringAttribute('custom_name')
  }

  /** The logical model of its rows, best as an output of it. */
  get returns(): string {
    return this.getStringAttribute('returns')
  }

  /** What clients give, by name. */
  get arguments(): IResolvable {
    return this.interpolationForAttribute('arguments')
  }

  /** Description of its root field. */
  get description(): string {
    return this.getStringAttribute('description')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
