import { AnswerTooLarge } from '../backends/index.ts'
import { requireLeft } from './allowance.ts'
import { type Bindings, bindShort } from './bind.ts'
import type { Running } from './graphql-execution.ts'
import type { PreparedRoot } from './prepared-plan.ts'
import type { RootRun } from './root-run.ts'
import { callerOf, readConnection } from './source-connection.ts'

/** What root fields are read with. */
export type Reading = Pick<Running, 'routed' | 'answerSize'> & { readonly signal?: AbortSignal | undefined }

type ReadRoot = Extract<PreparedRoot, { readonly kind: 'database' }>

/**
 * Prepares most requests: each root field is one statement, and its values are short. Null for all others, which are
 * prepared in pieces (prepare-run.ts): the generators of that cost a read by key 2 µs of 40.
 */
export function prepareReads(
  roots: readonly PreparedRoot[],
  execution: Reading,
  bindings: Bindings,
): readonly RootRun[] | null {
  if (roots.length > MOST) return null
  const { allowance } = bindings
  const { left } = allowance
  const runs: RootRun[] = []
  for (const root of roots) {
    const parameters = root.kind === 'database' ? bindShort(root.compiled.slots, root.types, bindings) : null
    if (root.kind !== 'database' || !parameters) {
      // all of them are bound again
      allowance.left = left
      return null
    }
    runs.push(readRun(root, parameters, execution))
  }
  return runs
}

/** Root fields that are bound at once. */
const MOST = 16

/** Queries the field's source. */
export const readRun = (
  { responseKey: key, compiled, source }: ReadRoot,
  parameters: readonly (string | null)[],
  { routed, signal, answerSize }: Reading,
): RootRun => ({
  key,
  run: async (add) => {
    try {
      add(await readConnection(routed, source).query(compiled, parameters, signal, answerSize.left, callerOf(routed)))
    } catch (error) {
      if (error instanceof AnswerTooLarge) requireLeft(answerSize, error.bytes)
      throw error
    }
  },
})
