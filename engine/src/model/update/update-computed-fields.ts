import { addressText, equalJson, type MetadataObject } from '@svc/schema'
import { computedFieldReadKey, type ReadKey, type TableNode } from '../graph.ts'
import type { ResolvedComputedField, TableId } from '../model.ts'
import { Flaw } from '../resolve/flaw.ts'
import { resolveComputedField } from '../resolve/resolve-computed-field.ts'
import { listenedTo } from '../resolve/surroundings.ts'
import { tableIdOf } from '../table-id.ts'
import { type DirtyObject, dirtyObjects, forget } from './dirty-objects.ts'
import { type Draft, draftLookup, partsOf } from './draft.ts'
import type { Changes } from './find-changes.ts'
import { clearFault, recordFault } from './record-fault.ts'
import { readKeyOf, recordReads } from './record-reads.ts'
import type { Touch } from './update-tables.ts'

/** Third layer: fields that functions of the database compute (spec 01 §2.8). */
export function updateComputedFields(draft: Draft, changes: Changes, touched: ReadonlyMap<TableId, Touch>): void {
  for (const read of changes.functions) draft.changed.add(read)
  const dirty = dirtyObjects(draft, changes, touched, ['computed_field'], ['all', 'relationships', 'silent'])
  for (const one of dirty) updateOne(draft, one)
}

function updateOne(draft: Draft, one: DirtyObject): void {
  const { address, object, old, isNew } = one
  const id = tableIdOf(address)
  const node = draft.graph.nodes.get(id)
  const name = String((object ?? old)?.value.name)
  if (!object || !node?.served) {
    forget(draft, one)
    if (node?.served) serve(draft, id, name, null)
    return
  }
  draft.rebuilt++
  const reads = new Set<ReadKey>()
  const field = attempt(draft, node, object, one, reads)
  if (field && !isNew) clearFault(draft, addressText(address))
  recordReads(draft, address, reads)
  serve(draft, id, name, field)
}

function attempt(
  draft: Draft,
  node: TableNode,
  object: MetadataObject,
  { address }: DirtyObject,
  reads: Set<ReadKey>,
): ResolvedComputedField | null {
  const around = listenedTo(draftLookup(draft), (use) => {
    const read = readKeyOf(use, node.id)
    if (read !== null) reads.add(read)
  })
  try {
    return resolveComputedField(object, node.shape, node.face, around)
  } catch (error) {
    if (!(error instanceof Flaw)) throw error
    recordFault(draft, address, object, error)
    return null
  }
}

function serve(draft: Draft, id: TableId, name: string, now: ResolvedComputedField | null): void {
  const before = draftLookup(draft).computedField(id, name)
  if (now === null ? before === null : equalJson(before, now)) return
  const { computedFields } = partsOf(draft, id)
  if (now) computedFields.set(name, now)
  else computedFields.delete(name)
  draft.changed.add(computedFieldReadKey(id, name))
}
