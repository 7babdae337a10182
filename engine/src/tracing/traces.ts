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
}

/** The traces of the requests that are being answered, by request id. Ids are made when somebody asks for them. */
export class Traces {
  readonly #begun = new Map<string, Begun>()
  #propagators: readonly Propagator[] = ['b3']

  /** B3 is always among them. */
  propagateBy(propagators: readonly Propagator[]): void {
    this.#propagators = propagators.includes('tracecontext') ? ['b3', 'tracecontext'] : ['b3']
  }

  begin(requestId: string, headers: Headers): void {
    this.#begun.set(requestId, { headers, context: null })
  }

  end(requestId: string): void {
    this.#begun.delete(requestId)
  }

  /** Null of a request that is not being answered. */
  contextOf(requestId: string): TraceContext | null {
    const begun = this.#begun.get(requestId)
    if (!begun) return null
    begun.context ??= newContext(readCaller(begun.headers))
    return begun.context
  }

  /** For a request that the engine makes on behalf of another one, because of a known trace, or for itself. */
  outgoing(requestId: string | null, cause: TraceContext | null = null): TraceParent {
    const context = cause ?? (requestId === null ? null : this.contextOf(requestId)) ?? newContext(null)
    const spanId = newSpanId()
    const headers = this.#propagators.flatMap((propagator) =>
      propagator === 'b3' ? b3Headers(context, spanId) : w3cHeaders(context, spanId),
    )
    return { spanId, headers }
  }
}
