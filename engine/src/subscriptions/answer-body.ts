import { createHash, hash } from 'node:crypto'
import type { PreparedPoll } from '../execute/index.ts'

type Column = Buffer | null

/** Returns the whole answer around what the database returned for each root field. */
export function answerBody({ pieces }: Pick<PreparedPoll, 'pieces'>, roots: readonly Column[]): readonly Buffer[] {
  return pieces.flatMap((piece, i) => (i === 0 ? [piece] : [roots[i - 1] ?? NULL, piece]))
}

const NULL = Buffer.from('null')

/** Equal for equal answers. */
export function answerHash(roots: readonly Column[]): string {
  const [only = null] = roots
  if (roots.length === 1) return hash('sha256', only ?? NULL, 'base64')
  const all = createHash('sha256')
  for (const root of roots) all.update(`${(root ?? NULL).length}:`).update(root ?? NULL)
  return all.digest('base64')
}
