import type { JsonObject, ObjectAddress } from '@svc/schema'
import type { ApiError, ErrorCode } from '../errors.ts'
import type { RootName } from './root-owner.ts'

/** reference/metadata-document#inconsistent-objects */
export interface InconsistentObject {
  readonly reason: string
  readonly type: string
  readonly name: string
  readonly definition: JsonObject | string
  readonly message?: unknown
}

/**
 * A permission that an inherited role does not inherit, since its parents differ in it
 * (reference/metadata-document#inconsistent-objects).
 */
export interface PermissionConflict {
  readonly reason: string
  readonly type: 'inherited role permission inconsistency'
  readonly name: string
  readonly entity: JsonObject
}

/**
 * Why an object is inconsistent. `database`: the database lacks something or has it otherwise. `metadata`: something
 * that metadata could still gain. `clash`: a name is taken. `definition`: wrong whatever else exists.
 */
export type FaultCause = 'database' | 'metadata' | 'clash' | 'definition'

/** What a change is refused with that takes a name: its code, and its message with `{name}` for the name. */
export interface Conflict {
  readonly code: ErrorCode
  readonly message: string
}

/** Names of types, or of fields of a root. */
export type ClashedNames = 'type' | RootName

export interface Fault {
  readonly address: ObjectAddress
  readonly cause: FaultCause
  /** With cause `metadata`: what is missing. With `clash`: the owners of the name. */
  readonly needs: readonly ObjectAddress[]
  /** Keys inside the object's value, down to the part at fault: permission, columns, 0. */
  readonly at: readonly (string | number)[]
  /** With a clash of root fields or types: their names, and what they are names of. */
  readonly names: readonly string[]
  readonly namesOf?: ClashedNames
  /** Of a query collection: the query at fault, all else of it being right. */
  readonly query?: string
  /** Refuses a change of the object with this code instead of invalid-configuration. */
  readonly code?: 'not-supported' | 'remote-schema-conflicts'
  /** Refuses it with this error instead. */
  readonly refusal?: ApiError
  /** Refuses a change that takes a name from the object. */
  readonly conflict?: Conflict
}
