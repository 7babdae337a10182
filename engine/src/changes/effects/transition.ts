import {
  changesOf,
  childrenOf,
  diffDocuments,
  equalJson,
  findObject,
  type JsonObject,
  type MetadataDocument,
  type MetadataObject,
  type ObjectAddress,
  type ObjectType,
  objectKinds,
  putObject,
  removeObject,
  sourceAddress,
} from '@svc/schema'
import { changedTables, type DatabaseTable } from '../../backends/index.ts'
import type { SourceState } from '../../sources/index.ts'
import type { SourceStates } from '../draft.ts'

/** Metadata and what is known of its databases, at a moment. */
export interface MetadataSnapshot {
  readonly document: MetadataDocument
  readonly states: SourceStates
}

/** What became of one object: null to something: it is new; something to null: it is gone. */
export interface Transition {
  readonly type: ObjectType
  readonly old: PlacedObject | null
  readonly new: PlacedObject | null
}

/** A metadata object and its table and source. */
export interface PlacedObject {
  /** The name of its source. */
  readonly source: string
  readonly address: ObjectAddress
  readonly object: MetadataObject
  /**
   * The table it belongs to (null: none); `known`: what the database says of it, null where it has none or is not
   * reached.
   */
  readonly table: { readonly object: MetadataObject; readonly known: DatabaseTable | null } | null
}

/**
 * The transitions of objects of these kinds by the source that they concern: the one they belong to now, or belonged
 * to.
 *
 * In addition to objects that differ these are all of a table that differs in the database, and all of a source that
 * another database serves now. An object that moved to another table of its source (or whose table or source was
 * renamed) is one transition, not a drop and a creation.
 */
export function transitionsBetween(
  before: MetadataSnapshot,
  after: MetadataSnapshot,
  types: ReadonlySet<ObjectType>,
): ReadonlyMap<string, readonly Transition[]> {
  if (types.size === 0 || (before.document === after.document && before.states === after.states)) return new Map()
  const renamed = renamedSources(before.document, after.document)
  const found = new Transitions(before, after, renamed)
  const aligned = [...renamed].reduce(renameSource, before.document)
  for (const { address, old, new: now } of changesOf(diffDocuments(aligned, after.document), types))
    found.add(address, old !== null, now !== null)
  for (const [own, source] of childrenOf(after.document, 'source'))
    if (findObject(aligned, { type: 'source', own, parent: null })) addOfDatabase(found, source, own, types)
  return found.bySource()
}

/** Every object of these kinds in one source, as if it were new. */
export function creationsIn(
  snapshot: MetadataSnapshot,
  source: string,
  types: ReadonlySet<ObjectType>,
): readonly Transition[] {
  const at = sourceAddress(source)
  const object = findObject(snapshot.document, at)
  if (!object) return []
  return objectsBelow(object, at, types).map((address) => ({
    type: address.type,
    old: null,
    new: placed(snapshot, address),
  }))
}

/** What is to be done though metadata is the same: the database is another one, or its tables changed. */
function addOfDatabase(found: Transitions, source: MetadataObject, own: string, types: ReadonlySet<ObjectType>): void {
  const at: ObjectAddress = { type: 'source', own, parent: null }
  const [was, is] = found.statesOf(at)
  if (was === is || is?.status !== 'ready') return
  if (was?.status !== 'ready' || !equalJson(was.configuration, is.configuration)) {
    for (const address of objectsBelow(source, at, types)) found.create(address)
    return
  }
  const tables = childrenOf(source, 'table')
  for (const ownTable of changedTables(was.introspection.tables, is.introspection.tables)) {
    const table = tables.get(ownTable)
    if (!table) continue
    const above: ObjectAddress = { type: 'table', own: ownTable, parent: at }
    for (const address of objectsBelow(table, above, types)) found.add(address, true, true)
  }
}

class Transitions {
  readonly #before: MetadataSnapshot
  readonly #after: MetadataSnapshot
  /** New names of sources to old ones. */
  readonly #renamed: ReadonlyMap<string, string>
  readonly #found = new Map<string, { readonly source: string; readonly transition: Transition }>()

  constructor(before: MetadataSnapshot, after: MetadataSnapshot, renamed: ReadonlyMap<string, string>) {
    this.#before = before
    this.#after = after
    this.#renamed = renamed
  }

