import { EventDelivery } from '../events/index.ts'
import { ScheduleDelivery } from '../schedules/index.ts'
import type { TriggerBacklog } from './eventing-figures.ts'
import type { SendingParts } from './server-parts.ts'

export interface Eventing {
  /** What waits, as far as this instance is the one that counts it. */
  backlogs(): Promise<readonly TriggerBacklog[]>
  close(): Promise<void>
}

/** Starts delivering events of triggers and schedules as metadata is served, until it is closed. */
export function startEventing(parts: SendingParts): Eventing {
  const { config, environment, client, observer, metadata, store, processes, sends } = parts
  if (config.disableEventing) return { backlogs: async () => [], close: async () => {} }
  const { eventsFetchInterval: fetchInterval, eventsFetchBatchSize: batchSize } = config
  const httpPoolSize = Math.ceil(config.eventsHttpPoolSize / processes)
  const current = () => metadata.current()
  const events = new EventDelivery({
    environment,
    client,
    observer,
    current,
    httpPoolSize,
    fetchInterval,
    batchSize,
    sends,
  })
  observer.report({ kind: 'eventing-started', httpPoolSize, fetchInterval, batchSize })
  const schedules = new ScheduleDelivery({
    store: store.schedules,
    environment,
    client,
    observer,
    current: () => metadata.current(),
    sends,
  })
  const unsubscribe = observer.subscribe(({ kind }) => {
    if (kind !== 'model-updated') return
    events.refresh()
    schedules.refresh()
  })
  events.refresh()
  return {
    backlogs: async () => {
      const [ofTriggers, scheduled] = await Promise.all([events.backlogs(), schedules.backlogs()])
      return [
        ...ofTriggers.map((one) => ({ ...one, of: 'event-trigger' as const })),
        ...scheduled.map(({ kind, trigger, ...one }) => ({
          ...one,
          of: kind === 'cron' ? ('cron-trigger' as const) : ('one-off' as const),
          source: '',
          trigger: trigger ?? '',
        })),
      ]
    },
    close: async () => {
      unsubscribe()
      const milliseconds = config.gracefulShutdownTimeout * 1000
      await Promise.all([events.close(milliseconds), schedules.close(milliseconds)])
    },
  }
}
