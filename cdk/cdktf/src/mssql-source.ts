// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, type TerraformMetaArguments, TerraformResource } from 'cdktf'
import type { Construct } from 'constructs'
import { type Inputs, metaArguments, toHcl, toTerraform } from './to-terraform.ts'
import type { MssqlConnection, MssqlPoolSettings, Timeouts } from './types.ts'

export interface MssqlSourceCustomizationRootFields {
  /** Field below which all root fields of the source stand. */
  readonly namespace?: string | undefined
  /** What root fields begin with. */
  readonly prefix?: string | undefined
  /** What root fields end with. */
  readonly suffix?: string | undefined
}

export interface MssqlSourceCustomizationTypeNames {
  /** What types begin with. */
  readonly prefix?: string | undefined
  /** What types end with. */
  readonly suffix?: string | undefined
}

export interface MssqlSourceCustomization {
  /** Names of the root fields. */
  readonly rootFields?: MssqlSourceCustomizationRootFields | IResolvable | undefined
  /** Names of the types. */
  readonly typeNames?: MssqlSourceCustomizationTypeNames | IResolvable | undefined
  /** How names of the database become names of GraphQL. */
  readonly namingConvention?: string | undefined
}

export interface MssqlSourceHealthCheckTest {
  /** Statement that has to succeed. Default: `"SELECT 1"`. */
  readonly sql?: string | undefined
}

export interface MssqlSourceHealthCheck {
  /** What is tried. */
  readonly test?: MssqlSourceHealthCheckTest | IResolvable | undefined
  /** Seconds between two checks. */
  readonly interval: number
  /** Tries before it counts as failed. Default: `3`. */
  readonly retries?: number | undefined
  /** Seconds between two tries. Default: `10`. */
  readonly retryInterval?: number | undefined
  /** Seconds a try may take. Default: `10`. */
  readonly timeout?: number | undefined
}

/** A SQL Server database whose tables the engine serves. What lies in it is declared as in any other source, by the `name` of this resource; tables without a schema lie in `dbo`. A new name makes a new source: everything that lies in the old one goes with it. */
export interface MssqlSourceConfig extends TerraformMetaArguments {
  /** Its name, by which everything in it names it. A change replaces. */
  readonly name: string
  /** ODBC connection string: `Server=tcp:db,1433;Database=shop;Uid=app;Pwd={…};Encrypt=yes`. */
  readonly connectionString?: string | undefined
  /** Variable of the engine's environment that holds the connection string. */
  readonly connectionStringFromEnv?: string | undefined
  /** Connection string that is stored in no state and no plan. Sent when the source is made and when `connection_string_wo_version` changes. Stored nowhere. */
  readonly connectionStringWo?: string | undefined
  /** Any number; a change sends `connection_string_wo` again. */
  readonly connectionStringWoVersion?: number | undefined
  /** Of transactions; `read-committed` if it is not given. One of `read-uncommitted`, `read-committed`, `repeatable-read`, `serializable`, `snapshot`. */
  readonly isolationLevel?: string | undefined
  /** Sizes and times of the pool. */
  readonly poolSettings?: MssqlPoolSettings | IResolvable | undefined
  /** Connections to copies of the database. They are kept; all requests use the database itself. */
  readonly readReplicas?: readonly (MssqlConnection | IResolvable)[] | IResolvable | undefined
  /** Names of root fields and types. */
  readonly customization?: MssqlSourceCustomization | IResolvable | undefined
  /** Checks at intervals whether the database answers. */
  readonly healthCheck?: MssqlSourceHealthCheck | IResolvable | undefined
  /** Whether what lies in it goes with it when it is deleted, though no resource deletes it. Without it such a delete is refused. Applied before the delete. */
  readonly forceDestroy?: boolean | IResolvable | undefined
  /** How long to wait for the engine. Without it the provider's `request_timeout` counts. */
  readonly timeouts?: Timeouts | IResolvable | undefined
}

const inputs: Inputs = {
  name: ['name', 'plain'],
  connectionString: ['connection_string', 'plain'],
  connectionStringFromEnv: ['connection_string_from_env', 'plain'],
  connectionStringWo: ['connection_string_wo', 'plain'],
  connectionStringWoVersion: ['connection_string_wo_version', 'plain'],
  isolationLevel: ['isolation_level', 'plain'],
  poolSettings: ['pool_settings', { object: {
    maxConnections: ['max_connections', 'plain'],
    totalMaxConnections: ['total_max_connections', 'plain'],
    idleTimeout: ['idle_timeout', 'plain'],
    enable: ['enable', 'plain'],
  } }],
  readReplicas: ['read_replicas', { each: { object: {
    connectionString: ['connection_string', 'plain'],
    connectionStringFromEnv: ['connection_string_from_env', 'plain'],
    isolationLevel: ['isolation_level', 'plain'],
    poolSettings: ['pool_settings', { object: {
      maxConnections: ['max_connections', 'plain'],
      totalMaxConnections: ['total_max_connections', 'plain'],
      idleTimeout: ['idle_timeout', 'plain'],
      enable: ['enable', 'plain'],
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

/** A SQL Server database whose tables the engine serves. What lies in it is declared as in any other source, by the `name` of this resource; tables without a schema lie in `dbo`. A new name makes a new source: everything that lies in the old one goes with it.
 * 
 * `svc_mssql_source` in Terraform. */
export class MssqlSource extends TerraformResource {
  static readonly tfResourceType = 'svc_mssql_source'
  readonly #config: MssqlSourceConfig

  constructor(scope: Construct, id: string, config: MssqlSourceConfig) {
    super(scope, id, {
      terraformResourceType: 'svc_mssql_source',
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

  /** ODBC connection string: `Server=tcp:db,1433;Database=shop;Uid=app;Pwd={…};Encrypt=yes`. */
  get connectionString(): string {
    return this.getStringAttribute('connection_string')
  }

  /** Variable of the engine's environment that holds the connection string. */
  get connectionStringFromEnv(): string {
    return this.getStringAttribute('connection_string_from_env')
  }

  /** Any number; a change sends `connection_string_wo` again. */
  get connectionStringWoVersion(): number {
    return this.getNumberAttribute('connection_string_wo_version')
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
