/** What `serve` does with requests. */
import { emptyDocument, type MetadataDocument } from '@svc/schema'
import { configurableLogTypes, logFormats, logLevels } from '../observe/index.ts'
import { type CorsDomains, parseCorsDomains } from './cors.ts'
import { readHeaderPrefix } from './header-prefix.ts'
import { parseMetadataDefaults } from './metadata-defaults.ts'
import { sourceSettings } from './settings-sources.ts'
import { choice, choices, integer, optionalInteger, readBy, text, toggle } from './value-kinds.ts'

const apiGroups = ['metadata', 'graphql', 'pgdump', 'config', 'developer', 'metrics'] as const
export type ApiGroup = (typeof apiGroups)[number]

const experimentalWords = [
  'inherited_roles',
  'streaming_subscriptions',
  'optimize_permission_filters',
  'naming_convention',
  'apollo_federation',
  'hide_update_many_fields',
  'hide_aggregation_predicates',
  'hide_stream_fields',
  'bigquery_string_numeric_input',
  'group_by_aggregations',
  'disable_postgres_arrays',
  'no_null_unbound_variable_default',
  'remove_empty_subscription_responses',
] as const

/** The reference spells the first hasura-default. */
function readNamingConvention(given: string) {
  if (given === 'svc-default' || given === 'hasura-default') return 'svc-default'
  if (given === 'graphql-default') return given
  throw new Error(`expected svc-default, graphql-default, but got "${given}"`)
}

