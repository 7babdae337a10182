import type { Observer } from '../observe/index.ts'
import { countObservations } from './count-observations.ts'
import { type Figure, figuresOf } from './figure.ts'
import type { OwnFigures } from './figures-together.ts'

/** One value of a gauge by its labels. */
export interface Reading {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

interface GaugeOptions {
  /** `svc_…`, with its unit at the end. */
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
  /** What the values of several processes that serve as one make together; their sum when absent. */
  readonly together?: 'max' | 'min'
  /** Called for each scrape. */
  readonly read: () => readonly Reading[] | Promise<readonly Reading[]>
}

export interface Metrics {
  /** Figures that are read with each scrape. */
  gauge(options: GaugeOptions): void
  /** All figures in Prometheus' text format, and its media type. */
  text(): Promise<{ readonly body: string; readonly contentType: string }>
  /** The same as data. */
  figures(): Promise<readonly Figure[]>
  /** The same as plain JSON for `togetherText`, to be sent to another process. */
  own(): Promise<OwnFigures>
  /** Counts no more. */
  close(): void
}

const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

/** Figures of one server; prom-client is loaded here, since most servers have none. */
export async function createMetrics(observer: Observer): Promise<Metrics> {
  const { default: prometheus } = await import('prom-client')
  const registry = new prometheus.Registry()
  prometheus.collectDefaultMetrics({ register: registry })
  // gauges whose names say that they are counters; nodejs_active_handles and nodejs_active_resources have the same by type
  for (const name of misnamed) registry.removeSingleMetric(name)
  const end = observer.subscribe(countObservations(prometheus, registry))
  return {
    gauge({ name, help, labels = [], together, read }) {
      new prometheus.Gauge({
        name,
        help,
        labelNames: [...labels],
        registers: [registry],
        aggregator: together ?? ('sum' as const),
        async collect() {
          const readings = await read()
          this.reset()
          for (const { labels: given = {}, value } of readings) this.set(given, value)
        },
      })
    },
    text: async () => ({ body: await registry.metrics(), contentType: registry.contentType }),
    figures: async () => figuresOf(await registry.getMetricsAsJSON()),
    own: () => registry.getMetricsAsJSON(),
    close() {
      end()
      registry.clear()
    },
  }
}
