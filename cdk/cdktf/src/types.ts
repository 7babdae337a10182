// Made from the declarations by `npm run cdk`: do not edit.

import type { IResolvable } from 'cdktf'

export interface SourceConnectionParameters {
  /** User of the database. */
  readonly username: string
  /** Password of that user. */
  readonly password?: string | undefined
  /** Host of the database. */
  readonly host: string
  /** Port of the database. */
  readonly port: number
  /** Name of the database. */
  readonly database: string
}

export interface SourcePoolSettings {
  /** Most connections of one instance of the engine. */
  readonly maxConnections?: number | undefined
  /** Most connections of all instances together. */
  readonly totalMaxConnections?: number | undefined
  /** Seconds after which an idle connection is closed. */
  readonly idleTimeout?: number | undefined
  /** How often a connection is tried again. */
  readonly retries?: number | undefined
  /** Seconds to wait for a free connection. */
  readonly poolTimeout?: number | undefined
  /** Seconds after which a connection is replaced; 0: never. */
  readonly connectionLifetime?: number | undefined
}

export interface SourceSslConfigurationSslrootcert {
  /** Name of a variable of the engine's environment. */
  readonly fromEnv: string
}

export interface SourceSslConfigurationSslcert {
  /** Name of a variable of the engine's environment. */
  readonly fromEnv: string
}

export interface SourceSslConfigurationSslkey {
  /** Name of a variable of the engine's environment. */
  readonly fromEnv: string
}

export interface SourceSslConfigurationSslpassword {
  /** Name of a variable of the engine's environment. */
  readonly fromEnv: string
}

export interface SourceSslConfiguration {
  /** As in a connection string: `disable`, `require`, `verify-full` … */
  readonly sslmode: string
  /** Certificates to trust. */
  readonly sslrootcert?: SourceSslConfigurationSslrootcert | IResolvable | undefined
  /** The client's certificate. */
  readonly sslcert?: SourceSslConfigurationSslcert | IResolvable | undefined
  /** The key of the client's certificate. */
  readonly sslkey?: SourceSslConfigurationSslkey | IResolvable | undefined
  /** The password of that key. */
  readonly sslpassword?: SourceSslConfigurationSslpassword | IResolvable | undefined
}

export interface SourceConnection {
  /** Connection string. May name variables of the engine: `{{PG_URL}}`. */
  readonly databaseUrl?: string | undefined
  /** Variable of the engine's environment that holds the connection string. */
  readonly databaseUrlFromEnv?: string | undefined
  /** File on the machine of the engine that holds the connection string and may change. */
  readonly databaseUrlFromFile?: string | undefined
  /** The connection string in parts. */
  readonly connectionParameters?: SourceConnectionParameters | IResolvable | undefined
  /** Of transactions. One of `read-committed`, `repeatable-read`, `serializable`. Default: `"read-committed"`. */
  readonly isolationLevel?: string | undefined
  /** Sizes and times of the pool. */
  readonly poolSettings?: SourcePoolSettings | IResolvable | undefined
  /** TLS to the database. */
  readonly sslConfiguration?: SourceSslConfiguration | IResolvable | undefined
  /** Whether statements are prepared. Default: `false`. */
  readonly usePreparedStatements?: boolean | IResolvable | undefined
}

export interface SourceConnectionMember {
  /** Its name: `{{$.connection_set.NAME}}`. */
  readonly name: string
  /** Where it leads. */
  readonly connectionInfo: SourceConnection | IResolvable
}

export interface Timeouts {
  /** For the create, as in `30s` or `2m`. */
  readonly create?: string | undefined
  /** For the update, as in `30s` or `2m`. */
  readonly update?: string | undefined
  /** For the delete, as in `30s` or `2m`. */
  readonly delete?: string | undefined
}

export interface MssqlPoolSettings {
  /** Most connections of one instance of the engine; 50 if it is not given. */
  readonly maxConnections?: number | undefined
  /** Most connections of all instances together. */
  readonly totalMaxConnections?: number | undefined
  /** Seconds after which an idle connection is closed; 5 if it is not given. */
  readonly idleTimeout?: number | undefined
  /** False: each transaction opens a connection of its own. */
  readonly enable?: boolean | IResolvable | undefined
}

export interface MssqlConnection {
  /** Connection string. */
  readonly connectionString?: string | undefined
  /** Variable of the engine's environment that holds the connection string. */
  readonly connectionStringFromEnv?: string | undefined
  /** Of transactions; `read-committed` if it is not given. One of `read-uncommitted`, `read-committed`, `repeatable-read`, `serializable`, `snapshot`. */
  readonly isolationLevel?: string | undefined
  /** Sizes and times of the pool. */
  readonly poolSettings?: MssqlPoolSettings | IResolvable | undefined
}

