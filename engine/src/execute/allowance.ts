import { ApiError, Path } from '../errors.ts'
import { filledSize, type Template, type VariableValues } from '../graphql/index.ts'
import { keptFor } from '../kept-for.ts'

/** How much of something is left to an operation, and what it is refused with where that is not enough. */
export interface Allowance {
  left: number
  readonly refusal: string
}

/**
 * Characters of values that the statements of one operation may have. A variable may occur in them any number of times,
 * so without a limit 200 kB of request once made 2 GB of values.
 */
export const valuesAllowance = (characters: number): Allowance => ({
  left: characters,
  refusal: `the values of the operation have more than ${characters} characters, counted wherever they are used (--max-values-size)`,
})

/** Bytes of the data that one request is answered with. */
export const answerAllowance = (bytes: number): Allowance => ({
  left: bytes,
  refusal: `the answer is larger than ${bytes} bytes (--max-response-size)`,
})

/** Subtracts an amount from an allowance. Throws bad-request where less is left. */
export function spend(allowance: Allowance, amount: number): void {
  requireLeft(allowance, amount)
  allowance.left -= amount
}

/** Throws bad-request where less than an amount is left of an allowance. */
export function requireLeft({ left, refusal }: Allowance, amount: number): void {
  if (amount > left) throw new ApiError('bad-request', Path.root, refusal)
}

/** The variables that an operation has passed to handlers of actions and to remote schemas. */
const passed = keptFor((_: Allowance) => new Set<string>())

/**
 * Subtracts the size of what a handler or a remote schema is passed, its variables from their second place on: the first is
 * bounded by the size of the request. Throws bad-request, before anything of it is written out.
 */
export const spendPassed = (allowance: Allowance, template: Template, variables: VariableValues): void =>
  spend(allowance, filledSize(template, variables, passed(allowance)))

/** Subtracts the size of a value that is passed several times in one request, from the second time on. Throws bad-request. */
export const spendRepeated = (allowance: Allowance, json: unknown, times: number): void =>
  spend(allowance, Math.max(0, times - 1) * filledSize({ kind: 'json', json }, {}))
