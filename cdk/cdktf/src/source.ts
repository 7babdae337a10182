// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { SourceConnection, SourceConnectionMember, SourceConnectionParameters, SourcePoolSettings, SourceSslConfiguration, Timeouts } from './types.ts'

export interface SourceConnectionTemplate {
  /** Of the language: 1. Default: `1`. */
  readonly version?: number | undefined
  /** Template of the language Kriti that yields `$.primary`, `$.read_replicas`, `$.default` or a member of `$.connection_set`. */
  readonly template: string
}

export interface SourceCustomizationRootFields {
  /** Field below which all root fields of the source stand. */
  readonly namespace?: string | undefined
  /** What root fields begin with. */
  readonly prefix?: string | undefined
  /** What root fields end with. */
  readonly suffix?: string | undefined
}

export interface SourceCustomizationTypeNames {
  /** What types begin with. */
  readonly prefix?: string | undefined
  /** What types end with. */
  readonly suffix?: string | undefined
}

export interface SourceCustomization {
  /** Names of the root fields. */
  readonly rootFields?: SourceCustomizationRootFields | IResolvable | undefined
  /** Names of the types. */
  readonly typeNames?: SourceCustomizationTypeNames | IResolvable | undefined
  /** How names of the database become names of GraphQL. */
  readonly namingConvention?: string | undefined
}

export interface SourceHealthCheckTest {
  /** Statement that has to succeed. Default: `"SELECT 1"`. */
  readonly sql?: string | undefined
}

export interface SourceHealthCheck {
  /** What is tried. */
  readonly test?: SourceHealthCheckTest | IResolvable | undefined
  /** Seconds between two checks. */
  readonly interval: number
  /** Tries before it counts as failed. Default: `3`. */
  readonly retries?: number | undefined
  /** Seconds between two tries. Default: `10`. */
  readonly retryInterval?: number | undefined
  /** Seconds a try may take. Default: `10`. */
  readonly timeout?: number | undefined
}

