import {
  changesOf,
  childrenOf,
  diffDocuments,
  equalJson,
  findObject,
  isRecord,
  type Json,
  type JsonObject,
  kindOfSource,
  type MetadataDocument,
  type MetadataObject,
  type ObjectAddress,
  type ObjectChange,
  type ObjectType,
  objectValue,
  ownKey,
  parseNativeQueryCode,
  tablesWith,
} from '@svc/schema'
import type { QueryDefinition } from '../backends/index.ts'
import { type LongWork, Stretches } from '../long-work.ts'
import type { MetadataStore, TablesOfSource, Versioned } from '../metadata/index.ts'
import type {
  DeclaredQueries,
  NamedFunctions,
  SourceEnums,
  SourceFunctions,
  SourceState,
  Sources,
} from '../sources/index.ts'
import type { SourceStates } from './draft.ts'

/** Returns the states with these tables read again. Unavailable and unknown sources are unchanged. */
export function rereadTables(
  sources: Sources,
  states: SourceStates,
  reread: readonly TablesOfSource[],
): Promise<SourceStates> {
  const bySource = new Map<string, JsonObject[]>()
  for (const { source, tables } of reread) bySource.set(source, [...(bySource.get(source) ?? []), ...tables])
  const refreshed = [...bySource].map(async ([source, tables]) => {
    const state = states.get(source)
    if (state?.status !== 'ready') return null
    const names = tables.map(({ schema, dataset, name }) => ({ schema: String(schema ?? dataset), name: String(name) }))
    return sources.refresh(state, names)
  })
  return replaced(states, refreshed)
}

/**
 * Returns the states with the tables read again for which `to` has something new: the instance that made it may have
 * read newer ones. Sources that were introspected since `known` are not read again.
 */
export async function rereadChangedTables(
  sources: Sources,
  states: SourceStates,
  known: SourceStates,
  from: MetadataDocument,
  to: MetadataDocument,
  stretches: Stretches = new Stretches(),
): Promise<SourceStates> {
  const bySource = await stretches.run(changedTablesBySource(diffDocuments(from, to), to))
  const asked = [...bySource].filter(
    ([source]) => introspectionOf(states.get(source)) === introspectionOf(known.get(source)),
  )
  if (asked.length === 0) return states
  const few = asked.filter(([, tables]) => tables.length <= mostNamed).map(([source, tables]) => ({ source, tables }))
  const many = asked.flatMap(([source, tables]) => (tables.length > mostNamed ? [source] : []))
  return reload(sources, few.length > 0 ? await rereadTables(sources, states, few) : states, many)
}

/** How many tables are read by name; for more it is faster to read everything that was written since. */
const mostNamed = 200

/** The tables, as metadata names them, that changes are about, those left out that are gone. */
function* changedTablesBySource(
  changes: readonly ObjectChange[],
  to: MetadataDocument,
): LongWork<ReadonlyMap<string, readonly JsonObject[]>> {
  // all changes below a table have the very address that the table has
  const seen = new Set<ObjectAddress>()
  const found = new Map<string, JsonObject[]>()
  for (const [i, { change, address }] of changes.entries()) {
    if (i % 256 === 255) yield 256
    const at = change === 'delete' ? null : tableOf(address)
    if (!at || seen.has(at)) continue
    seen.add(at)
    const table = findObject(to, at)?.value.table as JsonObject | undefined
    const source = at.parent && findObject(to, at.parent)?.value.name
    if (!table || typeof source !== 'string') continue
    const tables = found.get(source)
    if (tables) tables.push(table)
    else found.set(source, [table])
  }
  return found
}

/** A state is another one as well when only the functions, enums or native queries are that metadata names. */
const introspectionOf = (state: SourceState | undefined) =>
  state?.status === 'ready' ? state.introspection : undefined

const tableOf = (at: ObjectAddress): ObjectAddress | null =>
  at.type === 'table' ? at : at.parent && tableOf(at.parent)

