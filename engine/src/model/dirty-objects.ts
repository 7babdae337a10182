import {
  addressText,
  address as childAddress,
  childrenOf,
  findObject,
  type MetadataObject,
  type ObjectAddress,
  type ObjectType,
} from '@svc/schema'
import type { Draft } from './draft.ts'
import type { Changes } from './find-changes.ts'
import type { TableId } from './model.ts'
import { clearFault } from './record-fault.ts'
import { noReads, recordReads } from './record-reads.ts'
import { addressOfTable } from './table-id.ts'
import type { Touch } from './update-tables.ts'

/** An object to resolve again; `object` is null when the document no longer has it. */
export interface DirtyObject {
  readonly address: ObjectAddress
  readonly object: MetadataObject | null
  /** As the document had it before, where it is gone. */
  readonly old: MetadataObject | null
}

/** By addressText: the objects of some types that were edited, stand below a touched table, or read what changed. */
export function dirtyObjects(
  draft: Draft,
  changes: Changes,
  touched: ReadonlyMap<TableId, Touch>,
  types: readonly ObjectType[],
  touches: readonly Touch[],
): Map<string, DirtyObject> {
  const dirty = new Map<string, DirtyObject>()
  for (const { address, old, new: object } of changes.objects)
    if (types.includes(address.type)) dirty.set(addressText(address), { address, object, old })
  for (const [id, touch] of touched) {
    if (!touches.includes(touch)) continue
    for (const below of objectsBelow(draft, id, types)) dirty.set(addressText(below.address), below)
  }
  for (const read of draft.changed)
    for (const [key, address] of draft.graph.readers.get(read) ?? [])
      if (types.includes(address.type) && !dirty.has(key))
        dirty.set(key, { address, object: found(draft, address), old: null })
  return dirty
}

function objectsBelow(draft: Draft, id: TableId, types: readonly ObjectType[]): readonly DirtyObject[] {
  const at = addressOfTable(id)
  const table = findObject(draft.input.document, at)
  if (!table) return []
  return types.flatMap((type) =>
    [...childrenOf(table, type)].map(([own, object]) => ({ address: childAddress(type, own, at), object, old: null })),
  )
}

const found = (draft: Draft, address: ObjectAddress) => findObject(draft.input.document, address) ?? null

/** Below a table that is not served, objects are silently absent (spec 01 §5); so is what a document no longer has. */
export function forget(draft: Draft, key: string, address: ObjectAddress): void {
  clearFault(draft, key)
  recordReads(draft, key, address, noReads)
}
