import type { ErrorReport } from './error-report.ts'
import type { ActionObservation, EventObservation } from './event-observation.ts'
import type { CatalogueObservation, MetadataObservation } from './metadata-observation.ts'
import type { AuthenticationObservation, OutgoingObservation, RequestObservation } from './request-observation.ts'
import type { SourceObservation } from './source-observation.ts'
import type { SubscriptionObservation, WebsocketObservation } from './websocket-observation.ts'

/**
 * Everything worth reporting. Reporters state facts; listeners choose words and levels (reference/logs).
 * No field may hold a secret: database URLs go through `redactUrl`, errors through `errorReport`.
 */
export type Observation =
  | StartupObservation
  | WorkerObservation
  | EmbeddedObservation
  | CatalogueObservation
  | SourceObservation
  | MetadataObservation
  | AuthenticationObservation
  | TelemetryObservation
  | RequestObservation
  | EventObservation
  | OutgoingObservation
  | ActionObservation
  | WebsocketObservation
  | SubscriptionObservation

export type ObservationOf<K extends Observation['kind']> = Extract<Observation, { kind: K }>

type StartupObservation =
  | { readonly kind: 'admin-secret-missing'; readonly host: string }
  /** Variables of the reference engine, which do not count, with those that do. */
  | { readonly kind: 'reference-variables-set'; readonly variables: string }
  | { readonly kind: 'configured'; readonly settings: Readonly<Record<string, unknown>> }
  | { readonly kind: 'startup-failed'; readonly message: string; readonly error: ErrorReport | null }
  | { readonly kind: 'server-started'; readonly url: string; readonly milliseconds: number }
  /** `signal` is null when the caller of an in-process server closed it; `requestsInFlight` where workers have them. */
  | { readonly kind: 'server-stopping'; readonly signal: string | null; readonly requestsInFlight: number | null }
  | { readonly kind: 'server-stopped'; readonly milliseconds: number }

/** Of --workers: by number, from 1. */
type WorkerObservation =
  | {
      readonly kind: 'worker-started'
      readonly worker: number
      readonly pid: number
      readonly url: string
      readonly milliseconds: number
    }
  | { readonly kind: 'worker-stopping'; readonly worker: number; readonly requestsInFlight: number }
  /** It had served; it is replaced unless the server stops. */
  | {
      readonly kind: 'worker-ended'
      readonly worker: number
      readonly pid: number
      readonly code: number | null
      readonly signal: string | null
    }
  /** One that was to replace another could not start. */
  | {
      readonly kind: 'worker-failed'
      readonly worker: number
      readonly message: string
      readonly error: ErrorReport | null
    }

type EmbeddedObservation =
  | {
      readonly kind: 'embedded-moved'
      readonly asked: string
      readonly directory: string
      readonly user: string
    }
  | { readonly kind: 'embedded-initialising'; readonly directory: string }
  | { readonly kind: 'embedded-leftover-stopped'; readonly pid: number }
  | {
      readonly kind: 'embedded-started'
      readonly directory: string
      readonly user: string | null
      readonly pid: number
      readonly log: string
      readonly milliseconds: number
    }
  | { readonly kind: 'embedded-stopped'; readonly directory: string }
  /** It ended although the engine did not stop it; the engine cannot go on. */
  | { readonly kind: 'embedded-ended'; readonly lastLine: string }

type TelemetryObservation =
  | { readonly kind: 'telemetry-started'; readonly traces: boolean; readonly metrics: boolean }
  | { readonly kind: 'telemetry-failed'; readonly message: string }
