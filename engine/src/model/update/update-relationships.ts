import {
  address,
  addressText,
  childrenOf,
  equalJson,
  findObject,
  type MetadataObject,
  type ObjectAddress,
  ownKey,
} from '@svc/schema'
import { type ReadKey, relationshipReadKey, type TableNode } from '../graph.ts'
import type { ResolvedRelationship, TableId } from '../model.ts'
import { Flaw } from '../resolve/flaw.ts'
import { declaredNames, resolveRelationship } from '../resolve/resolve-relationship.ts'
import { listenedTo } from '../resolve/surroundings.ts'
import { tableIdOf } from '../table-id.ts'
import { type DirtyObject, dirtyObjects, forget, unchanged } from './dirty-objects.ts'
import { type Draft, draftLookup, partsOf } from './draft.ts'
import type { Changes } from './find-changes.ts'
import { clearFault, recordFault } from './record-fault.ts'
import { readKeyOf, recordReads } from './record-reads.ts'

const relationshipTypes = ['object_relation', 'array_relation'] as const

/** Second layer: relationships between served tables (spec 01 §2.4). */
export function updateRelationships(draft: Draft, changes: Changes): void {
  const dirty = dirtyObjects(draft, changes, relationshipTypes, ['all', 'relationships', 'silent'])
  for (const one of dirty) updateOne(draft, one)
  const done = new Set(dirty.map(({ address: at }) => addressText(at)))
  // dirty twice would do no harm, but it would be counted twice
  for (const at of dirty.flatMap((one) => rivals(draft, one)))
    if (!done.has(addressText(at))) updateOne(draft, unchanged(draft, at))
}

/** Array relationships whose name, or whose `<name>_aggregate`, is taken or freed by one that came or went. */
function rivals(draft: Draft, { address: at, object, old, isNew }: DirtyObject): readonly ObjectAddress[] {
  if (isNew || (object && old)) return []
  const table = at.parent && findObject(draft.input.document, at.parent)
  if (!table) return []
  const name = String((object ?? old)?.value.name)
  const names = name.endsWith('_aggregate') ? [name, name.slice(0, -'_aggregate'.length)] : [name]
  return names
    .map((candidate) => ownKey('array_relation', { name: candidate }))
    .filter((own) => childrenOf(table, 'array_relation').has(own))
    .map((own) => address('array_relation', own, at.parent))
}

function updateOne(draft: Draft, one: DirtyObject): void {
  const { address: at, object, old, isNew } = one
  const id = tableIdOf(at)
  const node = draft.graph.nodes.get(id)
  const kind = at.type === 'array_relation' ? 'array' : 'object'
  if (!object || !node?.served) {
    forget(draft, one)
    const name = String((object ?? old)?.value.name)
    if (node?.served) serve(draft, id, name, kind, null)
    return
  }
  draft.rebuilt++
  const reads = new Set<ReadKey>()
  const relationship = attempt(draft, node, at, object, reads)
  if (relationship && !isNew) clearFault(draft, addressText(at))
  recordReads(draft, at, reads)
  serve(draft, id, String(object.value.name), kind, relationship)
}

function attempt(
  draft: Draft,
  node: TableNode,
  at: ObjectAddress,
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
