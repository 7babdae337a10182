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

type At = ResolutionErrorDetail['at']

const caused =
  (cause: FaultCause) =>
  (text: string, at?: At): ResolutionError =>
    new ResolutionError(text, { cause, ...(at && { at }) })

/** What is declared is wrong in itself. */
export const definitionError = caused('definition')

/** The database does not have what is declared, or has it otherwise. */
export const databaseError = caused('database')

/** Other objects of metadata that it needs are not there. */
export const metadataError = (text: string, needs: readonly ObjectAddress[], at?: At): ResolutionError =>
  new ResolutionError(text, { cause: 'metadata', needs, ...(at && { at }) })

/** Says in the text of an error where it was found, unless it is bare. */
export function foundIn<Result>(place: string, resolve: () => Result): Result {
  try {
    return resolve()
  } catch (error) {
    if (!(error instanceof ResolutionError) || error.detail.bare) throw error
    throw new ResolutionError(place + error.message, error.detail)
  }
}

/** Returns `because …`, or all reasons in a list (reference/database-objects#tracked-functions). */
export function reasonText(reasons: readonly string[]): string {
  const [only] = reasons
  return reasons.length === 1
    ? `because ${only}`
    : `for the following reasons:\n${reasons.map((one) => `  • ${one}\n`).join('')}`
}
