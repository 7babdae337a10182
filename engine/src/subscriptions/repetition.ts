import type { ApiError } from '../errors.ts'
import type { SubscriptionRequest } from '../execute/index.ts'
import { answerHash } from './answer-body.ts'
import type { SubscriberEvents } from './subscriber.ts'

export interface RepetitionOptions {
  /** Milliseconds from one look to the next. */
  readonly interval: number
  /** Plans and runs it on what is served now. Throws ApiError. */
  execute(request: SubscriptionRequest, signal: AbortSignal): Promise<readonly Buffer[]>
  apiError(cause: unknown): ApiError
  /** It cannot go on. */
  refuse(error: ApiError): void
}

/**
 * A subscription that no statement can share: the result of an asynchronous action, which lies in the engine's own catalogue.
 * It is executed again and again, and sent when it has changed. The result ends it.
 */
export function repeat(request: SubscriptionRequest, events: SubscriberEvents, options: RepetitionOptions): () => void {
  const { interval, execute, apiError, refuse } = options
  const ended = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let served = false
  let seen = ''
  const end = () => {
    clearTimeout(timer)
    ended.abort(new Error('the subscription has ended'))
  }
  const fail = (cause: unknown) => {
    const error = apiError(cause)
    // what is not valid any more will not be again
    if (served && error.code !== 'validation-failed') {
      seen = ''
      events.failed(error)
      return
    }
    end()
    refuse(error)
  }
  const look = async () => {
    const began = performance.now()
    try {
      const body = await execute(request, ended.signal)
      if (ended.signal.aborted) return
      const hash = answerHash(body)
      if (hash !== seen && events.keepsUp()) {
        seen = hash
        served = true
        events.next(body)
      }
    } catch (cause) {
      if (!ended.signal.aborted) fail(cause)
    }
    if (!ended.signal.aborted) timer = setTimeout(look, Math.max(0, began + interval - performance.now()))
  }
  setImmediate(look)
  return end
}
