/** How often to try again, and after how long. */
export interface RetryRule {
  readonly retries: number
  /** Seconds. */
  readonly interval: number
}

/**
 * Null: not again. `tries`: attempts before the one that failed. What the receiver requested is always granted
 * (reference/event-triggers#outcome).
 */
export function secondsUntilRetry(tries: number, rule: RetryRule, retryAfter: number | null): number | null {
  if (retryAfter !== null) return retryAfter
  return tries >= rule.retries ? null : rule.interval
}

/** Whole seconds above zero; dates say nothing. */
export function readRetryAfter(headers: readonly (readonly [name: string, value: string])[]): number | null {
  const value = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1]?.trim() ?? ''
  return /^\d{1,9}$/.test(value) && Number(value) > 0 ? Number(value) : null
}
