import type { Arrival, Write, Written } from './write.ts'

/** A write in a queue, with what became of it so far. */
export interface QueuedWrite<Refusal> {
  readonly write: Write<Refusal>
  readonly resolve: (written: Written<Refusal>) => void
  readonly reject: (mistake: unknown) => void
  state: 'ready' | 'out' | 'waiting' | 'settled'
  doubt: boolean
  /** Waits no more: what the engine answers next is the end. */
  last: boolean
  /** How often a refusal was not taken for the end. */
  retries: number
  outrunSince: number | null
  arrivals: readonly Arrival[]
  waitTimer: NodeJS.Timeout | null
  readonly limitTimer: NodeJS.Timeout | null
}
