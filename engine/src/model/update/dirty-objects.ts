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
import { addressOfTable, tableIdOf } from '../table-id.ts'
import type { Draft, Touch } from './draft.ts'
import type { Changes } from './find-changes.ts'
import { clearFault } from './record-fault.ts'
import { noReads, recordReads } from './record-reads.ts'

/** An object to resolve again; `object` is null when the document no longer has it. */
export interface DirtyObject {
  readonly address: ObjectAddress
  readonly object: MetadataObject | null
  /** As the document had it before, where it is gone. */
  readonly old: MetadataObject | null
  /** It is new with its whole table: nothing is remembered of it that had to be forgotten. */
  readonly isNew: boolean
}

/** The objects of some types that were edited, stand below a touched table, or read what changed. */
export function dirtyObjects(
  draft: Draft,
  changes: Changes,
  types: readonly ObjectType[],
  touches: readonly Touch[],
): readonly DirtyObject[] {
  // a first build has little else: 235,000 objects at 5,000 tables x 11 roles, which need no keys to be told apart
  const news: DirtyObject[] = []
  const dirty = new Map<string, DirtyObject>()
  for (const { address, old, new: object } of changes.objects) {
    if (!types.includes(address.type)) continue
    if (address.parent && changes.newTables.has(address.parent)) news.push({ address, object, old, isNew: true })
    else dirty.set(addressText(address), { address, object, old, isNew: false })
  }
  const found = (one: DirtyObject) => dirty.set(addressText(one.address), one)
  const newIds = new Set([...changes.newTables].map(tableIdOf))
  for (const [id, touch] of draft.touched) {
    if (newIds.has(id) || !touches.includes(touch)) continue
    for (const below of objectsBelow(draft, addressOfTable(id), types)) found(below)
  }
  const parents = new Set(types.map((type) => objectKinds[type].parent))
  if (parents.has('source'))
    for (const at of changes.turnedSources) for (const below of objectsBelow(draft, at, types)) found(below)
  for (const parent of parents)
    for (const { at } of draft.changedValues.get(parent ?? '')?.values() ?? [])
      for (const below of objectsBelow(draft, at, types)) found(below)
  for (const read of draft.changed)
    for (const [key, address] of draft.graph.readers.get(read) ?? []) {
      if (!types.includes(address.type)) continue
      const own = key.endsWith('#relationships') ? addressText(address) : key
      if (!dirty.has(own)) dirty.set(own, unchanged(draft, address))
    }
  return [...news, ...dirty.values()]
}

function objectsBelow(draft: Draft, at: ObjectAddress, types: readonly ObjectType[]): readonly DirtyObject[] {
  const above = findObject(draft.input.document, at)
  if (!above) return []
  return types.flatMap((type) =>
    [...childrenOf(above, type)].map(([own, object]) => ({
      address: childAddress(type, own, at),
      object,
      old: null,
      isNew: false,
    })),
  )
}

/** An object to resolve again though nobody edited it. */
export const unchanged = (draft: Draft, address: ObjectAddress): DirtyObject => ({
  address,
  object: findObject(draft.input.document, address) ?? null,
  old: null,
  isNew: false,
})

/** Below a table that is not served, objects are silently absent (spec 01 §5); so is what a document no longer has. */
export function forget(draft: Draft, { address, isNew }: DirtyObject): void {
  if (isNew) return
  clearFault(draft, addressText(address))
  recordReads(draft, address, noReads)
}
