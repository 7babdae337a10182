import type { MetricObjectWithValues, MetricValue } from 'prom-client'

interface Value {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** One figure with its values by labels. */
export type Figure = { readonly name: string; readonly help: string } & (
  | { readonly kind: 'counter' | 'gauge'; readonly values: readonly Value[] }
  | { readonly kind: 'histogram'; readonly values: readonly HistogramValue[] }
)

/** `counts` has one entry more than `boundaries`: the values above all of them. */
interface HistogramValue {
  readonly labels: Readonly<Record<string, string>>
  readonly boundaries: readonly number[]
  readonly counts: readonly number[]
  readonly sum: number
  readonly count: number
}

type Metric = MetricObjectWithValues<MetricValue<string>>

/** The registry's own form -> figures; summaries are none. */
export const figuresOf = (metrics: readonly Metric[]): readonly Figure[] => metrics.flatMap(figureOf)

function figureOf({ name, help, type, values }: Metric): readonly Figure[] {
  switch (String(type)) {
    case 'counter':
      return [{ name, help, kind: 'counter', values: values.map(plainValue) }]
    case 'gauge':
      return [{ name, help, kind: 'gauge', values: values.map(plainValue) }]
    case 'histogram':
      return [{ name, help, kind: 'histogram', values: histogramsOf(values) }]
    default:
      return []
  }
}

const plainValue = ({ labels, value }: MetricValue<string>): Value => ({ labels: labelsOf(labels), value })

const labelsOf = (labels: Partial<Record<string, string | number>>) =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))

/** Prometheus' buckets include all lower ones; those of OTLP do not. */
function histogramsOf(values: readonly MetricValue<string>[]): readonly HistogramValue[] {
  const byLabels = new Map<
    string,
    { labels: Record<string, string>; below: [number, number][]; sum: number; count: number }
  >()
  for (const { labels, value, metricName = '' } of values as readonly (MetricValue<string> & {
    metricName?: string
  })[]) {
    const { le, ...own } = labelsOf(labels)
    const key = JSON.stringify(own)
    const known = byLabels.get(key) ?? { labels: own, below: [], sum: 0, count: 0 }
    byLabels.set(key, known)
    if (metricName.endsWith('_sum')) known.sum = value
    else if (metricName.endsWith('_count')) known.count = value
    else if (le !== undefined && le !== '+Inf') known.below.push([Number(le), value])
  }
  return [...byLabels.values()].map(({ labels, below, sum, count }) => {
    const sorted = below.toSorted(([a], [b]) => a - b)
    const counts = sorted.map(([, value], index) => value - (sorted[index - 1]?.[1] ?? 0))
    return {
      labels,
      boundaries: sorted.map(([le]) => le),
      counts: [...counts, count - (sorted.at(-1)?.[1] ?? 0)],
      sum,
      count,
    }
  })
}
