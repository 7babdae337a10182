import type { RemoteSchema } from '@svc/schema'
import type { ApiError } from '../errors.ts'
import type { RemoteNaming } from './customize.ts'
import type { RemoteTypes } from './remote-types.ts'

/** A remote schema as its server described it last, or why it could not be had. `definition`: as metadata has it. */
export type RemoteState = ReadyRemote | UnavailableRemote

export interface ReadyRemote {
  readonly status: 'ready'
  readonly name: string
  readonly definition: RemoteSchema['definition']
  /** The value of `__schema`, as the server returned it. */
  readonly introspection: unknown
  readonly types: RemoteTypes
  readonly naming: RemoteNaming
}

export interface UnavailableRemote {
  readonly status: 'unavailable'
  readonly name: string
  readonly definition: RemoteSchema['definition']
  /** What an operation that adds it is refused with. */
  readonly error: ApiError
  /** Null: it was never read. What is wrong with it may be only its customization. */
  readonly introspection: unknown
}

export type RemoteStates = ReadonlyMap<string, RemoteState>
