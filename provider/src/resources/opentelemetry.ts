import { isRecord, type Json } from '@svc/schema'
import { filled } from './attributes-of.ts'
import { defineResource } from './define-resource.ts'
import { defined } from './in-table.ts'
import { operations } from './operation.ts'
import { outgoingHeaders } from './outgoing-header.ts'
import { headersWriteOnly, headersWriteOnlyCodec } from './write-only-form.ts'

const endpoint = (of: string) =>
  filled(`Where ${of} are sent. May name variables of the engine: \`{{COLLECTOR_URL}}\`.`)

const unlessEmpty = (list: Json | undefined): Json | undefined =>
  Array.isArray(list) && list.length === 0 ? undefined : list

/** Where traces, metrics and logs are sent (reference/logs; reference/metadata-document#objects). */
export const openTelemetry = defineResource({
  kind: 'OpenTelemetry',
  type: 'opentelemetry',
  description:
    'Where the engine sends traces, metrics and logs with OpenTelemetry. There is one of it in an engine: a second stack that declares it is refused, and deleting it sends nothing any more.',
  inputs: {
    status: '`enabled`, `disabled`, or a variable of the engine that says so: `{{TELEMETRY}}`.',
    data_types: { description: 'What is sent.', set: true },
    exporter_otlp: {
      description: 'Where and how it is sent.',
      typeName: 'OtlpExporter',
      of: {
        otlp_traces_endpoint: endpoint('traces'),
        otlp_metrics_endpoint: endpoint('metrics'),
        otlp_logs_endpoint: endpoint('logs'),
        protocol: 'How it is sent.',
        headers: outgoingHeaders('Headers it is sent with.'),
        resource_attributes: {
          description: 'What is said of the engine itself.',
          typeName: 'ResourceAttribute',
          of: {
            name: filled('Its name.', { type: 'string' }),
            value: { description: 'What it says.', type: 'string' },
          },
        },
        traces_propagators: { description: 'How traces are passed on, in addition to B3: `tracecontext`.', set: true },
      },
    },
    ...headersWriteOnly('exporter_otlp_headers', 'exporter_otlp.headers'),
    batch_span_processor: {
      description: 'How spans are collected before they are sent.',
      typeName: 'BatchSpanProcessor',
      of: { max_export_batch_size: 'Spans that are sent at once.' },
    },
  },
  identity: [],
  example: ['open_telemetry'],
  codecs: {
    exporter_otlp_headers_wo: headersWriteOnlyCodec,
    data_types: { decode: unlessEmpty },
    exporter_otlp: {
      decode(stored) {
        if (!isRecord(stored)) return stored
        return defined(Object.fromEntries(Object.entries(stored).map(([key, json]) => [key, unlessEmpty(json)])))
      },
    },
  },
  ...operations('set_opentelemetry_config', 'set_opentelemetry_config', 'set_opentelemetry_config'),
})
