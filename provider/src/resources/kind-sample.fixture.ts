/** One kind for tests: a value of it, others, and the same in other words. */
import type { Values } from './value.ts'

export interface KindSample {
  readonly kind: string
  readonly base: Values
  /** Patches of `base`, by the attribute they are for; several where one alone would be no valid object. */
  readonly changes: Readonly<Record<string, Values>>
  /** Patches that say the same as `base` in other words. */
  readonly respelled: readonly Values[]
}

export const named = (name: string, schema = 'public'): Values => ({ schema, name })
