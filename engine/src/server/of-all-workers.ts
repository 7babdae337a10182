import { type Metrics, type OwnFigures, togetherText } from '../metrics/index.ts'
import type { HealthStatus, SourceHealth } from '../sources/index.ts'
import type { SubscriptionDump, Subscriptions } from '../subscriptions/index.ts'
import type { Peers } from '../workers/index.ts'

/** Returns the figures of this process, or of all workers together. */
export function figuresOfAll(metrics: Metrics | null, peers: Peers | null): Pick<Metrics, 'text'> | null {
  if (!metrics || !peers) return metrics
  peers.onQuestion('figures', () => metrics.own())
  return { text: async () => togetherText((await peers.ask('figures', null)) as readonly OwnFigures[]) }
}

/** Returns how sources answered their health checks, whichever process makes them. */
export function healthOfAll(
  checks: Pick<SourceHealth, 'statuses'>,
  peers: Peers | null,
): () => Promise<Readonly<Record<string, HealthStatus>>> {
  if (!peers) return async () => checks.statuses()
  peers.onQuestion('health', async () => checks.statuses())
  return async () => Object.assign({}, ...(await peers.ask('health', null)))
}

/** Returns what this process polls, or all workers: each polls for its own clients. */
export function subscriptionsOfAll(
  subscriptions: Subscriptions,
  peers: Peers | null,
): (extended: boolean) => Promise<SubscriptionDump> {
  if (!peers) return async (extended) => subscriptions.dump(extended)
  peers.onQuestion('subscriptions', async (extended) => subscriptions.dump(extended === true))
  return async (extended) => {
    const dumps = (await peers.ask('subscriptions', extended)) as readonly SubscriptionDump[]
    return {
      ...subscriptions.dump(false),
      live_queries_map: dumps.flatMap((dump) => dump.live_queries_map),
      stream_queries_map: dumps.flatMap((dump) => dump.stream_queries_map),
    }
  }
}
