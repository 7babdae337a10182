import type { ObjectType } from '@svc/schema'
import { anyDeclaredReadKey, declaredReadKey, sourceKindsReadKey } from '../graph.ts'
import { announce } from '../names/names.ts'
import { objectId } from '../table-id.ts'
import type { Changes } from './find-changes.ts'
import type { ModelDraft } from './model-draft.ts'

/** Says to their readers what came and went in the document, and what databases have otherwise. */
export function announceChanges(draft: ModelDraft, { objects, database }: Changes): void {
  if (draft.graph.readers.isEmpty()) return
  for (const key of database) announce(draft, key)
  const isSource = ({ address, change }: Changes['objects'][number]) => address.type === 'source' && change !== 'update'
  if (objects.some(isSource)) announce(draft, sourceKindsReadKey)
  const isAsked = new Map<ObjectType, boolean>()
  for (const { change, address } of objects) {
    if (change === 'update') continue
    const known = isAsked.get(address.type) ?? draft.graph.readers.has(anyDeclaredReadKey(address.type))
    isAsked.set(address.type, known)
    if (known) announce(draft, declaredReadKey(address.type, objectId(address)))
  }
}
