// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformDataSource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'

/** Reads one object that is there, whoever made it. A PostgreSQL database whose tables the engine serves. A new name makes a new source: everything that lies in the old one goes with it. */
export interface DataSvcSourceConfig extends TerraformMetaArguments {
  /** Its name, by which everything in it names it. */
  readonly name: string
  /** Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`. */
  readonly showSecrets?: boolean | IResolvable | undefined
}

const inputs: Inputs = {
  name: ['name', 'plain'],
  showSecrets: ['show_secrets', 'plain'],
}

/** Reads one object that is there, whoever made it. A PostgreSQL database whose tables the engine serves. A new name makes a new source: everything that lies in the old one goes with it.
 * 
 * `svc_source` in Terraform. */
export class DataSvcSource extends TerraformDataSource {
  static readonly tfResourceType = 'svc_source'
  readonly #config: DataSvcSourceConfig

  constructor(scope: Construct, id: string, config: DataSvcSourceConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_source',
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

  /** Connection string. May name variables of the engine: `{{PG_URL}}`. */
  get databaseUrl(): string {
    return this.getStringAttribute('database_url')
  }

  /** Variable of the engine's environment that holds the connection string. */
  get databaseUrlFromEnv(): string {
    return this.getStringAttribute('database_url_from_env')
  }

  /** File on the machine of the engine that holds the connection string and may change. */
  get databaseUrlFromFile(): string {
    return this.getStringAttribute('database_url_from_file')
  }

  /** The connection string in parts. */
  get connectionParameters(): IResolvable {
    return this.interpolationForAttribute('connection_parameters')
  }

  /** Of transactions. */
  get isolationLevel(): string {
    return this.getStringAttribute('isolation_level')
  }

  /** Sizes and times of the pool. */
  get poolSettings(): IResolvable {
    return this.interpolationForAttribute('pool_settings')
  }

  /** TLS to the database. */
  get sslConfiguration(): IResolvable {
    return this.interpolationForAttribute('ssl_configuration')
  }

  /** Whether statements are prepared. */
  get usePreparedStatements(): IResolvable {
    return this.getBooleanAttribute('use_prepared_statements')
  }

  /** Connections to copies of the database, which reads may use. */
  get readReplicas(): IResolvable {
    return this.interpolationForAttribute('read_replicas')
  }

  /** Schema that holds the extensions. */
  get extensionsSchema(): string {
    return this.getStringAttribute('extensions_schema')
  }

  /** Chooses a connection for each request. */
  get connectionTemplate(): IResolvable {
    return this.interpolationForAttribute('connection_template')
  }

  /** The connections that the template chooses from. */
  get connectionSet(): IResolvable {
    return this.interpolationForAttribute('connection_set')
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
