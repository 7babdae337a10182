import type { HrTime } from '@opentelemetry/api'
import type { DataPoint, Histogram, MetricData } from '@opentelemetry/sdk-metrics'
import type { Figure, Metrics } from '../metrics/index.ts'
import { serviceAttributes, type TelemetrySettings } from './read-settings.ts'

const intervalMilliseconds = 15_000

/** Sends the figures of /v1/metrics to an OTLP endpoint, every 15 seconds; loads the SDK. */
export async function createMetricsExporter(
  url: string,
  settings: TelemetrySettings,
  metrics: Metrics,
): Promise<{ close(): Promise<void> }> {
  const [sdk, { OTLPMetricExporter }, { resourceFromAttributes }, api] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/exporter-metrics-otlp-proto'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/api'),
  ])
  const { AggregationTemporality, DataPointType } = sdk
  const resource = resourceFromAttributes({ ...serviceAttributes, ...settings.attributes })
  const startTime = timeOf(Date.now())

  const dataOf = (figure: Figure, endTime: HrTime): MetricData => {
    const shared = {
      descriptor: { name: figure.name, description: figure.help, unit: '', valueType: api.ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    }
    const point = <T>(attributes: Readonly<Record<string, string>>, value: T): DataPoint<T> => ({
      startTime,
      endTime,
      attributes: { ...attributes },
      value,
    })
    switch (figure.kind) {
      case 'counter':
        return {
          ...shared,
          dataPointType: DataPointType.SUM,
          isMonotonic: true,
          dataPoints: figure.values.map(({ labels, value }) => point(labels, value)),
        }
      case 'gauge':
        return {
          ...shared,
          dataPointType: DataPointType.GAUGE,
          dataPoints: figure.values.map(({ labels, value }) => point(labels, value)),
        }
      case 'histogram':
        return {
          ...shared,
          dataPointType: DataPointType.HISTOGRAM,
          dataPoints: figure.values.map(({ labels, boundaries, counts, sum, count }) =>
            point<Histogram>(labels, { buckets: { boundaries: [...boundaries], counts: [...counts] }, sum, count }),
          ),
        }
    }
  }

  const reader = new sdk.PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url, headers: { ...settings.headers } }),
    exportIntervalMillis: intervalMilliseconds,
    exportTimeoutMillis: intervalMilliseconds,
    metricProducers: [
      {
        async collect() {
          const figures = await metrics.figures()
          const endTime = timeOf(Date.now())
          const scope = { name: 'svc-graphql-engine' }
          const scopeMetrics = [{ scope, metrics: figures.map((figure) => dataOf(figure, endTime)) }]
          return { resourceMetrics: { resource, scopeMetrics }, errors: [] }
        },
      },
    ],
  })
  const provider = new sdk.MeterProvider({ resource, readers: [reader] })
  return { close: () => provider.shutdown() }
}

const timeOf = (milliseconds: number): HrTime => [Math.floor(milliseconds / 1000), (milliseconds % 1000) * 1_000_000]
