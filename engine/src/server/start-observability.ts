/** What a server shows of itself: figures for Prometheus, traces and metrics over OTLP (docs/observability.md). */
import type { Opentelemetry } from '@svc/schema'
import type { MetadataService } from '../admin/index.ts'
import type { ServerConfig } from '../config/index.ts'
import type { GraphqlCaches } from '../execute/index.ts'
import type { Environment } from '../http-client/index.ts'
import { createMetrics, type Metrics } from '../metrics/index.ts'
import { inconsistentObjects } from '../model/index.ts'
import type { Observer } from '../observe/index.ts'
import type { SourceHealth } from '../sources/index.ts'
import { Telemetry } from '../telemetry/index.ts'
import type { Traces } from '../tracing/index.ts'
import { eventingFigures } from './eventing-figures.ts'
import type { EventingIdentity } from './eventing-identity.ts'
import { byState, routingFigures } from './routing-figures.ts'
import { serverSetting } from './server-setting.ts'
import type { Eventing } from './start-eventing.ts'

export interface ObservabilityParts {
  readonly config: ServerConfig
  readonly environment: Environment
  readonly observer: Observer
  readonly traces: Traces
  readonly metadata: MetadataService
  readonly caches: GraphqlCaches
  readonly sourceHealth: Pick<SourceHealth, 'statuses'>
  readonly eventing: Eventing
  readonly identity: Pick<EventingIdentity, 'sends'>
}

export interface Observability {
  /** Null where the metrics API is not enabled. */
  readonly metrics: Metrics | null
  close(): Promise<void>
}

/**
 * Starts figures and traces. Figures are made when they are served or sent; the SDK of OpenTelemetry is loaded when
 * metadata enables it.
 */
export async function startObservability(parts: ObservabilityParts): Promise<Observability> {
  const { config, environment, observer, traces, metadata } = parts
  const settings = () =>
    serverSetting('opentelemetry', metadata.current().document, config.metadataDefaults) as Opentelemetry | null
  let made: Promise<Metrics> | null = null
  const figures = () => {
    made ??= startMetrics(parts)
    return made
  }
  const metrics = config.enabledApis.has('metrics') ? await figures() : null
  const telemetry = await Telemetry.start({
    // a sandbox sends nothing anywhere
    settings: config.sandbox === null ? settings : () => null,
    environment,
    observer,
    scheme: config.tlsCertFile === null ? 'http' : 'https',
    traces,
    metrics: figures,
  })
  return {
    metrics,
    close: async () => {
      await telemetry.close()
      const opened = await made
      opened?.close()
    },
  }
}

/** Figures of the served metadata, the sources' connections and the caches. */
async function startMetrics({
  observer,
  metadata,
  caches,
  sourceHealth,
  eventing,
  identity,
}: ObservabilityParts): Promise<Metrics> {
  const metrics = await createMetrics(observer)
  const gauge = (name: string, help: string, read: () => number, together?: 'max' | 'min') =>
    metrics.gauge({ name, help, ...(together && { together }), read: () => [{ value: read() }] })
  const sources = () => [...metadata.current().model.input.sources.values()]
  gauge(
    'svc_metadata_resource_version',
    'Version of the metadata that is served.',
    () => metadata.current().resourceVersion,
    'min',
  )
  gauge(
    'svc_metadata_inconsistent_objects',
    'Objects of metadata that cannot be served.',
    () => inconsistentObjects(metadata.current().model).length,
    'max',
  )
  gauge('svc_plan_cache_bytes', 'Estimated size of the plan cache.', () => caches.plans.size)
  metrics.gauge({
    name: 'svc_source_up',
    help: 'Whether a source can be reached, 1 or 0.',
    labels: ['source'],
    together: 'min',
    read: () => sources().map(({ name, status }) => ({ labels: { source: name }, value: status === 'ready' ? 1 : 0 })),
  })
  metrics.gauge({
    name: 'svc_source_connections',
    help: 'Connections of a source by state; requests that wait for one.',
    labels: ['source', 'state'],
    read: () =>
      sources().flatMap((state) => {
        if (state.status !== 'ready') return []
        return byState({ source: state.name }, state.connection.connections())
      }),
  })
  metrics.gauge({
    name: 'svc_source_health',
    help: 'How a source answered its health check last: 0 OK, 1 timeout, 2 not asked, 3 error.',
    labels: ['source'],
    together: 'max',
    read: () =>
      Object.entries(sourceHealth.statuses()).map(([source, { status }]) => ({
        labels: { source },
        value: ['OK', 'TIMEOUT', 'FAILED', 'ERROR'].indexOf(status),
      })),
  })
  routingFigures(metrics, sources)
  eventingFigures(metrics, eventing.backlogs)
  const withheld = () => (identity.sends() ? 0 : 1)
  gauge(
    'svc_eventing_withheld',
    'Whether the catalogue is of another name, so that no events are sent.',
    withheld,
    'max',
  )
  return metrics
}
