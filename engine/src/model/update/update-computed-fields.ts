import { addressText, equalJson, type MetadataObject } from '@svc/schema'
import { computedFieldReadKey, type ReadKey, type TableNode, tableNameReadKey, typeReadKey } from '../graph.ts'
import type { ResolvedComputedField, TableId } from '../model.ts'
import { Flaw } from '../resolve/flaw.ts'
import { resolveComputedField } from '../resolve/resolve-computed-field.ts'
import { listenedTo } from '../resolve/surroundings.ts'
import { tableIdOf } from '../table-id.ts'
import {
  argumentScalars,
  computedArgumentsType,
  heldType,
  refuseTakenScalars,
  refuseTakenType,
} from './argument-types.ts'
import { type DirtyObject, dirtyObjects, forget, unchanged } from './dirty-objects.ts'
import { type Draft, draftLookup, partsOf } from './draft.ts'
import type { Changes } from './find-changes.ts'
import { clearFault, recordFault } from './record-fault.ts'
import { readKeyOf, recordReads } from './record-reads.ts'
import type { Touch } from './update-tables.ts'

/** Third layer: fields that functions of the database compute (spec 01 §2.8). */
export function updateComputedFields(draft: Draft, changes: Changes, touched: ReadonlyMap<TableId, Touch>): void {
  for (const read of changes.functions) draft.changed.add(read)
  const dirty = dirtyObjects(draft, changes, touched, ['computed_field'], ['all', 'relationships', 'silent'])
  const released = new Set<string>()
  for (const one of dirty) updateOne(draft, one, released)
  for (const name of released)
    for (const at of draft.graph.readers.get(typeReadKey(name))?.values() ?? [])
      if (at.type === 'computed_field' && !draft.graph.argumentTypes.has(name))
        updateOne(draft, unchanged(draft, at), new Set())
}

/** `released`: gets the name of a type that it gives back. */
function updateOne(draft: Draft, one: DirtyObject, released: Set<string>): void {
  const { address, object, old, isNew } = one
  const held = isNew ? null : heldType(draft, address)
  if (held !== null) {
    draft.graph.argumentTypes.delete(held)
    released.add(held)
  }
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
  const type = field && computedArgumentsType(field, node)
  if (type) {
    draft.graph.argumentTypes.set(type, address)
    released.delete(type)
  }
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
    const field = resolveComputedField(object, node.shape, node.face, around)
    const type = computedArgumentsType(field, node)
    if (type !== null) {
      reads.add(typeReadKey(type))
      reads.add(tableNameReadKey(node.id))
      refuseTakenType(draft, type, address, ['name'])
    }
    const { types } = node.shape
    const scalars = argumentScalars(field.arguments, types)
    if (field.returns.kind === 'scalar') scalars.add(types.graphqlScalar(field.returns.type))
    for (const scalar of scalars) reads.add(typeReadKey(scalar))
    refuseTakenScalars(draft, scalars, ['definition', 'function'])
    return field
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
