import {
  addressText,
  address as childAddress,
  childrenOf,
  findObject,
  type MetadataObject,
  type ObjectAddress,
  type ObjectType,
  objectKinds,
} from '@svc/schema'
import type { LongWork } from '../../long-work.ts'
import { addressOfTable } from '../table-id.ts'
import type { Changes } from './find-changes.ts'
import type { ModelDraft, TableChange } from './model-draft.ts'

/** An object to resolve again; `object` is null when the document no longer has it. */
export interface DirtyObject {
  readonly address: ObjectAddress
  readonly object: MetadataObject | null
  /** As the document had it before, where it is gone. */
  readonly old: MetadataObject | null
  /** It is new with its whole table: nothing is remembered of it that had to be forgotten. */
  readonly isNew: boolean
}

/** The objects of a kind that were edited, stand below something that changed, or read what changed; and `more`. */
export function* dirtyObjects(
  draft: ModelDraft,
  changes: Changes,
  type: ObjectType,
  touches: readonly TableChange[],
  more: readonly ObjectAddress[] = [],
): LongWork<readonly DirtyObject[]> {
  // a first build has little else: 235,000 objects at 5,000 tables x 11 roles, which need no keys to be distinguished
  const news: DirtyObject[] = []
  const dirty = new Map<string, DirtyObject>()
  for (const { address, old, new: object } of changes.byType.get(type) ?? []) {
    if (address.parent && changes.newTables.has(address.parent)) news.push({ address, object, old, isNew: true })
    else dirty.set(addressText(address), { address, object, old, isNew: false })
    if ((news.length + dirty.size) % piece === 0) yield piece
  }
  let checked = 0
  for (const parent of changedParents(draft, changes, objectKinds[type].parent, touches)) {
    for (const below of objectsBelow(draft, parent, type)) dirty.set(addressText(below.address), below)
    if (++checked % piece === 0) yield piece
  }
  for (const at of [...more, ...(draft.waiting.get(type) ?? [])]) {
    const key = addressText(at)
    if (!dirty.has(key)) dirty.set(key, unchanged(draft, at))
  }
  return [...news, ...dirty.values()]
}

/** Objects between two yields: some tens of microseconds. */
const piece = 64

/** Objects of the kind above that have changed, so that what hangs below them has to be read. */
function changedParents(
  draft: ModelDraft,
  { newTableIds, turnedSources }: Changes,
  kind: ObjectType | null,
  touches: readonly TableChange[],
): readonly ObjectAddress[] {
  switch (kind) {
    case null:
      return []
    case 'source':
      return turnedSources
    case 'table':
      return [...draft.touched].flatMap(([id, touch]) =>
        touches.includes(touch) && !newTableIds.has(id) ? [addressOfTable(id)] : [],
      )
    default:
      return [...(draft.changedValues.get(kind)?.values() ?? [])].map(({ at }) => at)
  }
}

function objectsBelow(draft: ModelDraft, at: ObjectAddress, type: ObjectType): readonly DirtyObject[] {
  const above = findObject(draft.input.document, at)
  if (!above) return []
  return [...childrenOf(above, type)].map(([own, object]) => ({
    address: childAddress(type, own, at),
    object,
    old: null,
    isNew: false,
  }))
}

/** An object to resolve again though no one edited it. */
export const unchanged = (draft: ModelDraft, address: ObjectAddress): DirtyObject => ({
  address,
  object: findObject(draft.input.document, address) ?? null,
  old: null,
  isNew: false,
})
