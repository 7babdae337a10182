/**
 * metrics: figures for Prometheus (docs/observability.md). Begin at create-metrics.ts. What happens is counted from
 * observations (count-observations.ts); what is, is read when it is requested (`Metrics.gauge`).
 * Imports observe.
 */

export { createMetrics, type Metrics, type Reading } from './create-metrics.ts'
export type { Figure } from './figure.ts'
export { keptFigures, type OwnFigures, togetherText } from './figures-together.ts'
