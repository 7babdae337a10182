import type { Metrics, Reading } from '../metrics/index.ts'
import { within } from '../within.ts'

/** What waits of one trigger, or of all one-off events. */
export interface TriggerBacklog {
  readonly of: 'event-trigger' | 'cron-trigger' | 'one-off'
  readonly source: string
  readonly trigger: string
  readonly pending: number
  /** Seconds. */
  readonly oldest: number
  /** Null: not known. */
  readonly dead: number | null
}

/** Milliseconds: a database that does not answer leaves its figures out. */
const timeLimit = 3000

/**
 * Adds the figures of the queues of events. Of all instances that share a queue one has them (docs/observability.md).
 */
export function eventingFigures(metrics: Metrics, read: () => Promise<readonly TriggerBacklog[]>): void {
  let running: Promise<readonly TriggerBacklog[]> | null = null
  const once = () => {
    running ??= within(
      timeLimit,
      read().catch(() => []),
      [],
    ).finally(() => {
      running = null
    })
    return running
  }
  const gauge = (name: string, help: string, figureOf: (backlog: TriggerBacklog) => number | null) =>
    metrics.gauge({
      name,
      help,
      labels: ['of', 'source', 'trigger'],
      together: 'max',
      read: async () =>
        (await once()).flatMap((backlog): readonly Reading[] => {
          const { of, source, trigger } = backlog
          const value = figureOf(backlog)
          return value === null ? [] : [{ labels: { of, source, trigger }, value }]
        }),
    })
  gauge('svc_events_pending', 'Events to be delivered or being delivered; counted up to 10,000.', (one) => one.pending)
  gauge('svc_events_oldest_seconds', 'Age of the oldest of them.', (one) => one.oldest)
  gauge('svc_events_dead', 'Events that failed for good and are kept; counted up to 10,000.', (one) => one.dead)
}
