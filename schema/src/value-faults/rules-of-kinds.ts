/**
 * What every kind of object must be like so that an engine can serve it, beyond its shape: one line a rule. Metadata that is
 * imported or was stored before is read only by its shape (docs/metadata-api.md#values-that-cannot-be-served).
 */
import { defaultKind, kindOfSource } from '../backend-kind.ts'
import { isRecord } from '../shape.ts'
import {
  allowedRole,
  atLeast,
  countOf,
  databaseAddress,
  distinct,
  eachOf,
  enumValue,
  environmentName,
  eventTriggerNameCheck,
  graphqlIdentifier,
  graphqlNamePart,
  headerName,
  headerValue,
  hostName,
  httpMethod,
  odbcString,
  oneOfTexts,
  portSuffix,
  positive,
  roleName,
  webAddress,
  within,
  withoutSpaces,
} from './checks.ts'
import { all, at, atEach, type Rule } from './rule.ts'

const headersAt = (list: string): Rule =>
  all([
    at(`${list}.*.name`, headerName),
    at(`${list}.*.value`, headerValue),
    at(`${list}.*.value_from_env`, environmentName),
  ])

/** The transforms of a webhook; `within` ends with a dot, or is empty. */
const transformsIn = (inside: string): Rule =>
  all([
    at(`${inside}request_transform.method`, httpMethod),
    atEach(
      [`${inside}request_transform.template_engine`, `${inside}response_transform.template_engine`],
      oneOfTexts('Kriti'),
    ),
    at(`${inside}request_transform.request_headers.add_headers.@`, headerName),
    at(`${inside}request_transform.request_headers.remove_headers.*`, headerName),
  ])

/** Columns that are set by the engine are no columns that a client may set. */
const presetsApart: Rule = ({ permission }) => {
  if (!isRecord(permission) || !Array.isArray(permission.columns) || !isRecord(permission.set)) return []
  const { columns, set } = permission
  return Object.keys(set)
    .filter((column) => columns.includes(column))
    .map((column) => ({
      path: ['permission', 'set', column],
      message: `the column "${column}" is preset and can be set by clients: only one of both`,
    }))
}

export const writePermissionRule: Rule = all([
  at('role', allowedRole),
  presetsApart,
  at('permission.validate_input.definition.url', webAddress),
  at('permission.validate_input.definition.timeout', positive),
  headersAt('permission.validate_input.definition.headers'),
])

const notTheRoleItself: Rule = ({ role_name, role_set }) => {
  const place = Array.isArray(role_set) ? role_set.indexOf(role_name) : -1
  return place < 0 ? [] : [{ path: ['role_set', place], message: 'is the role itself' }]
}

const somethingCaptured: Rule = ({ definition }) =>
  isRecord(definition) && !definition.insert && !definition.update && !definition.delete && !definition.enable_manual
    ? [{ path: ['definition'], message: 'one of `insert`, `update`, `delete`, `enable_manual` must be given' }]
    : []

const limits = ['depth_limit', 'node_limit', 'batch_limit'].flatMap((limit) => [
  `${limit}.global`,
  `${limit}.per_role.*`,
])

const connection = (inside: string): Rule =>
  all([
    at(`${inside}database_url`, databaseAddress),
    at(`${inside}database_url.from_env`, environmentName),
    at(`${inside}database_url.connection_parameters.port`, within(1, 65535)),
    atEach([`${inside}pool_settings.max_connections`, `${inside}pool_settings.total_max_connections`], atLeast(1)),
    atEach(
      [
        `${inside}pool_settings.idle_timeout`,
        `${inside}pool_settings.retries`,
        `${inside}pool_settings.connection_lifetime`,
      ],
      atLeast(0),
    ),
    at(`${inside}pool_settings.pool_timeout`, positive),
    at(
      `${inside}ssl_configuration.sslmode`,
      oneOfTexts('disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'),
    ),
    ...['sslrootcert', 'sslcert', 'sslkey', 'sslpassword'].map((key) =>
      at(`${inside}ssl_configuration.${key}.from_env`, environmentName),
    ),
  ])

const usualSource: Rule = all([
  at('customization.root_fields.namespace', graphqlIdentifier),
  at('health_check.interval', positive),
  atEach(['health_check.retries', 'health_check.retry_interval'], atLeast(0)),
  at('health_check.timeout', positive),
])

const defaultSource: Rule = all([
  connection('configuration.connection_info.'),
  connection('configuration.read_replicas.*.'),
  connection('configuration.connection_set.*.connection_info.'),
  usualSource,
])

const mssqlConnection = (inside: string): Rule =>
  all([
    at(`${inside}connection_string`, odbcString),
    at(`${inside}connection_string.from_env`, environmentName),
    at(`${inside}pool_settings.idle_timeout`, countOf),
  ])

const mssqlSource: Rule = all([
  mssqlConnection('configuration.connection_info.'),
  mssqlConnection('configuration.read_replicas.*.'),
  usualSource,
])

const fromVariables = [
  'service_account',
  'project_id',
  'datasets',
  'global_select_limit',
  'retry_limit',
  'retry_base_delay',
  'maximum_bytes_billed',
].map((name) => `configuration.${name}.from_env`)

const bigquerySource: Rule = all([
  atEach(fromVariables, environmentName),
  at('configuration.project_id', withoutSpaces),
  // a variable may stand in place of the list
  at('configuration.datasets', eachOf(withoutSpaces)),
  usualSource,
])

const ruleBySourceKind: ReadonlyMap<string, Rule> = new Map([
  [defaultKind, defaultSource],
  ['mssql', mssqlSource],
  ['bigquery', bigquerySource],
])

