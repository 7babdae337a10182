import { setTimeout as pause } from 'node:timers/promises'
import { RequestFailed } from './api-answer.ts'

export interface RetryLimits {
  readonly retryLimit: number
  /** Microseconds. */
  readonly retryBaseDelay: number
}

const longestPause = 60_000

/**
 * Repeats `attempt` where it failed for 429, 500, 503 or a lost connection, after pauses that double: each is a random
 * part of its length, so that clients that failed together do not return together. `attempt` counts from 0.
 */
export async function withRetries<T>(
  { retryLimit, retryBaseDelay }: RetryLimits,
  signal: AbortSignal | undefined,
  send: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send(attempt)
    } catch (error) {
      if (attempt >= retryLimit || !(error instanceof RequestFailed) || !error.isTemporary) throw error
      const most = Math.min(longestPause, (retryBaseDelay / 1000) * 2 ** attempt)
      await waited(Math.random() * most, signal)
    }
  }
}

/** Waits, or rejects with the signal's reason. */
export async function waited(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await pause(milliseconds, undefined, { ...(signal && { signal }) }).catch(() => signal?.throwIfAborted())
}
