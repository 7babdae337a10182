import type { MetricObjectWithValues, MetricValue } from 'prom-client'

/** The figures of one process as prom-client exports them. */
export type OwnFigures = readonly MetricObjectWithValues<MetricValue<string>>[]

/** The figures of processes that serve as one, in Prometheus' text format: added up unless a figure says otherwise. */
export async function togetherText(
  all: readonly OwnFigures[],
): Promise<{ readonly body: string; readonly contentType: string }> {
  const registry = await together(all)
  return { body: await registry.metrics(), contentType: registry.contentType }
}

/**
 * What counts on of processes that have ended: their counters and histograms. Without them the sums would fall, which
 * a caller that reads them takes for a restart of everything.
 */
export async function keptFigures(kept: OwnFigures | null, ended: OwnFigures): Promise<OwnFigures> {
  const counting = ended.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))
  const registry = await together(kept ? [kept, counting] : [counting])
  return registry.getMetricsAsJSON()
}

async function together(all: readonly OwnFigures[]) {
  const { default: prometheus } = await import('prom-client')
  return prometheus.AggregatorRegistry.aggregate(all.map((figures) => [...figures]))
}