export interface TableName {
  /** Schema in the database; `public` if it is not given, `dbo` on SQL Server. Default: `"public"`. */
  readonly schema?: string | undefined
  /** Dataset of BigQuery, in place of a schema. */
  readonly dataset?: string | undefined
  /** Name in the database. */
  readonly name: string
}

export interface RootField {
  /** Its name. */
  readonly name?: string | undefined
  /** Description of the field in GraphQL; empty: none. */
  readonly comment?: string | undefined
}

export interface RemoteForeignKey {
  /** The other table, best as an output of it. */
  readonly table: TableName | IResolvable
  /** Its columns that have the foreign key. */
  readonly columns: readonly string[]
}

export interface ManualConfiguration {
  /** The other table, best as an output of it. */
  readonly remoteTable: TableName | IResolvable
  /** Columns of this table, and those of the other one that they equal. */
  readonly columnMapping: Readonly<Record<string, string>> | IResolvable
  /** When the other row of a nested insert is inserted. One of `before_parent`, `after_parent`. */
  readonly insertionOrder?: string | undefined
}

export interface FunctionName {
  /** Schema in the database; `public` if it is not given, `dbo` on SQL Server. Default: `"public"`. */
  readonly schema?: string | undefined
  /** Dataset of BigQuery, in place of a schema. */
  readonly dataset?: string | undefined
  /** Name in the database. */
  readonly name: string
}

export interface NativeQueryRelationship {
  /** Its name, which is also its field. */
  readonly name: string
  /** The table it leads to. Either this or `remote_native_query`. */
  readonly remoteTable?: TableName | IResolvable | undefined
  /** The native query it leads to. Either this or `remote_table`. */
  readonly remoteNativeQuery?: string | undefined
  /** Fields of a row, and the columns on the other side that they equal. */
  readonly columnMapping: Readonly<Record<string, string>> | IResolvable
  /** For people who read the metadata. */
  readonly comment?: string | undefined
}

export interface StoredProcedureName {
  /** Schema in the database; `dbo` if it is not given. Default: `"dbo"`. */
  readonly schema?: string | undefined
  /** Name in the database. */
  readonly name: string
}

export interface OutgoingHeader {
  /** Its name. */
  readonly name: string
  /** What it says. Either this or `value_from_env`. */
  readonly value?: string | undefined
  /** Variable of the engine's environment that holds what it says. Either this or `value`. */
  readonly valueFromEnv?: string | undefined
}

export interface InputValidation {
  /** Address of the webhook. May name variables of the engine: `{{CHECKS_URL}}`. */
  readonly url: string
  /** Headers it is called with. */
  readonly headers?: readonly (OutgoingHeader | IResolvable)[] | IResolvable | undefined
  /** Seconds it may take. Default: `10`. */
  readonly timeout?: number | undefined
  /** Whether it gets the headers of the client's request. Default: `false`. */
  readonly forwardClientHeaders?: boolean | IResolvable | undefined
}

export interface RemoteTypeNames {
  /** What stands before the names of types. */
  readonly prefix?: string | undefined
  /** What stands after the names of types. */
  readonly suffix?: string | undefined
  /** New names of single types, by the names that the server gives them. */
  readonly mapping?: Readonly<Record<string, string>> | IResolvable | undefined
}

export interface RemoteFieldNames {
  /** The type that has the fields, by the name that the server gives it. */
  readonly parentType: string
  /** What stands before the names of its fields. */
  readonly prefix?: string | undefined
  /** What stands after the names of its fields. */
  readonly suffix?: string | undefined
  /** New names of single fields, by the names that the server gives them. */
  readonly mapping?: Readonly<Record<string, string>> | IResolvable | undefined
}

export interface RemoteSchemaCustomization {
  /** A field in which all root fields of the server are. */
  readonly rootFieldsNamespace?: string | undefined
  /** Names of its types. */
  readonly typeNames?: RemoteTypeNames | IResolvable | undefined
  /** Names of fields of its types. */
  readonly fieldNames?: readonly (RemoteFieldNames | IResolvable)[] | IResolvable | undefined
}

export interface RemoteRelationshipToSource {
  /** Whether it leads to one row or to a list. One of `object`, `array`. */
  readonly relationshipType: string
  /** Source of the table, best as an output of it. */
  readonly source: string
  /** The table it leads to, best as an output of it. */
  readonly table: TableName | IResolvable
  /** Columns of the table that it leads from, or fields of the type, and the columns of the other table that they equal. */
  readonly fieldMapping: Readonly<Record<string, string>> | IResolvable
}

