import { randomFillSync } from 'node:crypto'

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** A span of a trace, in lower-case hexadecimal digits: 32 of the trace, 16 of the span. */
export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | null
  /** Null: no one has decided. */
  readonly sampled: boolean | null
  /** `tracestate` as it came. */
  readonly state: string | null
}

/** The caller: the trace and the span that a request names. */
export type Caller = Omit<TraceContext, 'parentId'>

/** W3C Trace Context's `traceparent`, else B3 in one header or in several; null where there is none that is right. */
export function readCaller(headers: Headers): Caller | null {
  return (
    (headers.traceparent === undefined ? null : readTraceparent(headers)) ??
    (headers.b3 === undefined && headers['x-b3-traceid'] === undefined ? null : readB3(headers))
  )
}

function readTraceparent(headers: Headers): Caller | null {
  const match = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/.exec(
    textOf(headers.traceparent),
  )
  const [, traceId = '', spanId = '', flags = ''] = match ?? []
  if (!isId(traceId) || !isId(spanId)) return null
  const state = textOf(headers.tracestate)
  return {
    traceId,
    spanId,
    sampled: (Number.parseInt(flags, 16) & 1) === 1,
    state: state === '' || state.length > 512 ? null : state,
  }
}

function readB3(headers: Headers): Caller | null {
  const [traceId = '', spanId = '', sampling = ''] =
    headers.b3 === undefined
      ? [textOf(headers['x-b3-traceid']), textOf(headers['x-b3-spanid']), samplingOf(headers)]
      : textOf(headers.b3).split('-')
  const [trace, span] = [traceId.toLowerCase(), spanId.toLowerCase()]
  if (!/^([0-9a-f]{16}){1,2}$/.test(trace) || !/^[0-9a-f]{16}$/.test(span) || !isId(trace) || !isId(span)) return null
  const sampled = /^(1|d|true)$/.test(sampling) ? true : /^(0|false)$/.test(sampling) ? false : null
  return { traceId: trace.padStart(32, '0'), spanId: span, sampled, state: null }
}

const samplingOf = (headers: Headers) => (textOf(headers['x-b3-flags']) === '1' ? 'd' : textOf(headers['x-b3-sampled']))

const textOf = (value: string | readonly string[] | undefined): string =>
  typeof value === 'string' ? value.trim() : ''

/** All zeros is the id of nothing. */
const isId = (text: string) => /[1-9a-f]/.test(text)

/** A new span below a caller's, or of a new trace. */
export function newContext(caller: Caller | null): TraceContext {
  if (caller) {
    const { traceId, spanId: parentId, sampled, state } = caller
    return { traceId, spanId: newSpanId(), parentId, sampled, state }
  }
  // both at once, since most requests bring none
  const digits = randomDigits(24)
  const [traceId, spanId] = [digits.slice(0, 32), digits.slice(32)]
  return isId(traceId) && isId(spanId)
    ? { traceId, spanId, parentId: null, sampled: null, state: null }
    : newContext(caller)
}

export const newSpanId = (): string => randomDigits(8)

/** Getting few random bytes at a time from the system costs more than all that is made of them. */
const random = Buffer.alloc(4096)
let used = random.length

/** So many random bytes in hexadecimal digits; never all zeros. */
function randomDigits(bytes: number): string {
  if (used + bytes > random.length) {
    randomFillSync(random)
    used = 0
  }
  used += bytes
  const digits = random.toString('hex', used - bytes, used)
  return isId(digits) ? digits : randomDigits(bytes)
}

/** Headers in which a request of the span `spanId` names itself. */
export function b3Headers({ traceId, spanId: parentId, sampled }: TraceContext, spanId: string): [string, string][] {
  return [
    ['X-B3-TraceId', traceId],
    ['X-B3-SpanId', spanId],
    ['X-B3-ParentSpanId', parentId],
    ...(sampled === null ? [] : [['X-B3-Sampled', sampled ? '1' : '0'] as [string, string]]),
  ]
}

/** Where no caller has decided, the trace is recorded. */
export function w3cHeaders({ traceId, sampled, state }: TraceContext, spanId: string): [string, string][] {
  return [
    ['traceparent', `00-${traceId}-${spanId}-${sampled === false ? '00' : '01'}`],
    ...(state === null ? [] : [['tracestate', state] as [string, string]]),
  ]
}

/** As sessions of a database and payloads of events have it (reference/event-triggers#in-the-database). */
export const traceJson = ({ traceId, spanId, sampled }: TraceContext): string =>
  JSON.stringify({
    trace_id: traceId,
    span_id: spanId,
    ...(sampled !== null && { sampling_state: sampled ? '1' : '0' }),
  })

/** What traceJson made; null of a text that names no trace that could go into a header. */
export function readTraceJson(text: string): TraceContext | null {
  const json: unknown = JSON.parse(text)
  if (typeof json !== 'object' || json === null) return null
  const { trace_id, span_id, sampling_state } = json as Record<string, unknown>
  const caller = readB3({ b3: [trace_id, span_id, sampling_state].filter((one) => typeof one === 'string').join('-') })
  return caller && { ...caller, parentId: null }
}
