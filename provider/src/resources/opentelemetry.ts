import './attribute-meta.ts'
import type { Json } from '@svc/schema'
import { z } from 'zod'
import { defineResource } from './define-resource.ts'
import { isObject } from './in-table.ts'
import { op } from './operation.ts'
import { outgoingHeaders } from './outgoing-header.ts'
import { headersWriteOnly, headersWriteOnlyCodec } from './write-only-form.ts'

const endpoint = (of: string) =>
  z
    .string()
    .min(1, 'must not be empty')
    .optional()
    .meta({ description: `Where ${of} are sent. May name variables of the engine: \`{{COLLECTOR_URL}}\`.` })

const unlessEmpty = (list: Json | undefined): Json | undefined =>
  Array.isArray(list) && list.length === 0 ? undefined : list

/** Where traces, metrics and logs are sent (reference/logs; reference/metadata-document#objects). */
export const openTelemetry = defineResource({
  kind: 'OpenTelemetry',
  type: 'opentelemetry',
  description:
    'Where the engine sends traces, metrics and logs with OpenTelemetry. There is one of it in an engine: a second stack that declares it is refused, and deleting it sends nothing any more.',
  inputs: {
    status: z
      .string()
      .default('disabled')
      .meta({ description: '`enabled`, `disabled`, or a variable of the engine that says so: `{{TELEMETRY}}`.' }),
    data_types: z
      .array(z.enum(['traces', 'metrics', 'logs']))
      .optional()
      .meta({ description: 'What is sent.', set: true }),
    exporter_otlp: z
      .object({
        otlp_traces_endpoint: endpoint('traces'),
        otlp_metrics_endpoint: endpoint('metrics'),
        otlp_logs_endpoint: endpoint('logs'),
        protocol: z.string().default('http/protobuf').meta({ description: 'How it is sent.' }),
        headers: outgoingHeaders('Headers it is sent with.'),
        resource_attributes: z
          .array(
            z
              .object({
                name: z.string().min(1, 'must not be empty').meta({ description: 'Its name.' }),
                value: z.string().meta({ description: 'What it says.' }),
              })
              .meta({ typeName: 'ResourceAttribute' }),
          )
          .optional()
          .meta({ description: 'What is said of the engine itself.' }),
        traces_propagators: z
          .array(z.string().min(1, 'must not be empty'))
          .optional()
          .meta({ description: 'How traces are passed on, beside B3: `tracecontext`.', set: true }),
      })
      .optional()
      .meta({ typeName: 'OtlpExporter', description: 'Where and how it is sent.' }),
    ...headersWriteOnly('exporter_otlp_headers', 'exporter_otlp.headers'),
    batch_span_processor: z
      .object({ max_export_batch_size: z.int().default(512).meta({ description: 'Spans that are sent at once.' }) })
      .optional()
      .meta({ typeName: 'BatchSpanProcessor', description: 'How spans are collected before they are sent.' }),
  },
  identity: [],
  example: ['open_telemetry'],
  codecs: {
    exporter_otlp_headers_wo: headersWriteOnlyCodec,
    data_types: { decode: unlessEmpty },
    exporter_otlp: {
      decode(stored) {
        if (!isObject(stored)) return stored
        return Object.fromEntries(
          Object.entries(stored).flatMap(([key, json]) => {
            const given = unlessEmpty(json)
            return given === undefined ? [] : [[key, given] as const]
          }),
        )
      },
    },
  },
  create: (now) => [op('set_opentelemetry_config', now)],
  update: (_, now) => [op('set_opentelemetry_config', now)],
  delete: () => [op('set_opentelemetry_config', {})],
})
