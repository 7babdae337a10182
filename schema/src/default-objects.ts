import { equalJson } from './equal-json.ts'
import type { JsonObject } from './json.ts'
import type { ObjectType } from './object-kinds.ts'

const defaults: Partial<Record<ObjectType, JsonObject>> = {
  custom_types: {},
  api_limits: {},
  metrics_config: { analyze_query_variables: false, analyze_response_body: false },
  graphql_schema_introspection: { disabled_for_roles: [] },
  network: { tls_allowlist: [] },
  backend_configs: {},
  opentelemetry: {
    status: 'disabled',
    data_types: [],
    exporter_otlp: { protocol: 'http/protobuf', headers: [], resource_attributes: [], traces_propagators: [] },
    batch_span_processor: { max_export_batch_size: 512 },
  },
}

/**
 * A top-level object that says no more than its absence would: neither stored nor exported
 * (reference/metadata-document#top-level).
 */
export const isDefaultObject = (type: ObjectType, value: JsonObject): boolean => {
  const value0 = defaults[type]
  return value0 !== undefined && equalJson(value, value0)
}
