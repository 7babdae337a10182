import type { ApiError } from '../errors.ts'
import type { GraphqlAnswer, SubscriptionRequest } from '../execute/index.ts'
import { answerHash } from './answer-body.ts'
import type { SubscriberEvents } from './subscriber.ts'

/** An answer that may be the last one. */
export type RepeatedAnswer = Pick<GraphqlAnswer, 'body' | 'awaitsResult'>

export interface RepetitionOptions {
  /** Milliseconds from one poll to the next. */
  readonly interval: number
  /** Plans and runs it on what is served now. Throws ApiError. */
  execute(request: SubscriptionRequest, signal: AbortSignal): Promise<RepeatedAnswer>
  apiError(cause: unknown): ApiError
  /** It cannot go on. */
  refuse(error: ApiError): void
  /** Nothing else will come. */
  complete(): void
}

/**
 * A subscription that no statement can share: the result of an asynchronous action, which is in the engine's own
 * catalogue. It is executed periodically, and sent when it has changed, until the result is there
 * (reference/actions#asynchronous-actions). The result of this function ends it.
 */
export function repeat(request: SubscriptionRequest, events: SubscriberEvents, options: RepetitionOptions): () => void {
  const { interval, execute, apiError, refuse, complete } = options
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
  const poll = async () => {
    const began = performance.now()
    try {
      const { body, awaitsResult } = await execute(request, ended.signal)
      if (ended.signal.aborted) return
      const hash = answerHash(body)
      const isTaken = events.canReceive()
      if (hash !== seen && isTaken) {
        seen = hash
        served = true
        events.next(body)
      }
      if (!awaitsResult && isTaken) {
        end()
        complete()
      }
    } catch (cause) {
      if (!ended.signal.aborted) fail(cause)
    }
    if (!ended.signal.aborted) timer = setTimeout(poll, Math.max(0, began + interval - performance.now()))
  }
  setImmediate(poll)
  return end
}
