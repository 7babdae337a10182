/**
 * observe: everything worth reporting, as facts. Begin at observation.ts: one union type; logs are one listener of it,
 * and no other module writes to the log. Whoever reports takes an `Observer` and calls `report`.
 * Imports nothing of ours.
 */

export { errorReport, withoutPasswords } from './error-report.ts'
export { linePrinter } from './line-printer.ts'
export { configurableLogTypes, type LogLevel, type LogSettings, type LogType, logLevels } from './log-line.ts'
export { logListener } from './log-listener.ts'
export type {
  ErrorReport,
  Observation,
  ObservationOf,
  QueryPlanned,
  RequestAnswered,
  WebsocketFacts,
} from './observation.ts'
export { createObserver, type Listener, type Observer, silent } from './observer.ts'
export { redactUrl } from './redact-url.ts'