  /** Of a source, by its address as it is now. */
  statesOf(source: ObjectAddress): readonly [SourceState | undefined, SourceState | undefined] {
    return [stateOf(this.#before, this.#old(source)), stateOf(this.#after, source)]
  }

  /** Joined with what is already known of an object by that name in the source. */
  add(address: ObjectAddress, isOld: boolean, isNew: boolean): void {
    const key = keyOf(address)
    const known = this.#found.get(key)?.transition
    const old = isOld ? placed(this.#before, this.#old(address)) : null
    const now = isNew ? placed(this.#after, address) : null
    this.#put(key, { type: address.type, old: known?.old ?? old, new: known?.new ?? now })
  }

  /** As new, whatever it was: in its database it is. */
  create(address: ObjectAddress): void {
    this.#put(keyOf(address), { type: address.type, old: null, new: placed(this.#after, address) })
  }

  bySource(): ReadonlyMap<string, readonly Transition[]> {
    const grouped = new Map<string, Transition[]>()
    for (const { source, transition } of this.#found.values()) {
      const group = grouped.get(source)
      if (group) group.push(transition)
      else grouped.set(source, [transition])
    }
    return grouped
  }

  #put(key: string, transition: Transition): void {
    const source = transition.new?.source ?? transition.old?.source
    if (source !== undefined) this.#found.set(key, { source, transition })
  }

  #old({ type, own, parent }: ObjectAddress): ObjectAddress {
    if (parent) return { type, own, parent: this.#old(parent) }
    return { type, own: (type === 'source' && this.#renamed.get(own)) || own, parent }
  }
}

const stateOf = ({ document, states }: MetadataSnapshot, source: ObjectAddress): SourceState | undefined =>
  states.get(String(findObject(document, source)?.value.name))

/** Of an object among those of its kind and name in the whole source. */
function keyOf(address: ObjectAddress): string {
  let top = address
  while (top.parent) top = top.parent
  return JSON.stringify([top.own, address.type, address.own])
}

function placed({ document, states }: MetadataSnapshot, address: ObjectAddress): PlacedObject | null {
  const object = findObject(document, address)
  const path: ObjectAddress[] = []
  for (let at: ObjectAddress | null = address; at; at = at.parent) path.push(at)
  const source = path.find(({ type }) => type === 'source')
  const name = source && findObject(document, source)?.value.name
  if (!object || typeof name !== 'string') return null
  const above = path.find(({ type }) => type === 'table')
  const table = above && findObject(document, above)
  const state = states.get(name)
  const known = state?.status === 'ready' && above ? (state.introspection.tables.get(above.own) ?? null) : null
  return { source: name, address, object, table: table ? { object: table, known } : null }
}

/** New own keys of sources to old ones: what left and came with the same kind and configuration has another name only. */
function renamedSources(before: MetadataDocument, after: MetadataDocument): ReadonlyMap<string, string> {
  const [olds, news] = [childrenOf(before, 'source'), childrenOf(after, 'source')]
  const renamed = new Map<string, string>()
  if (olds === news) return renamed
  const gone = [...olds].filter(([own]) => !news.has(own))
  for (const [own, source] of news) {
    if (olds.has(own)) continue
    const at = gone.findIndex(([, old]) => isSameDatabase(old.value, source.value))
    const [match] = at < 0 ? [] : gone.splice(at, 1)
    if (match) renamed.set(own, match[0])
  }
  return renamed
}

const isSameDatabase = (a: JsonObject, b: JsonObject): boolean =>
  equalJson(a.configuration, b.configuration) && equalJson(a.kind, b.kind)

function renameSource(document: MetadataDocument, [now, old]: readonly [now: string, old: string]): MetadataDocument {
  const at = (own: string): ObjectAddress => ({ type: 'source', own, parent: null })
  const source = findObject(document, at(old))
  return source ? putObject(removeObject(document, at(old)), at(now), source) : document
}

/** Addresses of the objects of these kinds below one, parents first. */
function objectsBelow(
  node: MetadataObject,
  above: ObjectAddress,
  types: ReadonlySet<ObjectType>,
): readonly ObjectAddress[] {
  const ways = waysTo(types)
  return Object.entries(node.children).flatMap(([key, children]) => {
    const type = key as ObjectType
    if (!ways.has(type) || !children) return []
    return [...children].flatMap(([own, object]) => {
      const at: ObjectAddress = { type, own, parent: above }
      return [...(types.has(type) ? [at] : []), ...objectsBelow(object, at, types)]
    })
  })
}

/** The kinds and all above them: elsewhere there is nothing to search for. */
function waysTo(types: ReadonlySet<ObjectType>): ReadonlySet<ObjectType> {
  const ways = new Set<ObjectType>()
  for (const type of types) for (let at: ObjectType | null = type; at; at = objectKinds[at].parent) ways.add(at)
  return ways
}