/** Returns the states with everything of these sources read again; unavailable ones are tried once more. */
export function reload(sources: Sources, states: SourceStates, names: readonly string[]): Promise<SourceStates> {
  const refreshed = names.map(async (name) => {
    const state = states.get(name)
    return state ? sources.refresh(state) : null
  })
  return replaced(states, refreshed)
}

/**
 * Returns the states that a document's sources need: new ones and those of another kind or configuration are connected,
 * and enum tables are read where metadata marks other ones than before. `from` is the document that the states belong
 * to.
 */
export async function follow(
  sources: Sources,
  states: SourceStates,
  from: MetadataDocument,
  to: MetadataDocument,
): Promise<SourceStates> {
  const wanted = new Map([...childrenOf(to, 'source').values()].map((source) => [String(source.value.name), source]))
  const before = new Map([...childrenOf(from, 'source').values()].map((source) => [String(source.value.name), source]))
  const isKept = ([name, state]: readonly [string, SourceState]) =>
    kindOfSource(before.get(name)?.value) === kindOfSource(wanted.get(name)?.value) &&
    equalJson(configurationOf(wanted.get(name)), state.configuration)
  const kept = new Map([...states].filter(isKept))
  const missing = [...wanted].filter(([name]) => !kept.has(name))
  const prepared = missing.map(([name, source]) =>
    sources.prepare(
      name,
      kindOfSource(source.value),
      configurationOf(source) ?? {},
      enumTables(source),
      namedFunctions(source),
      declaredQueries(source),
    ),
  )
  const marks = changedMarks(from, to)
  const functions = changedIn(from, to, ['computed_field', 'function'], namedFunctions)
  const queries = changedIn(from, to, ['native_query', 'stored_procedure', 'logical_model'], declaredQueries)
  const marked = [...new Set([...marks.keys(), ...functions.keys(), ...queries.keys()])].map(async (name) => {
    const state = kept.get(name)
    if (!state) return null
    const changes = marks.get(name)
    const withEnums = changes ? await sources.mark(state, withChanges(state.enums, changes)) : state
    const named = functions.get(name)
    const withFunctions = named ? await sources.name(withEnums, named) : withEnums
    const declared = queries.get(name)
    return declared ? sources.declare(withFunctions, declared) : withFunctions
  })
  const isSame = prepared.length === 0 && kept.size === states.size
  return replaced(isSame ? states : kept, [...prepared, ...marked])
}

/** Returns the stored document. The databases of its sources are read meanwhile, for `follow`. */
export async function loadBesideSources(
  store: Pick<MetadataStore, 'load' | 'loadSources'>,
  sources: Sources,
): Promise<Versioned> {
  const readAhead = store.loadSources().then(
    (values) => {
      for (const value of values)
        sources.readAhead(String(value.name), kindOfSource(value), (value.configuration ?? {}) as JsonObject)
    },
    // what is wrong with the catalogue is found with the document
    () => {},
  )
  try {
    return await store.load()
  } catch (error) {
    await readAhead
    await sources.close()
    throw error
  }
}

const configurationOf = (source: MetadataObject | undefined): JsonObject | undefined =>
  source && ((source.value.configuration ?? {}) as JsonObject)

const isEnum = (table: MetadataObject | null): boolean => table?.value.is_enum === true

const enumTables = (source: MetadataObject): readonly string[] =>
  [...childrenOf(source, 'table')].flatMap(([own, table]) => (isEnum(table) ? [own] : []))

/** By source: the tables whose mark as an enum was set or cleared. */
function changedMarks(from: MetadataDocument, to: MetadataDocument): ReadonlyMap<string, ReadonlyMap<string, boolean>> {
  const marks = new Map<string, Map<string, boolean>>()
  for (const { address, old, new: table } of changesOf(diffDocuments(from, to), ['table'])) {
    if (isEnum(old) === isEnum(table)) continue
    const name = childrenOf(to, 'source').get(address.parent?.own ?? '')?.value.name
    if (typeof name !== 'string') continue
    marks.set(name, (marks.get(name) ?? new Map<string, boolean>()).set(address.own, isEnum(table)))
  }
  return marks
}

