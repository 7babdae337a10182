/** Roles, limits and other settings of the whole server. */
import { asItem, type Document, type Item, isItem, items, named, present, remove } from '../plain-document.ts'
import { Refusal, type Rules } from '../rule.ts'

function put(document: Document, key: string, value: Item, isDefault: boolean): void {
  if (isDefault) delete document[key]
  else document[key] = value
}

const limitOf = (limit: unknown): unknown =>
  isItem(limit)
    ? present({ ...limit, per_role: Object.keys(asItem(limit.per_role)).length > 0 ? limit.per_role : undefined })
    : limit

function limitsOf(args: Item): Item {
  const limits = Object.entries(args).map(([key, limit]) => [key, limitOf(limit)])
  return present({ ...Object.fromEntries(limits), disabled: args.disabled === true ? true : undefined })
}

const emptyTelemetry: Item = {
  status: 'disabled',
  data_types: [],
  exporter_otlp: { protocol: 'http/protobuf', headers: [], resource_attributes: [], traces_propagators: [] },
  batch_span_processor: { max_export_batch_size: 512 },
}

function telemetryOf(args: Item): Item {
  const exporter = { ...asItem(emptyTelemetry.exporter_otlp), ...asItem(args.exporter_otlp) }
  const batch = { max_export_batch_size: 512, ...asItem(args.batch_span_processor) }
  return { ...emptyTelemetry, ...args, exporter_otlp: exporter, batch_span_processor: batch }
}

const isEmptyTelemetry = (value: Item): boolean =>
  value.status === 'disabled' &&
  (value.data_types as unknown[]).length === 0 &&
  Object.values(asItem(value.exporter_otlp)).every(
    (part) => part === 'http/protobuf' || (Array.isArray(part) && part.length === 0),
  ) &&
  asItem(value.batch_span_processor).max_export_batch_size === 512

const isHost = (args: Item) => (entry: Item) => entry.host === args.host && entry.suffix === args.suffix

function refuseCycle(document: Document): void {
  const parents = new Map(
    items(document, 'inherited_roles').map((one) => [String(one.role_name), one.role_set as readonly string[]]),
  )
  const reaches = (role: string, goal: string, seen: Set<string>): boolean =>
    (parents.get(role) ?? []).some((parent) => {
      if (parent === goal) return true
      if (seen.has(parent)) return false
      seen.add(parent)
      return reaches(parent, goal, seen)
    })
  if ([...parents.keys()].some((role) => reaches(role, role, new Set()))) throw new Refusal('cyclic-dependency')
}

export const settingsRules: Rules = {
  add_inherited_role(document, args) {
    const list = items(document, 'inherited_roles')
    if ((args.role_set as unknown[]).includes(args.role_name)) throw new Refusal('invalid-params')
    remove(list, named(list, 'role_name', args.role_name))
    list.push({ role_name: args.role_name, role_set: args.role_set })
    refuseCycle(document)
  },
  drop_inherited_role(document, args) {
    const list = items(document, 'inherited_roles')
    if (!remove(list, named(list, 'role_name', args.role ?? args.role_name))) throw new Refusal('not-exists')
  },
  set_api_limits(document, args) {
    const value = limitsOf(args)
    put(document, 'api_limits', value, Object.keys(value).length === 0)
  },
  remove_api_limits(document) {
    delete document.api_limits
  },
  set_metrics_config(document, args) {
    const value = { analyze_query_variables: false, analyze_response_body: false, ...args }
    put(document, 'metrics_config', value, !value.analyze_query_variables && !value.analyze_response_body)
  },
  remove_metrics_config(document) {
    delete document.metrics_config
  },
  set_graphql_schema_introspection_options(document, args) {
    const { disabled_for_roles = [] } = args
    put(
      document,
      'graphql_schema_introspection',
      { disabled_for_roles },
      (disabled_for_roles as unknown[]).length === 0,
    )
  },
  add_host_to_tls_allowlist(document, args) {
    if (args.host === '') throw new Refusal('bad-request')
    const hosts = (asItem(document.network).tls_allowlist ?? []) as Item[]
    if (hosts.some(isHost(args))) throw new Refusal('already-exists')
    const { host, suffix, permissions } = args
    const given = Array.isArray(permissions) && permissions.length === 0 ? undefined : permissions
    document.network = { tls_allowlist: [...hosts, present({ host, suffix, permissions: given })] }
  },
  drop_host_from_tls_allowlist(document, args) {
    if (args.host === '') throw new Refusal('bad-request')
    const hosts = (asItem(document.network).tls_allowlist ?? []) as Item[]
    const left = hosts.filter((entry) => !isHost(args)(entry))
    if (left.length === hosts.length) throw new Refusal('not-exists')
    put(document, 'network', { tls_allowlist: left }, left.length === 0)
  },
  set_opentelemetry_config(document, args) {
    const value = telemetryOf(args)
    put(document, 'opentelemetry', value, isEmptyTelemetry(value))
  },
  set_opentelemetry_status(document, args) {
    const value = { ...emptyTelemetry, ...asItem(document.opentelemetry), status: args }
    put(document, 'opentelemetry', value, isEmptyTelemetry(value))
  },
}
