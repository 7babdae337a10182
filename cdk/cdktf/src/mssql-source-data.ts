// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. A SQL Server database whose tables the engine serves. What lies in it is declared as in any other source, by the `name` of this resource; tables without a schema lie in `dbo`. A new name makes a new source: everything that lies in the old one goes with it. */
export interface DataSvcMssqlSourceConfig extends TerraformMetaArguments {
  /** Its name, by which everything in it names it. */
  readonly name: string
  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  readonly showSecrets?: boolean | IResolvable | undefined
}

const inputs: Inputs = {
  name: ['name', 'plain'],
  showSecrets: ['show_secrets', 'plain'],
}

/** Reads one object that is there, whoever made it. A SQL Server database whose tables the engine serves. What lies in it is declared as in any other source, by the `name` of this resource; tables without a schema lie in `dbo`. A new name makes a new source: everything that lies in the old one goes with it.
 * 
 * `svc_mssql_source` in Terraform. */
export class DataSvcMssqlSource extends TerraformDataSource {
  static readonly tfResourceType = 'svc_mssql_source'
  readonly #config: DataSvcMssqlSourceConfig

  constructor(scope: Construct, id: string, config: DataSvcMssqlSourceConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_mssql_source',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its name, by which everything in it names it. */
  get name(): string {
    return this.getStringAttribute('name')
  }

  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  get showSecrets(): IResolvable {
    return this.getBooleanAttribute('show_secrets')
  }

  /** Its identity, by which it is imported. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** ODBC connection string: `Server=tcp:db,1433;Database=shop;Uid=app;Pwd={…};Encrypt=yes`. */
  get connectionString(): string {
    return this.getStringAttribute('connection_string')
  }

  /** Variable of the engine's environment that holds the connection string. */
  get connectionStringFromEnv(): string {
    return this.getStringAttribute('connection_string_from_env')
  }

  /** Of transactions; `read-committed` if it is not given. */
  get isolationLevel(): string {
    return this.getStringAttribute('isolation_level')
  }

  /** Sizes and times of the pool. */
  get poolSettings(): IResolvable {
    return this.interpolationForAttribute('pool_settings')
  }

  /** Connections to copies of the database. They are kept; all requests use the database itself. */
  get readReplicas(): IResolvable {
    return this.interpolationForAttribute('read_replicas')
  }

  /** Names of root fields and types. */
  get customization(): IResolvable {
    return this.interpolationForAttribute('customization')
  }

  /** Checks at intervals whether the database answers. */
  get healthCheck(): IResolvable {
    return this.interpolationForAttribute('health_check')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