export const serveSettings = {
  serverPort: integer(8080, { most: 65535, help: 'Port to listen on; 0 takes a free one.' }),
  serverHost: text({
    placeholder: 'ADDRESS',
    shownDefault: '*, without an admin secret 127.0.0.1',
    help: 'Address to listen on. Without an admin secret only the loopback address is used unless this is given.',
  }),
  tlsCertFile: text({ placeholder: 'FILE', help: 'Certificate (chain) in PEM: HTTPS is served instead of HTTP.' }),
  tlsKeyFile: text({ placeholder: 'FILE', help: 'Private key of the certificate in PEM.' }),
  headerPrefix: readBy(readHeaderPrefix, 'x-svc-', {
    placeholder: 'PREFIX',
    shownDefault: 'X-Svc-',
    help: 'Prefix of session variables and of the engine’s headers, such as X-Hasura-. X-Svc- is accepted too; what the engine sends has this one.',
  }),
  workers: integer(1, {
    most: 256,
    help: 'Processes that serve the port together; 0: as many as there are cores. Limits and pool sizes are those of all of them.',
  }),
  referenceAnswers: toggle(false, {
    help: 'Answer in the forms of the reference engine where they differ (docs/migration.md).',
  }),
  adminSecret: text({ secret: true, help: 'Secret that X-Svc-Admin-Secret must carry.' }),
  adminSecrets: readBy(readSecrets, [], {
    secret: true,
    placeholder: 'JSON',
    help: 'Several of them: a JSON array of texts.',
  }),
  accessKey: text({ secret: true, help: 'Old name of admin-secret.' }),
  unauthorizedRole: text({ help: 'Role of requests without credentials, which are refused without it.' }),
  authHook: text({ secret: true, placeholder: 'URL', help: 'Webhook that authenticates each request.' }),
  authHookMode: choice(['GET', 'POST'], 'GET', { help: 'Method of the authentication webhook.' }),
  authHookSendRequestBody: toggle(true, { help: 'Send the GraphQL request to the authentication webhook (POST).' }),
  jwtSecret: text({
    secret: true,
    placeholder: 'JSON',
    help: 'How JSON web tokens are verified: a JSON object with a key or a jwk_url.',
  }),
  jwtSecrets: text({ secret: true, placeholder: 'JSON', help: 'Several of them: a JSON array, chosen by issuer.' }),
  corsDomain: readBy<CorsDomains>(
    parseCorsDomains,
    { kind: 'any' },
    {
      shownDefault: '*, without an admin secret pages of this machine',
      placeholder: 'DOMAINS',
      help: 'Origins whose pages may read answers: * or a comma-separated list of scheme://[*.]host[:port].',
    },
  ),
  disableCors: toggle(false, { help: 'Send no CORS headers.' }),
  preserve401Errors: toggle(false, {
    flag: 'preserve-401-errors',
    env: 'PRESERVE_401_ERRORS',
    help: 'Answer missing or wrong credentials with 401 on GraphQL endpoints too.',
  }),
  enableConsole: toggle(false, {
    help: 'Serve the console, a page to show everything and to try operations, on /console.',
  }),
  consoleAssetsDir: text({ placeholder: 'DIRECTORY', help: 'Directory whose files /console/assets/ serves.' }),
  metricsSecret: text({
    secret: true,
    help: 'Bearer token that /v1/metrics requires; the admin secret where there is none.',
  }),
  enabledApis: choices(apiGroups, ['metadata', 'graphql', 'pgdump', 'config'], { help: 'APIs to serve.' }),
  ...sourceSettings,
  stringifyNumericTypes: toggle(false, { help: 'Answer numeric, bigint and double precision as strings.' }),
  disableNativeQueryValidation: toggle(false, {
    help: 'Serve native queries whatever the database says of their SQL.',
  }),
  inferFunctionPermissions: toggle(true, { help: "Roles that may select a function's table may call the function." }),
  v1BooleanNullCollapse: toggle(false, {
    flag: 'v1-boolean-null-collapse',
    env: 'V1_BOOLEAN_NULL_COLLAPSE',
    help: 'A null operand in where counts as true, as in version 1.',
  }),
  nullInNonnullableVariables: toggle(false, {
    env: 'BACKWARDS_COMPAT_NULL_IN_NONNULLABLE_VARIABLES',
    help: 'Take null for variables that must not be null.',
  }),
  devMode: toggle(false, { help: 'Show internals of errors to every role.' }),
  adminInternalErrors: toggle(true, { help: 'Show internals of errors to the role admin.' }),
  enabledLogTypes: choices(
    configurableLogTypes,
    ['startup', 'http-log', 'webhook-log', 'websocket-log', 'jwk-refresh-log'],
    {
      help: 'Configurable log types to print.',
    },
  ),
  logLevel: choice(logLevels, 'info', {
    help: 'Print log lines of this level and above; debug prints every observation.',
  }),
  logFormat: choice(logFormats, 'json', {
    help: 'One JSON object a line; or text, for people at a terminal.',
  }),
  enableMetadataQueryLogging: toggle(false, { help: 'With query-log on: metadata requests in full as well.' }),
  httpLogOneIn: integer(1, {
    help: 'Of requests that neither fail nor are slow, one in so many is in http-log; 0: none.',
  }),
  httpLogSlow: optionalInteger({
    placeholder: 'MILLISECONDS',
    help: 'Requests that take so long are always in http-log.',
  }),
  logProbes: toggle(false, { help: 'Log and trace requests to /healthz, /readyz and /v1/version that do not fail.' }),
  httpLogQueryOnlyOnError: toggle(false, { help: 'Requests in full only when they fail.' }),
  logMaskedVariables: readBy<ReadonlySet<string>>(readNames, new Set(), {
    placeholder: 'NAMES',
    help: 'Session variables and variables of GraphQL whose values no log shows: a comma-separated list.',
  }),
  enableMaintenanceMode: toggle(false, {
    help: 'Refuse changes of metadata, and serve a catalogue of an older version as it is.',
  }),
  enableReadOnlyMode: toggle(false, { help: 'Refuse changes of metadata.' }),
  metadataDefaults: readBy<MetadataDocument>(parseMetadataDefaults, emptyDocument, {
    placeholder: 'JSON',
    shownDefault: '{}',
    help: 'Values of api_limits, opentelemetry and network that apply where metadata has none; never exported.',
  }),
  schemaSyncPollInterval: integer(1000, {
    help: 'Check for changes by other instances every so many milliseconds, in addition to notifications; 0: never.',
  }),
  shutdownDelay: integer(0, {
    help: 'Seconds after a signal to stop in which the engine still answers while /readyz says that it stops.',
  }),
  gracefulShutdownTimeout: integer(60, {
    help: 'Seconds that requests in flight may take once the engine stops.',
  }),
  maxBodySize: integer(268_435_456, { least: 1024, help: 'Bytes of the largest request body.' }),
  maxBodyValues: integer(5_000_000, {
    least: 1000,
    help: 'Values (members and entries counted) in the JSON of a request body, at most.',
  }),
  maxGraphqlValues: integer(100_000, {
    least: 1000,
    help: 'The same for requests of GraphQL and REST endpoints, which any role may send.',
  }),
  maxQuerySize: integer(1_048_576, {
    least: 1000,
    help: 'Characters of a GraphQL document, at most: it is parsed at once. Long values belong into variables.',
  }),
  maxQueryTokens: integer(100_000, { least: 100, help: 'Lexical tokens of a GraphQL document, at most.' }),
  maxQueryDepth: integer(200, {
    least: 10,
    most: 500,
    help: 'Levels that brackets, selections and values of a GraphQL document may have.',
  }),
  maxQuerySelections: integer(10_000, {
    least: 100,
    help: 'Fields that a GraphQL operation may select, aliases and those of each use of a fragment counted.',
  }),
  maxQueryInputs: integer(20_000, {
    least: 100,
    most: 30_000,
    help: 'Objects and list entries in the structured arguments of a GraphQL operation, at most.',
  }),
  maxQueryJoins: integer(500, {
    least: 10,
    most: 10_000,
    help: 'How often one root field may reach other tables, in fields, conditions and order; the database takes 0.15 ms to plan each. It may compare eight times as often.',
  }),
  maxJoinDepth: integer(10, {
    least: 1,
    most: 100,
    help: 'Remote relationships inside one another in a GraphQL operation: each level is one more round of requests.',
  }),
  maxJoinRows: integer(50_000, {
    least: 1,
    help: 'Different keys that one remote relationship of a GraphQL operation may send to another server or source.',
  }),
  maxValuesSize: integer(33_554_432, {
    least: 1024,
    help: 'Characters of all values that a GraphQL operation sends to the database, counted wherever they are used.',
  }),
  allowPrivateAddresses: toggle(true, {
    help: 'Requests that the engine makes (handlers, webhooks, remote schemas) may go to private, loopback and link-local addresses; false refuses them when connecting and in redirects.',
  }),
  maxWebhookResponseSize: integer(67_108_864, {
    least: 1024,
    help: 'Bytes of the largest response that the engine takes from a handler, webhook or remote schema.',
  }),
  configuredHeaderPrecedence: toggle(false, { help: "Configured headers of actions win over the client's." }),
  asyncActionsFetchInterval: integer(1000, {
    help: 'Check for asynchronous actions every so many milliseconds; 0: never.',
  }),
  asyncActionsFetchBatchSize: integer(10, {
    least: 1,
    help: 'Asynchronous actions whose handlers are called at once.',
  }),
  maxBatchSize: integer(1000, { least: 1, help: 'Operations of one batched GraphQL request, at most.' }),
  maxResponseSize: integer(1_073_741_824, { least: 1024, help: 'Bytes of the largest answer of GraphQL.' }),
  maxTotalHeaderLength: integer(1_048_576, { least: 1024, help: 'Bytes of all headers of a request.' }),
  serverTimeout: integer(30, {
    least: 1,
    help: 'Seconds that a client may take to send headers, or may read nothing of its answer; ten times that for a whole request.',
  }),
  defaultNamingConvention: readBy<'svc-default' | 'graphql-default'>(readNamingConvention, 'svc-default', {
    placeholder: 'svc-default|graphql-default',
    help: 'How sources name fields and types that say nothing of it; with the experimental feature naming_convention.',
  }),
  enableRelay: toggle(true, { help: "Serve Relay's schema on /v1beta1/relay." }),
  enableRemoteSchemaPermissions: toggle(false, {
    help: 'Roles see of remote schemas what they are permitted, not all.',
  }),
  remoteSchemaCheckAnswers: toggle(true, {
    help: 'What a remote schema answers otherwise than its own schema says fails the request.',
  }),
  remoteSchemaPrioritizeData: toggle(false, { help: 'Data of a remote schema wins over its errors.' }),
  remoteSchemaSkipNulls: toggle(false, {
    help: 'Send remote schemas no arguments and members of input objects that are null in the request.',
  }),
  enableAllowlist: toggle(false, { help: 'Answer roles only queries in collections of the allow-list.' }),
  enableApolloFederation: toggle(false, {
    help: 'Serve a subgraph of Apollo federation, as the experimental feature apollo_federation does.',
  }),
  eventsHttpPoolSize: integer(100, { least: 1, help: 'Deliveries of events at a time.' }),
  eventsFetchInterval: integer(1000, {
    help: 'Check for events every so many milliseconds, in addition to notifications; 0: no events are delivered.',
  }),
  eventsFetchBatchSize: integer(100, { help: 'Events fetched at once for a source; 0: no events are delivered.' }),
  disableEventing: toggle(false, { help: 'Deliver no events of event triggers and schedules.' }),
  eventingIdentity: text({
    placeholder: 'NAME',
    help: 'Name of this deployment: events are sent by the one that the catalogue knows, so not by a restored copy of another name.',
  }),
  enableTriggersErrorLogLevel: toggle(false, { help: 'Log failed deliveries of events with level error.' }),
  traceSqlQuery: toggle(false, {
    env: 'ENABLE_QUERY_TRACING',
    help: 'Statements of requests end with a comment that names their trace, svc_trace_id; none is kept prepared then.',
  }),
  changeLogSize: integer(100_000, { help: 'Rows of metadata history to keep.' }),
  auditLogSize: integer(100_000, {
    help: 'Requests to keep that changed metadata or were refused; 0: they are logged only.',
  }),
  usageDays: integer(30, {
    most: 3650,
    help: 'Days for which counts of requested operations are stored; 0: they are not counted.',
  }),
  usageOperations: integer(2000, {
    least: 1,
    most: 100_000,
    help: 'Operations that are counted by themselves; those beyond are counted together by role.',
  }),
  protectOwned: toggle(false, {
    help: 'Refuse changes of what another stack or directory owns, but for those who break the glass.',
  }),
  experimentalFeatures: choices(experimentalWords, [], {
    help: 'Experimental features to enable; the config API lists them.',
  }),
} as const

/** Names count in any case. */
function readNames(given: string): ReadonlySet<string> {
  return new Set(
    given
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== ''),
  )
}

function readSecrets(given: string): readonly string[] {
  const list: unknown = JSON.parse(given)
  if (!Array.isArray(list) || !list.every((item) => typeof item === 'string' && item !== ''))
    throw new Error('expected a JSON array of non-empty texts')
  return list as readonly string[]
}
