import type { ObjectAddress } from '@svc/schema'
import type { ApiError } from '../../errors.ts'
import type { ClashedNames, Conflict, FaultCause } from '../fault.ts'

export interface ResolutionErrorDetail {
  readonly cause: FaultCause
  readonly needs?: readonly ObjectAddress[]
  readonly at?: readonly (string | number)[]
  readonly names?: readonly string[]
  readonly namesOf?: ClashedNames
  /** A value that its type cannot hold. */
  readonly isValue?: true
  /** What is well formed and not possible. */
  readonly isUnsupported?: true
  /** Of a change that brings it about, where that is not invalid-configuration. */
  readonly code?: 'not-supported' | 'remote-schema-conflicts'
  /** Of a clash: what refuses a change of another object that brings it about. */
  readonly conflict?: Conflict
  /** What an operation that brings it about is refused with, instead. */
  readonly refusal?: ApiError
  /** Detail for `message` of the inconsistent object. */
  readonly message?: unknown
  /**
   * Bare: shown without the chain of contexts, as `table "t" is not tracked` is
   * (reference/metadata-document#inconsistent-objects).
   */
  readonly bare?: boolean
  readonly prefix?: 'Inconsistent object' | 'Conflicting objects'
}

/** Thrown while an object is resolved: it is inconsistent. Never leaves the module. */
export class ResolutionError extends Error {
  readonly detail: ResolutionErrorDetail

  constructor(text: string, detail: ResolutionErrorDetail) {
    super(text)
    this.detail = detail
  }
}