export interface RemoteRelationshipToRemoteSchema {
  /** Name of the remote schema, best as an output of it. */
  readonly remoteSchema: string
  /** What its arguments use: columns or computed fields of the table that it leads from, or fields of the type. */
  readonly lhsFields: readonly string[]
  /** The path from the query root to the field, as JSON: `{"user": {"arguments": {"id": "$id"}}}`. A text that begins with `$` is the value of one of `lhs_fields`. Any value, or a text of JSON. */
  readonly remoteField: unknown
}

export interface CollectionQuery {
  /** Its name in the collection. */
  readonly name: string
  /** The GraphQL document: an operation, and fragments that it uses. */
  readonly query: string
}

export interface CapturedColumns {
  /** All columns, also those that the table gets later. Either this or `columns`. Default: `false`. */
  readonly allColumns?: boolean | IResolvable | undefined
  /** Columns: an update is an event when one of these changes. Inserts and deletes always are. */
  readonly columns?: readonly string[] | undefined
  /** Columns that the event holds. Without it all of them. */
  readonly payload?: readonly string[] | undefined
}

export interface EventRetry {
  /** How often a failed delivery is tried again. Default: `0`. */
  readonly numRetries?: number | undefined
  /** Seconds between two tries. Default: `10`. */
  readonly intervalSec?: number | undefined
  /** Seconds a delivery may take. Default: `60`. */
  readonly timeoutSec?: number | undefined
  /** Whether it may take any time. Default: `false`. */
  readonly noTimeout?: boolean | IResolvable | undefined
}

export interface BodyTransform {
  /** What becomes of the body. One of `transform`, `remove`, `x_www_form_urlencoded`. Default: `"transform"`. */
  readonly action?: string | undefined
  /** Of `transform`: a template that yields the new body, as JSON. */
  readonly template?: string | undefined
  /** Of `x_www_form_urlencoded`: a template for each field of the form. */
  readonly formTemplate?: Readonly<Record<string, string>> | IResolvable | undefined
}

export interface RequestTransform {
  /** HTTP method in place of its own. */
  readonly method?: string | undefined
  /** Template of the whole URL. */
  readonly url?: string | undefined
  /** Templates of the query: values by keys. One that yields null is left out. */
  readonly queryParams?: Readonly<Record<string, string>> | IResolvable | undefined
  /** Keys of the query without a value, beside `query_params`. */
  readonly queryFlags?: readonly string[] | undefined
  /** One template of the whole query, in place of `query_params` and `query_flags`. */
  readonly queryTemplate?: string | undefined
  /** Templates of headers that are added, or take the place of those of their names. */
  readonly addHeaders?: Readonly<Record<string, string>> | IResolvable | undefined
  /** Headers that are not sent, before others are added. */
  readonly removeHeaders?: readonly string[] | undefined
  /** What becomes of the body. */
  readonly body?: BodyTransform | IResolvable | undefined
}

export interface ResponseTransform {
  /** What becomes of the body. */
  readonly body?: BodyTransform | IResolvable | undefined
}

export interface EventCleanup {
  /** When, in UTC: five fields as of cron. */
  readonly schedule: string
  /** Hours after which a delivered event is deleted. */
  readonly clearOlderThan: number
  /** How many are deleted at once. Default: `10000`. */
  readonly batchSize?: number | undefined
  /** Seconds that deleting may take. Default: `60`. */
  readonly timeout?: number | undefined
  /** Whether the logs of deliveries are deleted with them. Default: `false`. */
  readonly cleanInvocationLogs?: boolean | IResolvable | undefined
  /** Whether nothing is deleted for now. Default: `false`. */
  readonly paused?: boolean | IResolvable | undefined
}

export interface ScheduleRetry {
  /** How often a failed call is tried again. Default: `0`. */
  readonly numRetries?: number | undefined
  /** Seconds between two tries. Default: `10`. */
  readonly retryIntervalSeconds?: number | undefined
  /** Seconds a call may take. Default: `60`. */
  readonly timeoutSeconds?: number | undefined
  /** Seconds after which a call that is overdue is dropped. Default: `21600`. */
  readonly toleranceSeconds?: number | undefined
}

export interface CustomTypeField {
  /** Name of the field. */
  readonly name: string
  /** Its type, as GraphQL writes it: `[Item!]!`. Other custom types best as outputs of them. */
  readonly type: string
  /** Description of the field in GraphQL. */
  readonly description?: string | undefined
}

export interface CustomInputObject {
  /** Name of the type. */
  readonly name: string
  /** Description of the type in GraphQL. */
  readonly description?: string | undefined
  /** Its fields. */
  readonly fields: readonly (CustomTypeField | IResolvable)[] | IResolvable
}

