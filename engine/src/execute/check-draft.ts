import type { Effects } from '../backends/index.ts'
import { ApiError, Path } from '../errors.ts'
import type { JoinTree } from './join-tree.ts'
import { isWritten, labelled, type PreparedPlan } from './prepared-plan.ts'

/** Which operations a draft answers (docs/drafts.md). */
export interface DraftUse {
  /** Whether rows are answered through it. */
  readonly isOpen: boolean
}

/**
 * Throws for what is not answered through a draft: not-supported for whatever may have effects, access-denied for rows where it is
 * not open.
 */
export function checkDraft(
  { plan, roots, joins }: Pick<PreparedPlan, 'plan' | 'roots' | 'joins'>,
  use: DraftUse,
): void {
  if (plan.isMutation) throw notThrough('mutations')
  for (const { root } of labelled(roots)) {
    if ('form' in root) throw notThrough('actions')
    if (isWritten(root)) throw notThrough('mutations')
    switch (root.kind) {
      case 'introspection':
      case 'text':
        break
      case 'database':
        requireReading(root.compiled.effects)
        requireOpen(use)
        break
      case 'remote':
        requireOpen(use)
        break
    }
  }
  if (joins) checkJoins(joins)
}

function checkJoins({ joins, below }: JoinTree): void {
  for (const join of joins) {
    if (join.kind !== 'remote') requireReading(join.rows.query.effects)
    if (join.inner) checkJoins(join.inner)
  }
  for (const inner of below.values()) checkJoins(inner)
}

function requireReading(effects: Effects): void {
  if (effects !== 'none') throw notThrough('volatile functions and native queries')
}

/** Throws access-denied for rows, and plans to read them, of a draft that is not open. */
export function requireOpen({ isOpen }: DraftUse): void {
  if (isOpen) return
  const message =
    'an access token made this draft: it shows its schema, and rows once an admin has opened it (open_draft)'
  throw new ApiError('access-denied', Path.root, message)
}

/** Returns the error of everything that is refused through a draft. */
export const notThrough = (what: string): ApiError =>
  new ApiError('not-supported', Path.root, `a draft only reads: ${what} are not run through it`)
