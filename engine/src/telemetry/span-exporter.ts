import type { Attributes, HrTime } from '@opentelemetry/api'
import { serviceAttributes, type TelemetrySettings } from './read-settings.ts'

export interface SpanFacts {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | null
  readonly name: string
  readonly kind: 'server' | 'client' | 'internal'
  /** Milliseconds since 1970. */
  readonly start: number
  readonly end: number
  readonly attributes: Attributes
  readonly failed: boolean
}

export interface SpanExporter {
  export(span: SpanFacts): void
  /** Sends what waits, and ends. */
  close(): Promise<void>
}

/** Sends spans in batches to an OTLP endpoint; loads the SDK. */
export async function createSpanExporter(url: string, settings: TelemetrySettings): Promise<SpanExporter> {
  const [api, { BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/resources'),
  ])
  const exporter = new OTLPTraceExporter({ url, headers: { ...settings.headers } })
  const processor = new BatchSpanProcessor({
    exporter,
    maxExportBatchSize: settings.batchSize,
    maxQueueSize: Math.max(2048, 4 * settings.batchSize),
    scheduledDelayMillis: 1000,
  })
  const resource = resourceFromAttributes({ ...serviceAttributes, ...settings.attributes })
  const kinds = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT, internal: api.SpanKind.INTERNAL }
  const context = (traceId: string, spanId: string) => ({ traceId, spanId, traceFlags: api.TraceFlags.SAMPLED })
  return {
    export(span) {
      processor.onEnd({
        name: span.name,
        kind: kinds[span.kind],
        spanContext: () => context(span.traceId, span.spanId),
        ...(span.parentId !== null && { parentSpanContext: context(span.traceId, span.parentId) }),
        startTime: timeOf(span.start),
        endTime: timeOf(span.end),
        duration: timeOf(span.end - span.start),
        status: { code: span.failed ? api.SpanStatusCode.ERROR : api.SpanStatusCode.UNSET },
        attributes: span.attributes,
        links: [],
        events: [],
        ended: true,
        resource,
        instrumentationScope: { name: 'svc-graphql-engine' },
        droppedAttributesCount: 0,
        droppedEventsCount: 0,
        droppedLinksCount: 0,
      })
    },
    close: () => processor.shutdown(),
  }
}

/** Seconds and nanoseconds. */
function timeOf(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1000)
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)]
}
