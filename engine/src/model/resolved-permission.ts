import type { JsonObject } from '@svc/schema'
import type { BooleanExpression, Value } from '../ir/index.ts'

export interface ResolvedSelectPermission {
  readonly role: string
  /** Column names. */
  readonly columns: ReadonlySet<string>
  /** Scalar computed fields. */
  readonly computedFields: ReadonlySet<string> | '*'
  readonly filter: BooleanExpression
  readonly limit: number | null
  readonly allowAggregations: boolean
  /** Null: all. */
  readonly queryRootFields: ReadonlySet<string> | null
  readonly subscriptionRootFields: ReadonlySet<string> | null
}

/** A column's value in every row that a role writes (reference/permissions#keys). */
export interface Preset {
  readonly column: string
  readonly value: Value
}

/** A webhook that checks the input before anything is written (reference/mutations#validation-of-input). */
export interface InputValidation {
  readonly url: string
  readonly headers: readonly JsonObject[]
  /** Seconds. */
  readonly timeout: number
  readonly forwardClientHeaders: boolean
}

export interface ResolvedInsertPermission {
  readonly role: string
  /** Column names, presets left out. */
  readonly columns: ReadonlySet<string>
  readonly check: BooleanExpression
  readonly presets: readonly Preset[]
  /** Only where the request comes from a backend (reference/permissions#effect-on-the-schema). */
  readonly backendOnly: boolean
  readonly validateInput: InputValidation | null
}

export interface ResolvedUpdatePermission extends ResolvedInsertPermission {
  /** Of the row before it is written; `check` is of the row after. */
  readonly filter: BooleanExpression
}

export interface ResolvedDeletePermission {
  readonly role: string
  readonly filter: BooleanExpression
  readonly backendOnly: boolean
  readonly validateInput: InputValidation | null
}