/** Kinds of source that this version does not serve have rules of their own. */
export const sourceRule: Rule = (value) => ruleBySourceKind.get(kindOfSource(value))?.(value) ?? []

export const relationshipRule: Rule = at('name', graphqlIdentifier)

export const tableRule: Rule = all([
  at('configuration.custom_name', graphqlIdentifier),
  at('configuration.custom_root_fields.*', graphqlIdentifier),
  at('configuration.custom_root_fields.*.name', graphqlIdentifier),
  at('configuration.column_config.*.custom_name', graphqlIdentifier),
])

export const selectPermissionRule: Rule = all([at('role', allowedRole), at('permission.limit', atLeast(0))])

export const eventTriggerRule: Rule = all([
  at('name', eventTriggerNameCheck),
  somethingCaptured,
  at('webhook', webAddress),
  at('webhook_from_env', environmentName),
  headersAt('headers'),
  atEach(['retry_conf.num_retries', 'retry_conf.interval_sec'], atLeast(0)),
  at('retry_conf.timeout_sec', atLeast(1)),
  transformsIn(''),
  at('cleanup_config.clear_older_than', atLeast(0)),
  atEach(['cleanup_config.batch_size', 'cleanup_config.timeout'], atLeast(1)),
])

export const functionRule: Rule = all([
  at('configuration.custom_name', graphqlIdentifier),
  at('configuration.custom_root_fields.*', graphqlIdentifier),
])

export const functionPermissionRule: Rule = at('role', allowedRole)

export const nativeQueryRule: Rule = all([
  at('root_field_name', graphqlIdentifier),
  at('arguments.@', graphqlIdentifier),
  atEach(['object_relationships.*.name', 'array_relationships.*.name'], graphqlIdentifier),
])

export const logicalModelRule: Rule = all([
  at('name', graphqlIdentifier),
  at('fields.*.name', graphqlIdentifier),
  at('fields', distinct('name')),
])

export const logicalModelSelectPermissionRule: Rule = at('role', allowedRole)

export const remoteSchemaRule: Rule = all([
  at('definition.url', webAddress),
  at('definition.url_from_env', environmentName),
  headersAt('definition.headers'),
  at('definition.timeout_seconds', atLeast(1)),
  at('definition.customization.root_fields_namespace', graphqlIdentifier),
  at('definition.customization.type_names.prefix', graphqlIdentifier),
  at('definition.customization.type_names.suffix', graphqlNamePart),
  at('definition.customization.type_names.mapping.*', graphqlIdentifier),
  at('definition.customization.field_names.*.prefix', graphqlIdentifier),
  at('definition.customization.field_names.*.suffix', graphqlNamePart),
  at('definition.customization.field_names.*.mapping.*', graphqlIdentifier),
])

export const remoteSchemaPermissionRule: Rule = at('role', allowedRole)

export const queryCollectionRule: Rule = at('definition.queries', distinct('name'))

export const allowlistRule: Rule = at('scope.roles.*', roleName)

export const actionRule: Rule = all([
  at('name', graphqlIdentifier),
  at('definition.handler', webAddress),
  at('definition.timeout', atLeast(1)),
  at('definition.arguments.*.name', graphqlIdentifier),
  at('definition.arguments', distinct('name')),
  headersAt('definition.headers'),
  at('definition.ignored_client_headers.*', headerName),
  transformsIn('definition.'),
])

export const actionPermissionRule: Rule = at('role', allowedRole)

export const customTypesRule: Rule = all([
  ...['input_objects', 'objects', 'scalars', 'enums'].flatMap((list) => [
    at(`${list}.*.name`, graphqlIdentifier),
    at(`${list}.*.fields.*.name`, graphqlIdentifier),
    at(`${list}.*.fields`, distinct('name')),
  ]),
  at('objects.*.relationships.*.name', graphqlIdentifier),
  at('enums.*.values.*.value', enumValue),
  at('enums.*.values', distinct('value')),
])

export const cronTriggerRule: Rule = all([
  at('webhook', webAddress),
  at('webhook.from_env', environmentName),
  headersAt('headers'),
  atEach(['retry_conf.num_retries', 'retry_conf.retry_interval_seconds', 'retry_conf.tolerance_seconds'], atLeast(0)),
  at('retry_conf.timeout_seconds', atLeast(1)),
  transformsIn(''),
])

export const apiLimitsRule: Rule = all([
  atEach(limits, atLeast(1)),
  atEach(['time_limit.global', 'time_limit.per_role.*'], positive),
  atEach(['rate_limit.global.max_reqs_per_min', 'rate_limit.per_role.*.max_reqs_per_min'], atLeast(1)),
  ...['depth_limit', 'node_limit', 'batch_limit', 'time_limit', 'rate_limit'].map((limit) =>
    at(`${limit}.per_role.@`, roleName),
  ),
])

export const inheritedRoleRule: Rule = all([at('role_name', allowedRole), at('role_set.*', roleName), notTheRoleItself])

export const graphqlSchemaIntrospectionRule: Rule = at('disabled_for_roles.*', roleName)

export const networkRule: Rule = all([at('tls_allowlist.*.host', hostName), at('tls_allowlist.*.suffix', portSuffix)])

export const opentelemetryRule: Rule = all([
  atEach(
    ['traces', 'metrics', 'logs'].map((signal) => `exporter_otlp.otlp_${signal}_endpoint`),
    webAddress,
  ),
  at('exporter_otlp.protocol', oneOfTexts('http/protobuf')),
  at('batch_span_processor.max_export_batch_size', atLeast(1)),
])
