/** Settings of the whole server: limits, metrics, TLS, telemetry, introspection (reference/metadata-operations#roles-limits-telemetry). */
import {
  address,
  addTlsHostArgs,
  type DropTlsHostArgs,
  dropTlsHostArgs,
  findObject,
  isRecord,
  type Json,
  type JsonObject,
  type MetadataDocument,
  noArgs,
  type ObjectType,
  ownKey,
  type Schema,
  setApiLimitsArgs,
  setIntrospectionOptionsArgs,
  setMetricsConfigArgs,
  setOpentelemetryConfigArgs,
  setOpentelemetryStatusArgs,
} from '@svc/schema'
import type { Path } from '../../errors.ts'
import { withoutObject, withSetting } from '../change-object.ts'
import { withoutAbsent } from '../find-table.ts'
import { type Applied, defineOperation, type Operation } from '../operation.ts'

type Singleton = Extract<
  ObjectType,
  'api_limits' | 'metrics_config' | 'opentelemetry' | 'network' | 'graphql_schema_introspection'
>

const addressOf = (type: Singleton) => address(type, ownKey(type, {}))

/** `set_…`: replaces the whole. */
const set = <Args>(name: string, type: Singleton, args: Schema<Args>, check: 'no-new' | 'object' = 'no-new') =>
  defineOperation<Args>({
    type: name,
    args,
    check,
    apply: (document, value) => withSetting(document, addressOf(type), value as JsonObject),
  })

/** `remove_…`: as if it had never been set. */
const remove = (name: string, type: Singleton): Operation =>
  defineOperation({
    type: name,
    args: noArgs,
    check: 'no-new',
    apply: (document) => withoutObject(document, addressOf(type)),
  })

const setOpentelemetryStatus = defineOperation({
  type: 'set_opentelemetry_status',
  args: setOpentelemetryStatusArgs,
  check: 'object',
  apply(document, status) {
    const value = findObject(document, addressOf('opentelemetry'))?.value ?? emptyOpentelemetry
    return withSetting(document, addressOf('opentelemetry'), { ...value, status })
  },
})

const emptyOpentelemetry: JsonObject = {
  status: 'disabled',
  data_types: [],
  exporter_otlp: { protocol: 'http/protobuf', headers: [], resource_attributes: [], traces_propagators: [] },
  batch_span_processor: { max_export_batch_size: 512 },
}

/** Hosts whose certificates are trusted although no authority vouches for them, in the order they were added. */
function tlsHosts(document: MetadataDocument): readonly JsonObject[] {
  const list = findObject(document, addressOf('network'))?.value.tls_allowlist
  return Array.isArray(list) ? (list as readonly Json[]).filter(isRecord) : []
}

const isHost =
  ({ host, suffix }: DropTlsHostArgs) =>
  (entry: JsonObject): boolean =>
    entry.host === host && (entry.suffix ?? null) === (suffix ?? null)

const hostText = ({ host, suffix }: DropTlsHostArgs) =>
  suffix === undefined ? `"${host}"` : `"${host}" with suffix "${suffix}"`

const putHosts = (document: MetadataDocument, hosts: readonly JsonObject[]): Applied =>
  withSetting(document, addressOf('network'), {
    ...findObject(document, addressOf('network'))?.value,
    tls_allowlist: hosts,
  })

function refuseEmptyHost({ host }: DropTlsHostArgs, path: Path): void {
  if (host === '') throw path.error('bad-request', 'the host must not be empty', 'host')
}

/** add_host_to_tls_allowlist. bad-request for an empty host, already-exists for the same host and suffix. */
const addTlsHost = defineOperation({
  type: 'add_host_to_tls_allowlist',
  args: addTlsHostArgs,
  check: 'no-new',
  apply(document, args, path) {
    refuseEmptyHost(args, path)
    const hosts = tlsHosts(document)
    if (hosts.some(isHost(args)))
      throw path.error('already-exists', `the host ${hostText(args)} is already in the TLS allow-list`, 'host')
    const { host, suffix, permissions } = args
    return putHosts(document, [...hosts, withoutAbsent({ host, suffix, permissions })])
  },
})

/** drop_host_from_tls_allowlist. not-exists. */
const dropTlsHost = defineOperation({
  type: 'drop_host_from_tls_allowlist',
  args: dropTlsHostArgs,
  check: 'no-new',
  apply(document, args, path) {
    refuseEmptyHost(args, path)
    const hosts = tlsHosts(document)
    if (!hosts.some(isHost(args)))
      throw path.error('not-exists', `the host ${hostText(args)} is not in the TLS allow-list`, 'host')
    return putHosts(
      document,
      hosts.filter((entry) => !isHost(args)(entry)),
    )
  },
})

export const serverSettingsOperations: readonly Operation[] = [
  set('set_api_limits', 'api_limits', setApiLimitsArgs),
  remove('remove_api_limits', 'api_limits'),
  set('set_metrics_config', 'metrics_config', setMetricsConfigArgs),
  remove('remove_metrics_config', 'metrics_config'),
  set('set_graphql_schema_introspection_options', 'graphql_schema_introspection', setIntrospectionOptionsArgs),
  set('set_opentelemetry_config', 'opentelemetry', setOpentelemetryConfigArgs, 'object'),
  setOpentelemetryStatus,
  addTlsHost,
  dropTlsHost,
]
