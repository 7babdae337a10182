import { declaredReadKey } from '../graph.ts'
import { announce } from '../names/names.ts'
import { objectId } from '../table-id.ts'
import type { Draft } from './draft.ts'
import type { Changes } from './find-changes.ts'

/** Says to their readers what came and went in the document, and what databases have otherwise. */
export function announceChanges(draft: Draft, { objects, database }: Changes): void {
  if (draft.graph.readers.isEmpty()) return
  for (const key of database) announce(draft, key)
  for (const { change, address } of objects)
    if (change !== 'update') announce(draft, declaredReadKey(address.type, objectId(address)))
}
