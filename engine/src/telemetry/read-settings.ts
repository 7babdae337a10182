import { randomUUID } from 'node:crypto'
import type { Opentelemetry } from '@svc/schema'
import { type Environment, expandEnvironment, type HeaderEntry, resolveHeaders } from '../http-client/index.ts'
import type { Propagator } from '../tracing/index.ts'

/** The attributes of the sender: without the second, figures of several processes would be taken for those of one. */
export const serviceAttributes = { 'service.name': 'svc-graphql-engine', 'service.instance.id': randomUUID() }

/** Metadata's `opentelemetry` with what it refers to. */
export interface TelemetrySettings {
  readonly traces: string | null
  readonly metrics: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly attributes: Readonly<Record<string, string>>
  readonly propagators: readonly Propagator[]
  readonly batchSize: number
}

/** The settings, null where telemetry is disabled, or why they cannot be used. */
export function readTelemetry(
  { status, data_types: types, exporter_otlp: exporter, batch_span_processor: batch }: Opentelemetry,
  environment: Environment,
): TelemetrySettings | null | string {
  const missing: string[] = []
  const expand = (text: string): string => {
    const result = expandEnvironment(text, environment)
    if (result.kind === 'value') return result.value
    missing.push(...result.variables)
    return ''
  }
  const wish = expand(status)
  if (missing.length === 0 && wish === 'disabled') return null
  const endpoint = (type: (typeof types)[number], text: string | undefined) =>
    types.includes(type) && text !== undefined ? expand(text) : null
  const traces = endpoint('traces', exporter.otlp_traces_endpoint)
  const metrics = endpoint('metrics', exporter.otlp_metrics_endpoint)
  const headers = resolveHeaders(exporter.headers as unknown as readonly HeaderEntry[], environment)
  if (missing.length > 0) return `environment variable '${missing[0]}' not set`
  if (headers.kind === 'missing') return headers.message
  if (wish !== 'enabled') return `the status "${wish}" is neither enabled nor disabled`
  const unsent = (
    [
      ['traces', traces],
      ['metrics', metrics],
    ] as const
  ).find(([type, url]) => types.includes(type) && !url)
  if (unsent) return `Missing ${unsent[0]} endpoint`
  if (exporter.protocol !== 'http/protobuf') return `the protocol "${exporter.protocol}" is not http/protobuf`
  if (batch.max_export_batch_size < 1) return 'max_export_batch_size must be a positive integer'
  for (const url of [traces, metrics])
    if (url !== null && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      return 'an endpoint is no URL of http or https'
  const attributes = exporter.resource_attributes as unknown as readonly { name: string; value: string }[]
  return {
    traces,
    metrics,
    headers: Object.fromEntries(headers.headers),
    attributes: Object.fromEntries(attributes.map(({ name, value }) => [name, expandOr(value, environment)])),
    propagators: exporter.traces_propagators.includes('tracecontext') ? ['b3', 'tracecontext'] : ['b3'],
    batchSize: batch.max_export_batch_size,
  }
}

function expandOr(text: string, environment: Environment): string {
  const result = expandEnvironment(String(text), environment)
  return result.kind === 'value' ? result.value : String(text)
}
