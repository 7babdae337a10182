import { kindOf } from './kind-of.ts'
import type { Poller, PollerSettings } from './poller.ts'

/** What /dev/subscriptions shows. */
export interface SubscriptionDump {
  readonly options: unknown
  readonly live_queries_map: readonly unknown[]
  readonly stream_queries_map: readonly unknown[]
  readonly stream_queries_options: unknown
}

/**
 * What is polled now (reference/http#endpoints). `extended`: with the values of the subscribers that share a statement.
 */
export function dumpPollers(
  pollers: readonly Poller[],
  { live, streams }: Readonly<Record<'live' | 'streams', PollerSettings>>,
  extended: boolean,
): SubscriptionDump {
  const shown = (of: 'live' | 'stream') =>
    pollers
      .filter(({ prepared }) => kindOf(prepared) === of)
      .map(({ prepared, cohorts, statements }) => ({
        source: prepared.source,
        query: prepared.statement.text,
        statements,
        cohorts: cohorts.size,
        subscribers: [...cohorts.values()].reduce((sum, { subscribers }) => sum + subscribers.size, 0),
        ...(extended && {
          cohort_list: [...cohorts.values()].map(({ values, subscribers }) => ({
            variables: values,
            subscribers: subscribers.size,
          })),
        }),
      }))
  return {
    options: shownOptions(live),
    live_queries_map: shown('live'),
    stream_queries_map: shown('stream'),
    stream_queries_options: shownOptions(streams),
  }
}

const shownOptions = ({ batchSize, interval }: PollerSettings) => ({
  batch_size: batchSize,
  refetch_delay: interval / 1000,
})
