import type { EnumType } from '../types/type.ts'

/** What a whole number is for, which decides its bounds. */
export type IntPlace = 'limit' | 'offset' | 'int'

/** A variable as `limit`, `offset` or a value of an enum: checked each time, since the plan does not depend on its value. */
export type VariableCheck = {
  readonly variable: string
  readonly keys: readonly (string | number)[]
  readonly path: readonly (string | number)[]
} & ({ readonly kind: IntPlace } | { readonly kind: 'enum'; readonly of: EnumType; readonly list: boolean })