/** The functions that a source's computed fields and tracked functions name. */
function namedFunctions(source: MetadataObject): SourceFunctions {
  const fields = [...tablesWith(source, 'computed_field').values()].flatMap((table) => [
    ...childrenOf(table, 'computed_field').values(),
  ])
  const definitions = fields.map(({ value }) => value.definition as JsonObject)
  const tracked = [...childrenOf(source, 'function').values()].map(({ value }) => value)
  return new Map(
    [...definitions, ...tracked].flatMap((value): readonly (readonly [string, NamedFunctions])[] => {
      const { dataset, schema = dataset, name } = (value.function ?? {}) as JsonObject
      if (typeof schema !== 'string' || typeof name !== 'string') return []
      const key = ownKey('function', { function: { schema, name } })
      return [[key, { name: { schema, name }, overloads: [] }]]
    }),
  )
}

/** By source: what is read of it, where one of these objects in it came, went or changed. */
function changedIn<Read>(
  from: MetadataDocument,
  to: MetadataDocument,
  types: readonly ObjectType[],
  read: (source: MetadataObject) => Read,
): ReadonlyMap<string, Read> {
  const changed = new Map<string, Read>()
  for (const { address } of changesOf(diffDocuments(from, to), types)) {
    const { parent } = address
    const source = childrenOf(to, 'source').get((parent?.type === 'table' ? parent.parent : parent)?.own ?? '')
    const name = source?.value.name
    if (source && typeof name === 'string' && !changed.has(name)) changed.set(name, read(source))
  }
  return changed
}

/** The native queries of a source, and the types that these and logical models name. */
function declaredQueries(source: MetadataObject): DeclaredQueries {
  const queries = new Map<string, QueryDefinition>()
  const types = new Set<string>()
  const addFields = (fields: Json | undefined) => {
    for (const name of scalarsOf(fields)) types.add(name)
  }
  for (const { value } of childrenOf(source, 'logical_model').values()) addFields(value.fields)
  for (const [own, object] of childrenOf(source, 'native_query')) {
    const { code, returns, arguments: declared = {} } = objectValue(object, 'native_query')
    const parsed = parseNativeQueryCode(code)
    const given = Object.fromEntries(Object.entries(declared).map(([name, { type }]) => [name, type]))
    queries.set(own, { parts: parsed.ok ? parsed.parts : [], arguments: given })
    for (const type of Object.values(given)) types.add(type)
    if (isRecord(returns)) addFields(returns.fields)
  }
  for (const object of childrenOf(source, 'stored_procedure').values())
    for (const { type } of Object.values(objectValue(object, 'stored_procedure').arguments ?? {})) types.add(type)
  return { queries, types }
}

/** Names of database types at any depth of a logical model's fields. */
function scalarsOf(json: Json | undefined): readonly string[] {
  if (Array.isArray(json)) return (json as readonly Json[]).flatMap(scalarsOf)
  if (!isRecord(json)) return []
  const { scalar, type, array } = json
  return [...(typeof scalar === 'string' ? [scalar] : []), ...scalarsOf(type), ...scalarsOf(array)]
}

function withChanges(enums: SourceEnums, changes: ReadonlyMap<string, boolean>): ReadonlySet<string> {
  const marked = new Set(enums.keys())
  for (const [own, isMarked] of changes) {
    if (isMarked) marked.add(own)
    else marked.delete(own)
  }
  return marked
}

async function replaced(
  states: SourceStates,
  refreshed: readonly Promise<SourceState | null>[],
): Promise<SourceStates> {
  const changed = (await Promise.all(refreshed)).filter((state) => state !== null && states.get(state.name) !== state)
  if (changed.length === 0) return states
  const next = new Map(states)
  for (const state of changed) if (state) next.set(state.name, state)
  return next
}
