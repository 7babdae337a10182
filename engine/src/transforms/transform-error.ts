import type { LongWork } from '../long-work.ts'
import type { TemplateError } from '../templates/index.ts'

/** One of the list in `internal` (reference/transforms#errors-of-templates). */
export type TransformError =
  | TemplateError
  | {
      readonly error_code: 'TransformationError' | 'Request Initialization Error'
      readonly message: string
      readonly value?: unknown
    }

/** What a transform's part came to: errors of all parts are collected. */
export type Outcome<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'errors'; readonly errors: readonly TransformError[] }

export const succeeded = <T>(value: T): Outcome<T> => ({ kind: 'value', value })

export const failed = (...errors: readonly TransformError[]): Outcome<never> => ({ kind: 'errors', errors })

export const errorsOf = (outcome: Outcome<unknown>): readonly TransformError[] =>
  outcome.kind === 'errors' ? outcome.errors : []

/** Returns all values, or the errors of all that failed. */
export function together<T>(outcomes: readonly Outcome<T>[]): Outcome<readonly T[]> {
  const errors = outcomes.flatMap(errorsOf)
  if (errors.length > 0) return failed(...errors)
  return succeeded(outcomes.flatMap((outcome) => (outcome.kind === 'value' ? [outcome.value] : [])))
}

/** Returns what is made of each entry, or the errors of all that failed. */
export function* eachOf<Entry, T>(
  entries: readonly Entry[],
  make: (entry: Entry) => LongWork<Outcome<T>>,
): LongWork<Outcome<readonly T[]>> {
  const outcomes: Outcome<T>[] = []
  for (const entry of entries) outcomes.push(yield* make(entry))
  return together(outcomes)
}
