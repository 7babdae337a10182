import { address, addressText, childrenOf, equalJson, findObject, type MetadataObject, ownKey } from '@svc/schema'
import { type DirtyObject, dirtyObjects, forget } from './dirty-objects.ts'
import { type Draft, draftLookup, partsOf } from './draft.ts'
import type { Changes } from './find-changes.ts'
import { Flaw } from './flaw.ts'
import { type ReadKey, relationshipReadKey, type TableNode } from './graph.ts'
import type { ResolvedRelationship, TableId } from './model.ts'
import { clearFault, recordFault } from './record-fault.ts'
import { readKeyOf, recordReads } from './record-reads.ts'
import { declaredNames, resolveRelationship } from './resolve-relationship.ts'
import { listenedTo } from './surroundings.ts'
import { tableIdOf } from './table-id.ts'
import type { Touch } from './update-tables.ts'

const relationshipTypes = ['object_relationship', 'array_relationship'] as const

/** Second layer: relationships between served tables (spec 01 §2.4). */
export function updateRelationships(draft: Draft, changes: Changes, touched: ReadonlyMap<TableId, Touch>): void {
  const dirty = dirtyObjects(draft, changes, touched, relationshipTypes, ['all', 'relationships', 'silent'])
  for (const { address: at, object, old } of [...dirty.values()])
    if (!object || !old)
      for (const other of rivals(draft, at, object ?? old)) dirty.set(addressText(other.address), other)
  for (const [key, one] of dirty) updateOne(draft, key, one)
}

/** Array relationships whose name, or whose `<name>_aggregate`, this one's coming or going takes or frees. */
function rivals(draft: Draft, at: DirtyObject['address'], object: MetadataObject | null): readonly DirtyObject[] {
  const table = at.parent && findObject(draft.input.document, at.parent)
  if (!table || !object) return []
  const name = String(object.value.name)
  const names = name.endsWith('_aggregate') ? [name, name.slice(0, -'_aggregate'.length)] : [name]
  return names.flatMap((candidate) => {
    const own = ownKey('array_relationship', { name: candidate })
    const rival = childrenOf(table, 'array_relationship').get(own)
    return rival ? [{ address: address('array_relationship', own, at.parent), object: rival, old: null }] : []
  })
}

function updateOne(draft: Draft, key: string, { address: at, object, old }: DirtyObject): void {
  const id = tableIdOf(at)
  const node = draft.graph.nodes.get(id)
  const kind = at.type === 'array_relationship' ? 'array' : 'object'
  if (!object || !node?.served) {
    forget(draft, key, at)
    const name = String((object ?? old)?.value.name)
    if (node?.served) serve(draft, id, name, kind, null)
    return
  }
  draft.rebuilt++
  const reads = new Set<ReadKey>()
  const relationship = attempt(draft, node, at, object, reads)
  if (relationship) clearFault(draft, key)
  recordReads(draft, key, at, reads)
  serve(draft, id, String(object.value.name), kind, relationship)
}

function attempt(
  draft: Draft,
  node: TableNode,
  at: DirtyObject['address'],
  object: MetadataObject,
  reads: Set<ReadKey>,
): ResolvedRelationship | null {
  const around = listenedTo(draftLookup(draft), (use) => {
    const read = readKeyOf(use, node.id)
    if (read !== null) reads.add(read)
  })
  try {
    return resolveRelationship(
      object,
      node.shape,
      node.face,
      declaredNames(findObject(draft.input.document, node.address)),
      around,
    )
  } catch (error) {
    if (!(error instanceof Flaw)) throw error
    recordFault(draft, at, object, error)
    return null
  }
}

/** An object and an array relationship of one name do not get in each other's way here: only one is ever resolved. */
function serve(
  draft: Draft,
  id: TableId,
  name: string,
  kind: 'object' | 'array',
  now: ResolvedRelationship | null,
): void {
  const before = draftLookup(draft).relationship(id, name)
  const mine = before?.kind === kind ? before : null
  if (now === null ? mine === null : equalJson(before, now)) return
  const { relationships } = partsOf(draft, id)
  if (now) relationships.set(name, now)
  else relationships.delete(name)
  draft.changed.add(relationshipReadKey(id, name))
}
