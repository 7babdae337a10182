import { ApiError, Path } from '../errors.ts'
import type { LongWork } from '../long-work.ts'
import { outgoingRequest, type Running } from './graphql-execution.ts'
import { prepareUnit, type UnitContext } from './prepare-unit.ts'
import { isWritten, labelled, type PreparedRoot, type WrittenRoot } from './prepared-plan.ts'
import { writeConnection } from './source-connection.ts'
import { validateInput } from './validate-input.ts'
import { runUnits, type WriteUnit } from './write-unit.ts'

/** Returns the functions that answer the root fields of a mutation, each to be called when it is its turn. */
export type Writes = ReadonlyMap<WrittenRoot, () => Promise<readonly Buffer[]>>
export const noWrites: Writes = new Map()

/**
 * One transaction where all that the mutation does is writes to one source; else each root field is by itself, and what was
 * committed before one that fails remains (reference/mutations#transactions).
 */
export function* prepareWrites(
  roots: readonly PreparedRoot[],
  running: Running,
  context: UnitContext,
): LongWork<Writes> {
  const { session, answerSize, signal, trace, actions, bound: log, routed } = running
  const leaves = leavesOf(roots)
  const units = new Map<WrittenRoot, WriteUnit>()
  const sources = new Set<string>()
  for (const root of leaves) {
    if (!isWritten(root)) continue
    const unit = yield* prepareUnit(root, context)
    units.set(root, unit)
    sources.add(unit.source)
    log?.set(
      root,
      unit.programs.flatMap(({ statements }) => statements),
    )
  }
  const run = async (chosen: readonly WriteUnit[], source: string) => {
    for (const { validations } of chosen)
      for (const validation of validations) {
        if (!actions) throw new ApiError('not-supported', Path.root, 'webhooks cannot be called here')
        await validateInput(validation, { ...outgoingRequest(running), services: actions.handlers })
      }
    return runUnits(chosen, { connection: writeConnection(routed, source), session, answerSize, trace, signal })
  }
  const isJoint = sources.size === 1 && units.size === leaves.length
  const [source = ''] = sources
  let together: Promise<readonly (readonly Buffer[])[]> | undefined
  return new Map(
    [...units].map(([root, unit], i) => [
      root,
      async () => {
        if (!isJoint) return (await run([unit], unit.source).catch(at(unit)))[0] ?? []
        together ??= run([...units.values()], source)
        return (await together)[i] ?? []
      },
    ]),
  )
}

const leavesOf = (roots: readonly PreparedRoot[]): readonly PreparedRoot[] =>
  roots.some((root) => 'roots' in root) ? labelled(roots).map(({ root }) => root) : roots

/** Other fields may be stored already: an error without a path gets that of its root field. */
const at =
  ({ path }: WriteUnit) =>
  (error: unknown): never => {
    throw error instanceof ApiError && error.path.keys.length === 0 ? error.under(path) : error
  }
