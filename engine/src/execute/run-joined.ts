import { giveBytesBack, takeBytes } from '../reused-bytes.ts'
import { type Allowance, requireLeft } from './allowance.ts'
import type { JoinTree } from './join-tree.ts'
import { type JsonPieces, sizeOfPieces, writePieces } from './json-pieces.ts'
import type { Add, RootRun } from './root-run.ts'
import { type AskJoin, Splicer } from './splice-joins.ts'

export interface Joining {
  readonly tree: JoinTree
  readonly ask: AskJoin
  readonly answerSize: Allowance
  readonly maxJoinRows: number
}

/**
 * The root fields with the values of their joins. Those of a query are requested when all root fields are there, so that
 * equal ones are requested once; those of a mutation with each root field, before the next one writes.
 */
export function joinRoots(runs: readonly RootRun[], joining: Joining, isMutation: boolean): readonly RootRun[] {
  if (isMutation) return runs.map((run) => joinedAlone(run, joining))
  let all: Promise<readonly Buffer[]> | undefined
  return runs.map(({ key }, i) => ({
    key,
    async run(add) {
      all ??= joined(runs, joining)
      add((await all)[i] ?? Buffer.alloc(0))
    },
  }))
}

const joinedAlone = (run: RootRun, joining: Joining): RootRun => {
  if (!joining.tree.below.has(run.key ?? '')) return run
  return {
    key: run.key,
    async run(add) {
      for (const bytes of await joined([run], joining)) add(bytes)
    },
  }
}

async function joined(runs: readonly RootRun[], { tree, ask, answerSize, maxJoinRows }: Joining) {
  const splicer = new Splicer(ask, maxJoinRows)
  const scanned: JsonPieces[] = []
  let size = 0
  const take = (parts: Buffer[]): Add => {
    return (part) => {
      size += part.length
      requireLeft(answerSize, size)
      parts.push(part)
    }
  }
  for (const { key, run } of runs) {
    const parts: Buffer[] = []
    await run(take(parts))
    const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    const below = tree.below.get(key ?? '')
    scanned.push(below ? splicer.scan(bytes, below) : { bytes, pieces: [0, bytes.length], holes: [null], numbers: [0] })
  }
  await splicer.fill()
  let left = answerSize.left
  const written = scanned.map((answer) => {
    const length = sizeOfPieces(answer, left)
    requireLeft(answerSize, answerSize.left - left + length)
    left -= length
    const bytes = takeBytes(length)
    writePieces(answer, bytes, 0)
    return bytes
  })
  for (const { bytes } of scanned) giveBytesBack(bytes)
  splicer.giveBack(giveBytesBack)
  return written
}
