import type { ActionObservation, EventObservation } from './event-observation.ts'
import type { CatalogueObservation, MetadataObservation } from './metadata-observation.ts'
import type { AuthenticationObservation, OutgoingObservation, RequestObservation } from './request-observation.ts'
import type {
  EmbeddedObservation,
  StartupObservation,
  TelemetryObservation,
  WorkerObservation,
} from './server-observation.ts'
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
