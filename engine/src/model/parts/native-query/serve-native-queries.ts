/**
 * Which native queries are served: those that resolve by themselves (native-query-part.ts) and whose relationships lead
 * to tables and native queries that are served. Queries may lead to each other in a ring, which is why this is no part:
 * all that could be served are taken for served until one falls, which takes those along that lead to it.
 */
import { addressText, equalJson, findObject, type ObjectAddress, objectValue, ownKey } from '@svc/schema'
import { finish } from '../../../long-work.ts'
import { declaredRelationshipReadKey, partReadKey, type ReadKey, servedReadKey, tableReadKey } from '../../graph.ts'
import { announce, compareTexts, documentOrder } from '../../names/names.ts'
import { ResolutionError } from '../../resolve/resolution-error.ts'
import type { ResolvedRelationship } from '../../resolved-rows.ts'
import { objectId } from '../../table-id.ts'
import { dirtyObjects } from '../../update/dirty-objects.ts'
import type { Changes } from '../../update/find-changes.ts'
import { draftLookup, type ModelDraft } from '../../update/model-draft.ts'
import { clearFault, recordFault } from '../../update/record-fault.ts'
import { noReads, recordReads } from '../../update/record-reads.ts'
import { changedValues, changeValue } from '../change-value.ts'
import { type PartKey, partValue } from '../values.ts'
import { nativeQueryPart } from './native-query-part.ts'
import { nativeRelationships } from './native-relationships.ts'
import type { NativeNode } from './resolve-native-query.ts'

export interface ServedQuery {
  readonly node: NativeNode
  /** Those it declares for its rows. */
  readonly relationships: ReadonlyMap<string, ResolvedRelationship>
}

interface ServedPart extends PartKey<ServedQuery> {
  same(a: ServedQuery, b: ServedQuery): boolean
}

export const servedQueries: ServedPart = {
  key: 'served native query',
  same: (a, b) => a.node === b.node && equalJson([...a.relationships], [...b.relationships]),
}

export function serveNativeQueries(draft: ModelDraft, changes: Changes): void {
  announceDeclared(draft)
  const pending = new Map<string, ObjectAddress>()
  for (const { address } of finish(dirtyObjects(draft, changes, 'native_query', [])))
    pending.set(objectId(address), address)
  const resolved = new Set(pending.keys())
  // what fell with one of them may be served again
  for (const id of pending.keys())
    for (const [other, at] of leadingTo(draft, id))
      if (partValue(draft, servedQueries, other) === undefined) pending.set(other, at)
  const hopeful = new Set(pending.keys())
  const isServed = (id: string) => hopeful.has(id) || partValue(draft, servedQueries, id) !== undefined
  for (const [id, at] of pending) {
    pending.delete(id)
    if (!resolved.has(id)) draft.rebuilt++
    resolved.add(id)
    const now = serve(draft, at, isServed)
    if (!now) hopeful.delete(id)
    changeValue(draft, servedQueries, at, id, now)
    // set again at the end of those to come
    if (!now) for (const [other, reader] of leadingTo(draft, id)) if (isServed(other)) pending.set(other, reader)
  }
}

/** Native queries that lead to one, fallen ones included. */
function leadingTo({ graph }: ModelDraft, id: string): readonly (readonly [id: string, at: ObjectAddress])[] {
  return [...(graph.readers.get(servedReadKey(id))?.values() ?? [])].map((at) => [objectId(at), at])
}

/** Relationships that came or went say so to the queries that declare one of the same name for the same rows. */
function announceDeclared(draft: ModelDraft): void {
  for (const { old, now } of changedValues(draft, nativeQueryPart).values())
    for (const node of [old, now])
      for (const name of Object.keys(node?.declared ?? {}))
        if (node) announce(draft, declaredRelationshipReadKey(node.rows.id, name))
}

/** In addition to what it read by itself. */
const readerKey = (at: ObjectAddress): string => `${addressText(at)}#relationships`

function serve(draft: ModelDraft, at: ObjectAddress, isServed: (id: string) => boolean): ServedQuery | null {
  const node = partValue(draft, nativeQueryPart, objectId(at))
  const object = findObject(draft.input.document, at)
  if (!node || !object) {
    recordReads(draft, at, noReads, readerKey(at))
    return null
  }
  const reads = new Set<ReadKey>()
  try {
    const relationships = nativeRelationships(objectValue(object, 'native_query'), node.rows, {
      sourceOwn: at.parent?.own ?? '',
      table(id) {
        reads.add(tableReadKey(id))
        return draftLookup(draft).shape(id)
      },
      query(name) {
        const id = `${at.parent?.own ?? ''}/${ownKey('native_query', { root_field_name: name })}`
        reads.add(partReadKey(nativeQueryPart.key, id)).add(servedReadKey(id))
        return isServed(id) ? partValue(draft, nativeQueryPart, id) : undefined
      },
    })
    refuseOtherRelationships(draft, at, node)
    clearFault(draft, addressText(at))
    return { node, relationships }
  } catch (error) {
    if (!(error instanceof ResolutionError)) throw error
    const title = nativeQueryPart.title?.(object) ?? ''
    const text = error.detail.bare ? error.message : `in ${title}: ${error.message}`
    recordFault(draft, at, object, new ResolutionError(text, error.detail))
    return null
  } finally {
    recordReads(draft, at, reads, readerKey(at))
  }
}

/** Of two native queries with the same rows that declare a relationship otherwise, the first has it. */
function refuseOtherRelationships(draft: ModelDraft, at: ObjectAddress, node: NativeNode): void {
  const { document } = draft.input
  for (const [name, declared] of Object.entries(node.declared))
    for (const other of draft.graph.readers.get(declaredRelationshipReadKey(node.rows.id, name))?.values() ?? []) {
      if (compareTexts(documentOrder(document, other), documentOrder(document, at)) >= 0) continue
      const rival = partValue(draft, nativeQueryPart, objectId(other))
      if (rival?.rows.id !== node.rows.id || !Object.hasOwn(rival.declared, name)) continue
      if (equalJson(rival.declared[name], declared)) continue
      throw new ResolutionError(
        `the rows have a relationship "${name}" already, which another native query declares otherwise`,
        {
          cause: 'clash',
          at: [`${declared.kind}_relationships`],
        },
      )
    }
}
