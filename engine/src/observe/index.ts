/**
 * observe: everything worth reporting, as facts. Begin at observation.ts: one union type; logs are one listener of it,
 * and no other module writes to the log. A module that reports gets an `Observer` and calls `report`.
 * Imports nothing of ours.
 */

export { type ErrorReport, errorReport, withoutPasswords } from './error-report.ts'
export { linePrinter } from './line-printer.ts'
export {
  configurableLogTypes,
  type LogSettings,
  logFormats,
  logLevels,
} from './log-line.ts'
export { logListener } from './log-listener.ts'
export type { Observation, ObservationOf } from './observation.ts'
export { createObserver, type Listener, type Observer, silent } from './observer.ts'
export { redactUrl } from './redact-url.ts'
export type { QueryPlanned, RequestAnswered } from './request-observation.ts'
export type { WebsocketFacts } from './websocket-observation.ts'
