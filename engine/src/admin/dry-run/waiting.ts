import type { MetadataDocument, ObjectAddress } from '@svc/schema'
import type { Command } from '../command.ts'
import type { Draft } from '../draft.ts'
import type { Surroundings } from '../evaluate.ts'
import { isDeclared } from './implicit-table.ts'
import { tryInPlan } from './try-command.ts'

/** A pending member, with what it waits for as it was when it was tried. */
export interface Waiting {
  readonly command: Command
  readonly needs: readonly { readonly address: ObjectAddress; readonly there: boolean }[]
}

export const waitingFor = (command: Command, needs: readonly ObjectAddress[], document: MetadataDocument): Waiting => ({
  command,
  needs: needs.map((address) => ({ address, there: isThere(document, address) })),
})

/** A filter does not say which kind of relationship it goes over. */
function isThere(document: MetadataDocument, address: ObjectAddress): boolean {
  const isOther = address.type === 'object_relation'
  return isDeclared(document, address) || (isOther && isDeclared(document, { ...address, type: 'array_relation' }))
}

/**
 * Members that waited, tried once more when something they wait for has come or gone: a plan may have thousands of them,
 * and most requests concern none.
 */
export async function tryWaiting(
  start: Draft,
  waiting: readonly Waiting[],
  around: Surroundings,
): Promise<{ readonly draft: Draft; readonly waiting: readonly Waiting[] }> {
  let draft = start
  let left = waiting
  for (;;) {
    const still: Waiting[] = []
    let moved = false
    for (const one of left) {
      const concerned = one.needs.some(({ address, there }) => isThere(draft.document, address) !== there)
      if (!concerned) {
        still.push(one)
        continue
      }
      moved = true
      const tried = await tryInPlan(draft, one.command, around)
      draft = tried.draft
      still.push(...tried.waiting)
    }
    if (!moved) return { draft, waiting: still }
    left = still
  }
}
