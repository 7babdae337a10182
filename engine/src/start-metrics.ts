/** What a server shows of itself to Prometheus beside what is counted (docs/observability.md). */
import type { MetadataService } from './admin/index.ts'
import type { GraphqlCaches } from './execute/index.ts'
import { createMetrics, type Metrics } from './metrics/index.ts'
import { inconsistentObjects } from './model/index.ts'
import type { Observer } from './observe/index.ts'

export interface MetricsParts {
  readonly observer: Observer
  readonly metadata: MetadataService
  readonly caches: GraphqlCaches
}

/** Figures of the served metadata, the sources' connections and the caches. */
export async function startMetrics({ observer, metadata, caches }: MetricsParts): Promise<Metrics> {
  const metrics = await createMetrics(observer)
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.gauge({ name, help, read: () => [{ value: read() }] })
  const sources = () => [...metadata.current().model.input.sources.values()]
  gauge(
    'svc_metadata_resource_version',
    'Version of the metadata that is served.',
    () => metadata.current().resourceVersion,
  )
  gauge(
    'svc_metadata_inconsistent_objects',
    'Objects of metadata that cannot be served.',
    () => inconsistentObjects(metadata.current().model).length,
  )
  gauge('svc_plan_cache_bytes', 'Estimated size of the plan cache.', () => caches.plans.size)
  metrics.gauge({
    name: 'svc_source_up',
    help: 'Whether a source can be reached, 1 or 0.',
    labels: ['source'],
    read: () => sources().map(({ name, status }) => ({ labels: { source: name }, value: status === 'ready' ? 1 : 0 })),
  })
  metrics.gauge({
    name: 'svc_source_connections',
    help: 'Connections of a source by state; requests that wait for one.',
    labels: ['source', 'state'],
    read: () =>
      sources().flatMap((state) => {
        if (state.status !== 'ready') return []
        const { open, idle, waiting } = state.connection.connections()
        return Object.entries({ open, idle, waiting }).map(([name, value]) => ({
          labels: { source: state.name, state: name },
          value,
        }))
      }),
  })
  return metrics
}
