import {
  addressText,
  address as childAddress,
  childrenOf,
  findObject,
  type MetadataObject,
  type ObjectAddress,
  type ObjectType,
} from '@svc/schema'
import type { TableId } from '../model.ts'
import { addressOfTable, tableIdOf } from '../table-id.ts'
import type { Draft } from './draft.ts'
import type { Changes } from './find-changes.ts'
import { clearFault } from './record-fault.ts'
import { noReads, recordReads } from './record-reads.ts'
import type { Touch } from './update-tables.ts'

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
  touched: ReadonlyMap<TableId, Touch>,
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
  const newIds = new Set([...changes.newTables].map(tableIdOf))
  for (const [id, touch] of touched) {
    if (newIds.has(id) || !touches.includes(touch)) continue
    for (const below of objectsBelow(draft, id, types)) dirty.set(addressText(below.address), below)
  }
  for (const read of draft.changed)
    for (const [key, address] of draft.graph.readers.get(read) ?? [])
      if (types.includes(address.type) && !dirty.has(key)) dirty.set(key, unchanged(draft, address))
  return [...news, ...dirty.values()]
}

function objectsBelow(draft: Draft, id: TableId, types: readonly ObjectType[]): readonly DirtyObject[] {
  const at = addressOfTable(id)
  const table = findObject(draft.input.document, at)
  if (!table) return []
  return types.flatMap((type) =>
    [...childrenOf(table, type)].map(([own, object]) => ({
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
