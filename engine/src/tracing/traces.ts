import { AsyncLocalStorage } from 'node:async_hooks'
import { b3Headers, newContext, newSpanId, readCaller, type TraceContext, w3cHeaders } from './trace-context.ts'

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** How the engine's own requests name their trace. */
export type Propagator = 'b3' | 'tracecontext'

/** What one request of the engine carries. */
export interface TraceParent {
  readonly spanId: string
  readonly headers: readonly (readonly [string, string])[]
}

interface Begun {
  readonly headers: Headers
  context: TraceContext | null
  /** What outlives its request (a timer, a connection) belongs to its trace no more. */
  over: boolean
}

/** The request whose answer the running code is part of, however many other requests have the same X-Request-Id. */
const answered = new AsyncLocalStorage<Begun>()

/** The trace of the request that the running code answers; null outside of one. Ids are made when a caller requests them. */
export function currentTrace(): TraceContext | null {
  const begun = answered.getStore()
  if (!begun || begun.over) return null
  begun.context ??= newContext(readCaller(begun.headers))
  return begun.context
}

/** Whatever `work` does belongs to the trace that the headers of its request name, or to a new one. */
export function withTrace<Arguments extends readonly unknown[], T>(
  headers: Headers,
  work: (...args: Arguments) => Promise<T>,
  ...args: Arguments
): Promise<T> {
  const begun: Begun = { headers, context: null, over: false }
  const end = () => {
    begun.over = true
  }
  const done = answered.run(begun, work, ...args)
  done.then(end, end)
  return done
}

let recorders = 0

/** Spans are recorded from now on, until the returned function is called. */
export function recordSpans(): () => void {
  recorders++
  return () => void recorders--
}

/** Whether spans of the request that the running code answers are recorded: those of other requests cost nothing. */
export const isRecorded = (): boolean => recorders > 0 && currentTrace() !== null

/** How the requests that the engine makes name their trace. */
export class Traces {
  #propagators: readonly Propagator[] = ['b3']

  /** B3 is always among them. */
  propagateBy(propagators: readonly Propagator[]): void {
    this.#propagators = propagators.includes('tracecontext') ? ['b3', 'tracecontext'] : ['b3']
  }

  /** For a request that the engine makes on behalf of another one (`requestId`), because of a known trace, or for itself. */
  outgoing(requestId: string | null, cause: TraceContext | null = null): TraceParent {
    const context = cause ?? (requestId === null ? null : currentTrace()) ?? newContext(null)
    const spanId = newSpanId()
    const headers = this.#propagators.flatMap((propagator) =>
      propagator === 'b3' ? b3Headers(context, spanId) : w3cHeaders(context, spanId),
    )
    return { spanId, headers }
  }
}
