/**
 * The small top-level objects: metrics_config, graphql_schema_introspection, network, backend_configs
 * (reference/metadata-operations#roles-limits-telemetry).
 */
import type { JsonObject } from '../json.ts'
import { boolean, filled, jsonObject, list, mapOf, name, optional, record, text, unless, type Value } from '../shape.ts'

export const metricsConfig = record({
  analyze_query_variables: filled(boolean, false),
  analyze_response_body: filled(boolean, false),
})
export type MetricsConfig = Value<typeof metricsConfig>

export const graphqlSchemaIntrospection = record({ disabled_for_roles: filled(list(text), []) })
export type GraphqlSchemaIntrospection = Value<typeof graphqlSchemaIntrospection>

export const tlsHost = record({
  host: name,
  suffix: optional(text),
  permissions: unless<readonly string[]>([], list(text)),
})

export const network = record({ tls_allowlist: filled(list(tlsHost), []) })
export type Network = Value<typeof network>

export const backendConfigs = record({
  dataconnector: unless<Readonly<Record<string, JsonObject>>>({}, mapOf(jsonObject)),
})
