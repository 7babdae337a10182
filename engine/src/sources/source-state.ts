import type { JsonObject } from '@svc/schema'
import type { Backend, Introspection, SourceConnection } from '../backends/index.ts'

/** What is known of one source at a moment; plain data for the model, which compares by reference. */
export type SourceState =
  | {
      readonly status: 'ready'
      readonly name: string
      readonly backend: Backend
      readonly configuration: JsonObject
      readonly introspection: Introspection
      readonly connection: SourceConnection
    }
  | {
      readonly status: 'unavailable'
      readonly name: string
      readonly backend: Backend
      readonly configuration: JsonObject
      /** `Inconsistent object: connection error`, an unset environment variable … */
      readonly reason: string
      readonly message: unknown
    }