/** A PostgreSQL database whose tables the engine serves. A new name makes a new source: everything that lies in the old one goes with it. */
export interface SourceConfig extends TerraformMetaArguments {
  /** Its name, by which everything in it names it. A change replaces. */
  readonly name: string
  /** Connection string. May name variables of the engine: `{{PG_URL}}`. */
  readonly databaseUrl?: string | undefined
  /** Variable of the engine's environment that holds the connection string. */
  readonly databaseUrlFromEnv?: string | undefined
  /** File on the machine of the engine that holds the connection string and may change. */
  readonly databaseUrlFromFile?: string | undefined
  /** The connection string in parts. */
  readonly connectionParameters?: SourceConnectionParameters | IResolvable | undefined
  /** Connection string that is stored in no state and no plan. Sent when the source is made and when `database_url_wo_version` changes. Stored nowhere. */
  readonly databaseUrlWo?: string | undefined
  /** Any number; a change sends `database_url_wo` again. */
  readonly databaseUrlWoVersion?: number | undefined
  /** Of transactions. One of `read-committed`, `repeatable-read`, `serializable`. Default: `"read-committed"`. */
  readonly isolationLevel?: string | undefined
  /** Sizes and times of the pool. */
  readonly poolSettings?: SourcePoolSettings | IResolvable | undefined
  /** TLS to the database. */
  readonly sslConfiguration?: SourceSslConfiguration | IResolvable | undefined
  /** Whether statements are prepared. Default: `false`. */
  readonly usePreparedStatements?: boolean | IResolvable | undefined
  /** Connections to copies of the database, which reads may use. */
  readonly readReplicas?: readonly (SourceConnection | IResolvable)[] | IResolvable | undefined
  /** Schema that holds the extensions. Default: `"public"`. */
  readonly extensionsSchema?: string | undefined
  /** Chooses a connection for each request. */
  readonly connectionTemplate?: SourceConnectionTemplate | IResolvable | undefined
  /** The connections that the template chooses from. */
  readonly connectionSet?: readonly (SourceConnectionMember | IResolvable)[] | IResolvable | undefined
  /** Names of root fields and types. */
  readonly customization?: SourceCustomization | IResolvable | undefined
  /** Checks at intervals whether the database answers. */
  readonly healthCheck?: SourceHealthCheck | IResolvable | undefined
  /** Whether what lies in it goes with it when it is deleted, though no resource deletes it. Without it such a delete is refused. Applied before the delete. */
  readonly forceDestroy?: boolean | IResolvable | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  name: ['name', 'plain'],
  databaseUrl: ['database_url', 'plain'],
  databaseUrlFromEnv: ['database_url_from_env', 'plain'],
  databaseUrlFromFile: ['database_url_from_file', 'plain'],
  connectionParameters: ['connection_parameters', { object: {
    username: ['username', 'plain'],
    password: ['password', 'plain'],
    host: ['host', 'plain'],
    port: ['port', 'plain'],
    database: ['database', 'plain'],
  } }],
  databaseUrlWo: ['database_url_wo', 'plain'],
  databaseUrlWoVersion: ['database_url_wo_version', 'plain'],
  isolationLevel: ['isolation_level', 'plain'],
  poolSettings: ['pool_settings', { object: {
    maxConnections: ['max_connections', 'plain'],
    totalMaxConnections: ['total_max_connections', 'plain'],
    idleTimeout: ['idle_timeout', 'plain'],
    retries: ['retries', 'plain'],
    poolTimeout: ['pool_timeout', 'plain'],
    connectionLifetime: ['connection_lifetime', 'plain'],
  } }],
  sslConfiguration: ['ssl_configuration', { object: {
    sslmode: ['sslmode', 'plain'],
    sslrootcert: ['sslrootcert', { object: {
      fromEnv: ['from_env', 'plain'],
    } }],
    sslcert: ['sslcert', { object: {
      fromEnv: ['from_env', 'plain'],
    } }],
    sslkey: ['sslkey', { object: {
      fromEnv: ['from_env', 'plain'],
    } }],
    sslpassword: ['sslpassword', { object: {
      fromEnv: ['from_env', 'plain'],
    } }],
  } }],
  usePreparedStatements: ['use_prepared_statements', 'plain'],
  readReplicas: ['read_replicas', { each: { object: {
    databaseUrl: ['database_url', 'plain'],
    databaseUrlFromEnv: ['database_url_from_env', 'plain'],
    databaseUrlFromFile: ['database_url_from_file', 'plain'],
    connectionParameters: ['connection_parameters', { object: {
      username: ['username', 'plain'],
      password: ['password', 'plain'],
      host: ['host', 'plain'],
      port: ['port', 'plain'],
      database: ['database', 'plain'],
    } }],
    isolationLevel: ['isolation_level', 'plain'],
    poolSettings: ['pool_settings', { object: {
      maxConnections: ['max_connections', 'plain'],
      totalMaxConnections: ['total_max_connections', 'plain'],
      idleTimeout: ['idle_timeout', 'plain'],
      retries: ['retries', 'plain'],
      poolTimeout: ['pool_timeout', 'plain'],
      connectionLifetime: ['connection_lifetime', 'plain'],
    } }],
    sslConfiguration: ['ssl_configuration', { object: {
      sslmode: ['sslmode', 'plain'],
      sslrootcert: ['sslrootcert', { object: {
        fromEnv: ['from_env', 'plain'],
      } }],
      sslcert: ['sslcert', { object: {
        fromEnv: ['from_env', 'plain'],
      } }],
      sslkey: ['sslkey', { object: {
        fromEnv: ['from_env', 'plain'],
      } }],
      sslpassword: ['sslpassword', { object: {
        fromEnv: ['from_env', 'plain'],
      } }],
    } }],
    usePreparedStatements: ['use_prepared_statements', 'plain'],
  } } }],
  extensionsSchema: ['extensions_schema', 'plain'],
  connectionTemplate: ['connection_template', { object: {
    version: ['version', 'plain'],
    template: ['template', 'plain'],
  } }],
  connectionSet: ['connection_set', { each: { object: {
    name: ['name', 'plain'],
    connectionInfo: ['connection_info', { object: {
      databaseUrl: ['database_url', 'plain'],
      databaseUrlFromEnv: ['database_url_from_env', 'plain'],
      databaseUrlFromFile: ['database_url_from_file', 'plain'],
      connectionParameters: ['connection_parameters', { object: {
        username: ['username', 'plain'],
        password: ['password', 'plain'],
        host: ['host', 'plain'],
        port: ['port', 'plain'],
        database: ['database', 'plain'],
      } }],
      isolationLevel: ['isolation_level', 'plain'],
      poolSettings: ['pool_settings', { object: {
        maxConnections: ['max_connections', 'plain'],
        totalMaxConnections: ['total_max_connections', 'plain'],
        idleTimeout: ['idle_timeout', 'plain'],
        retries: ['retries', 'plain'],
        poolTimeout: ['pool_timeout', 'plain'],
        connectionLifetime: ['connection_lifetime', 'plain'],
      } }],
      sslConfiguration: ['ssl_configuration', { object: {
        sslmode: ['sslmode', 'plain'],
        sslrootcert: ['sslrootcert', { object: {
          fromEnv: ['from_env', 'plain'],
        } }],
        sslcert: ['sslcert', { object: {
          fromEnv: ['from_env', 'plain'],
        } }],
        sslkey: ['sslkey', { object: {
          fromEnv: ['from_env', 'plain'],
        } }],
        sslpassword: ['sslpassword', { object: {
          fromEnv: ['from_env', 'plain'],
        } }],
      } }],
      usePreparedStatements: ['use_prepared_statements', 'plain'],
    } }],
  } } }],
  customization: ['customization', { object: {
    rootFields: ['root_fields', { object: {
      namespace: ['namespace', 'plain'],
      prefix: ['prefix', 'plain'],
      suffix: ['suffix', 'plain'],
    } }],
    typeNames: ['type_names', { object: {
      prefix: ['prefix', 'plain'],
      suffix: ['suffix', 'plain'],
    } }],
    namingConvention: ['naming_convention', 'plain'],
  } }],
  healthCheck: ['health_check', { object: {
    test: ['test', { object: {
      sql: ['sql', 'plain'],
    } }],
    interval: ['interval', 'plain'],
    retries: ['retries', 'plain'],
    retryInterval: ['retry_interval', 'plain'],
    timeout: ['timeout', 'plain'],
  } }],
  forceDestroy: ['force_destroy', 'plain'],
  timeouts: ['timeouts', { object: {
    create: ['create', 'plain'],
    update: ['update', 'plain'],
    delete: ['delete', 'plain'],
  } }],
}

/** A PostgreSQL database whose tables the engine serves. A new name makes a new source: everything that lies in the old one goes with it.
 * 
 * `svc_source` in Terraform. */
export class Source extends TerraformResource {
  static readonly tfResourceType = 'svc_source'
  readonly #config: SourceConfig

  constructor(scope: Construct, id: string, config: SourceConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_source',
      terraformGeneratorMetadata: { providerName: 'svc', providerVersion: '0.2.0' },
      ...metaArguments(config),
    })
    this.#config = config
  }

  /** Its identity, by which it is imported: `<name>`. */
  get id(): string {
    return this.getStringAttribute('id')
  }

  /** Its name, by which everything in it names it. */
  get name(): string {
    return this.getStringAttribute('name')
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

  /** Any number; a change sends `database_url_wo` again. */
  get databaseUrlWoVersion(): number {
    return this.getNumberAttribute('database_url_wo_version')
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

  /** Whether what lies in it goes with it when it is deleted, though no resource deletes it. Without it such a delete is refused. Applied before the delete. */
  get forceDestroy(): IResolvable {
    return this.getBooleanAttribute('force_destroy')
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return toTerraform(inputs, this.#config)
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return toHcl(inputs, this.#config)
  }
}
