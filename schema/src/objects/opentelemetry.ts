import { filled, integer, json, list, oneOf, optional, record, text, type Value } from '../shape.ts'

const exporter = record({
  otlp_traces_endpoint: optional(text),
  otlp_metrics_endpoint: optional(text),
  otlp_logs_endpoint: optional(text),
  protocol: filled(text, 'http/protobuf'),
  headers: filled(list(json), []),
  resource_attributes: filled(list(json), []),
  traces_propagators: filled(list(text), []),
})

const batch = record({ max_export_batch_size: filled(integer, 512) })

/** Where traces, metrics and logs are sent (reference/metadata-document#objects). `status` may be a `{{VARIABLE}}`. */
export const opentelemetry = record({
  status: filled(text, 'disabled'),
  data_types: filled(list(oneOf('traces', 'metrics', 'logs')), []),
  exporter_otlp: filled(exporter, emptyExporter()),
  batch_span_processor: filled(batch, { max_export_batch_size: 512 }),
})
export type Opentelemetry = Value<typeof opentelemetry>

function emptyExporter(): Value<typeof exporter> {
  return { protocol: 'http/protobuf', headers: [], resource_attributes: [], traces_propagators: [] }
}
