import {
  address,
  childrenOf,
  equalJson,
  findObject,
  type MetadataDocument,
  type MetadataObject,
  type ObjectAddress,
  type ObjectType,
  ownKey,
  putObject,
  removeObject,
  setValue,
  tableAddress,
} from '@svc/schema'
import { tableReadKey } from '../graph.ts'
import type { Model, TableId } from '../model.ts'
import { modelLookup } from '../model-lookup.ts'
import { tableIdOf } from '../table-id.ts'
import { type DatabaseNames, type DatabaseRenames, databaseNames } from './database-names.ts'
import { rewriteObject } from './rewrite-object.ts'

/**
 * The model's document after tables and columns of a source were renamed in its database (spec 01 §2.16): every
 * reference follows. The model must be one in which the old names still hold.
 */
export function renameInDatabase(model: Model, source: string, renames: DatabaseRenames): MetadataDocument {
  const { document } = model.input
  const names = databaseNames(source, renames)
  const lookup = modelLookup(model)
  const sourceOwn = ownKey('source', { name: source })
  const rewritten = objectsNaming(model, names).reduce((rest, at) => {
    const object = findObject(rest, at)
    if (!object) return rest
    const value = rewriteObject(object, ownTable(at, sourceOwn), names, lookup)
    return equalJson(value, object.value) ? rest : setValue(rest, at, value)
  }, document)
  return moveTables(rewritten, source, renames)
}

/** The table an address names or lies below, or the source itself for what hangs there; null in other sources. */
function ownTable(at: ObjectAddress, sourceOwn: string): TableId | null {
  const source = at.parent?.type === 'source' ? at.parent : at.parent?.parent
  return source?.own === sourceOwn ? tableIdOf(at) : null
}

/** Objects that may name one of the tables or columns. Only permissions are too many to look at all of them. */
function objectsNaming(model: Model, names: DatabaseNames): readonly ObjectAddress[] {
  const { document } = model.input
  const remote = [...childrenOf(document, 'remote_schema')].flatMap(([own, schema]) =>
    below(schema, ['remote_schema_remote_relationship'], address('remote_schema', own)),
  )
  const ofSources = [...childrenOf(document, 'source')].flatMap(([own, source]) =>
    objectsOfSource(source, address('source', own), names),
  )
  const readers = [...concernedTables(model, names)].flatMap((id) => [
    ...(model.graph.readers.get(tableReadKey(id))?.values() ?? []),
  ])
  return [address('custom_types', ''), ...remote, ...ofSources, ...readers]
}

function objectsOfSource(source: MetadataObject, at: ObjectAddress, names: DatabaseNames): readonly ObjectAddress[] {
  const here = source.value.name === names.source
  const queries = here ? below(source, ['native_query'], at) : []
  const tables = [...childrenOf(source, 'table')].flatMap(([own, table]) => {
    const tableAt = address('table', own, at)
    if (!here) return below(table, ['remote_relationship'], tableAt)
    if (!names.concerns(tableIdOf(tableAt))) return below(table, namingTypes, tableAt)
    return [tableAt, ...below(table, Object.keys(table.children) as ObjectType[], tableAt)]
  })
  return [...queries, ...tables]
}

const namingTypes = ['object_relation', 'array_relation', 'remote_relationship'] as const

const below = (object: MetadataObject, types: readonly ObjectType[], at: ObjectAddress): readonly ObjectAddress[] =>
  types.flatMap((type) => [...childrenOf(object, type).keys()].map((own) => address(type, own, at)))

const concernedTables = (model: Model, names: DatabaseNames): readonly TableId[] =>
  [...model.graph.nodes.keys()].filter((id) => names.concerns(id))

/** All leave their old place before any takes its new one, so names may be exchanged. */
function moveTables(document: MetadataDocument, source: string, { tables }: DatabaseRenames): MetadataDocument {
  const moves = tables.flatMap(({ from, to }) => {
    const object = findObject(document, tableAddress(source, from))
    return object ? [{ from: tableAddress(source, from), to: tableAddress(source, to), object }] : []
  })
  const emptied = moves.reduce((rest, { from }) => removeObject(rest, from), document)
  // the last table of a source leaves no list behind, but the source stays
  return moves.reduce((rest, { to, object }) => putObject(rest, to, object), emptied)
}