export interface CustomTypeRelationship {
  /** Name of the relationship, which is also its field. */
  readonly name: string
  /** Whether it leads to one row or to a list. One of `object`, `array`. */
  readonly type: string
  /** Source of the table. Default: `"default"`. */
  readonly source?: string | undefined
  /** The table it leads to, best as an output of it. */
  readonly remoteTable: TableName | IResolvable
  /** Fields of the type, and the columns of the table that they equal. */
  readonly fieldMapping: Readonly<Record<string, string>> | IResolvable
}

export interface CustomObject {
  /** Name of the type. */
  readonly name: string
  /** Description of the type in GraphQL. */
  readonly description?: string | undefined
  /** Its fields. */
  readonly fields: readonly (CustomTypeField | IResolvable)[] | IResolvable
  /** What leads from it to rows of tables, by fields that hold values of columns. */
  readonly relationships?: readonly (CustomTypeRelationship | IResolvable)[] | IResolvable | undefined
}

export interface CustomScalar {
  /** Name of the type. */
  readonly name: string
  /** Description of the type in GraphQL. */
  readonly description?: string | undefined
}

export interface CustomEnumValue {
  /** Name of the value. */
  readonly value: string
  /** Description of the value in GraphQL. */
  readonly description?: string | undefined
  /** Whether clients should use another. Default: `false`. */
  readonly isDeprecated?: boolean | IResolvable | undefined
}

export interface CustomEnum {
  /** Name of the type. */
  readonly name: string
  /** Description of the type in GraphQL. */
  readonly description?: string | undefined
  /** Its values. */
  readonly values: readonly (CustomEnumValue | IResolvable)[] | IResolvable
}

export interface ActionArgument {
  /** Its name. */
  readonly name: string
  /** Its type, as GraphQL writes it: `[Item!]!`. */
  readonly type: string
  /** Its description in GraphQL. */
  readonly description?: string | undefined
}

export interface WholeLimit {
  /** For every role that has none of its own. */
  readonly global: number
  /** By role. */
  readonly perRole?: Readonly<Record<string, number>> | IResolvable | undefined
}

export interface TimeLimit {
  /** For every role that has none of its own. */
  readonly global: number
  /** By role. */
  readonly perRole?: Readonly<Record<string, number>> | IResolvable | undefined
}

export interface RequestRate {
  /** Requests a minute. */
  readonly maxReqsPerMin: number
  /** Whether each address of clients is counted for itself. Default: `false`. */
  readonly uniqueByIp?: boolean | IResolvable | undefined
  /** Session variables whose values are counted each for itself. */
  readonly uniqueParams?: readonly string[] | undefined
}

export interface RateLimit {
  /** For every role that has none of its own. */
  readonly global: RequestRate | IResolvable
  /** By role. */
  readonly perRole?: Readonly<Record<string, RequestRate | IResolvable>> | IResolvable | undefined
}

export interface ResourceAttribute {
  /** Its name. */
  readonly name: string
  /** What it says. */
  readonly value: string
}

export interface OtlpExporter {
  /** Where traces are sent. May name variables of the engine: `{{COLLECTOR_URL}}`. */
  readonly otlpTracesEndpoint?: string | undefined
  /** Where metrics are sent. May name variables of the engine: `{{COLLECTOR_URL}}`. */
  readonly otlpMetricsEndpoint?: string | undefined
  /** Where logs are sent. May name variables of the engine: `{{COLLECTOR_URL}}`. */
  readonly otlpLogsEndpoint?: string | undefined
  /** How it is sent. Default: `"http/protobuf"`. */
  readonly protocol?: string | undefined
  /** Headers it is sent with. */
  readonly headers?: readonly (OutgoingHeader | IResolvable)[] | IResolvable | undefined
  /** What is said of the engine itself. */
  readonly resourceAttributes?: readonly (ResourceAttribute | IResolvable)[] | IResolvable | undefined
  /** How traces are passed on, beside B3: `tracecontext`. */
  readonly tracesPropagators?: readonly string[] | undefined
}

export interface BatchSpanProcessor {
  /** Spans that are sent at once. Default: `512`. */
  readonly maxExportBatchSize?: number | undefined
}

export interface AccessScope {
  /** `read`: export and lists, for a drift check. `plan`: that and dry runs. `change`: that and operations that change metadata. `sql`: SQL on databases. `events`: logs and redelivery. `explain`: the SQL of a GraphQL request. One of `read`, `plan`, `change`, `sql`, `events`, `explain`. */
  readonly allow: string
  /** Of `change` and `sql`: what lies in these sources. */
  readonly sources?: readonly string[] | undefined
  /** Of `change`: objects of these kinds, by the names of the change log. */
  readonly kinds?: readonly string[] | undefined
  /** Of `change`: permissions of these roles. */
  readonly roles?: readonly string[] | undefined
}
