import type { JsonObject } from '@svc/schema'
import type { Backend, Introspection, SourceConnection } from '../backends/index.ts'

/** What is known of one source at a moment; plain data for the model, which compares by reference. */
export type SourceState = ReadySource | UnavailableSource

export interface ReadySource {
  readonly status: 'ready'
  readonly name: string
  readonly backend: Backend
  readonly configuration: JsonObject
  readonly introspection: Introspection
  readonly connection: SourceConnection
}

export interface UnavailableSource {
  readonly status: 'unavailable'
  readonly name: string
  readonly backend: Backend
  /** No backend serves its kind (`backend` is a stand-in), so that trying again is useless. */
  readonly hopeless: boolean
  readonly configuration: JsonObject
  /** `Inconsistent object: connection error`, an unset environment variable … */
  readonly reason: string
  /** What the database or the network said; undefined where the reason says it all. */
  readonly message: unknown
}
