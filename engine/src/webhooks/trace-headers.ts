import { randomBytes } from 'node:crypto'
import type { HttpHeader } from '../http-client/index.ts'

/** Of the request that caused a call (spec 03 §3.2). */
export interface TraceContext {
  readonly trace_id: string
  readonly span_id: string
  readonly sampling_state?: string | undefined
}

/** B3 headers of a new span, in the trace of what caused the call or in one of its own (spec 03 §0). */
export function traceHeaders(cause: TraceContext | null): readonly HttpHeader[] {
  const span = randomBytes(8).toString('hex')
  if (!cause)
    return [
      ['X-B3-TraceId', randomBytes(16).toString('hex')],
      ['X-B3-SpanId', span],
    ]
  return [
    ['X-B3-TraceId', cause.trace_id],
    ['X-B3-SpanId', span],
    ['X-B3-ParentSpanId', cause.span_id],
    ...(cause.sampling_state === undefined ? [] : [['X-B3-Sampled', cause.sampling_state] as const]),
  ]
}

/** What a JSON text says of a trace; null where it says nothing that could go into a header. */
export function readTraceContext(text: string): TraceContext | null {
  const json: unknown = text === 'null' ? null : JSON.parse(text)
  if (typeof json !== 'object' || json === null) return null
  const { trace_id, span_id, sampling_state } = json as Record<string, unknown>
  if (!isToken(trace_id) || !isToken(span_id)) return null
  return { trace_id, span_id, ...(isToken(sampling_state) && { sampling_state }) }
}

const isToken = (value: unknown): value is string => typeof value === 'string' && /^[0-9A-Za-z-]{1,64}$/.test(value)
