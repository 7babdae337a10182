import {
  address,
  addressText,
  childrenOf,
  equalJson,
  findObject,
  type MetadataDocument,
  type ObjectAddress,
  type ObjectType,
  objectKinds,
  ownKey,
  putObject,
  removeObject,
  setValue,
  sourceAddress,
  tableAddress,
} from '@svc/schema'
import { tableReadKey } from '../graph.ts'
import type { Model } from '../model.ts'
import { modelLookup } from '../model-lookup.ts'
import type { TableId } from '../object-ids.ts'
import { factsOf, typesNamingTables } from '../parts/parts.ts'
import { addressOfTable, tableIdOf } from '../table-id.ts'
import { type DatabaseNames, type DatabaseRenames, databaseNames } from './database-names.ts'

/**
 * The model's document after tables and columns of a source were renamed in its database
 * (reference/metadata-operations#sql): every reference follows. The model must be one in which the old names still
 * are valid.
 */
export function renameInDatabase(model: Model, source: string, renames: DatabaseRenames): MetadataDocument {
  const { document } = model.input
  // most statements rename nothing, and all that names something of the source would be scanned
  if (renames.tables.length === 0 && renames.columns.length === 0) return document
  const names = databaseNames(source, renames)
  const lookup = modelLookup(model)
  const sourceOwn = ownKey('source', { name: source })
  const rewritten = objectsNaming(model, names).reduce((rest, at) => {
    const object = findObject(rest, at)
    if (!object) return rest
    const value =
      factsOf(at.type).rename?.(object.value, { own: ownTable(at, sourceOwn), names, lookup }) ?? object.value
    return equalJson(value, object.value) ? rest : setValue(rest, at, value)
  }, document)
  return moveTables(rewritten, source, renames)
}

/** The table an address names or lies below, or the source itself for what hangs there; null in other sources. */
function ownTable(at: ObjectAddress, sourceOwn: string): TableId | null {
  const source = at.parent?.type === 'source' ? at.parent : at.parent?.parent
  return source?.own === sourceOwn ? tableIdOf(at) : null
}

/** Objects that may name one of the tables or columns. Only permissions are too many to read all of them. */
function objectsNaming(model: Model, names: DatabaseNames): readonly ObjectAddress[] {
  const { document } = model.input
  const own = sourceAddress(names.source).own
  const elsewhere = typesNamingTables.flatMap(([type, where]) =>
    objectsOf(document, type).filter((at) => where === 'of-all-sources' || sourceOf(at) === own),
  )
  const concerned = [...concernedTables(model, names)]
  const inside = concerned.flatMap((id) => {
    const at = addressOfTable(id)
    const types = Object.keys(findObject(document, at)?.children ?? {}) as ObjectType[]
    return [at, ...types.flatMap((type) => below(document, at, type))]
  })
  const readers = concerned.flatMap((id) => [...(model.graph.readers.get(tableReadKey(id))?.values() ?? [])])
  // each once: a second time would take a new name for an old one
  return [...new Map([...elsewhere, ...inside, ...readers].map((at) => [addressText(at), at])).values()]
}

/** All objects of a kind. */
function objectsOf(document: MetadataDocument, type: ObjectType): readonly ObjectAddress[] {
  const { parent } = objectKinds[type]
  if (parent === null) return [...childrenOf(document, type).keys()].map((own) => address(type, own))
  return objectsOf(document, parent).flatMap((at) => below(document, at, type))
}

function below(document: MetadataDocument, at: ObjectAddress, type: ObjectType): readonly ObjectAddress[] {
  const object = findObject(document, at)
  return object ? [...childrenOf(object, type).keys()].map((own) => address(type, own, at)) : []
}

/** The own key of the source that an object stands in; null where it stands in none. */
const sourceOf = ({ type, own, parent }: ObjectAddress): string | null =>
  parent ? sourceOf(parent) : type === 'source' ? own : null

const concernedTables = (model: Model, names: DatabaseNames): readonly TableId[] =>
  [...model.graph.nodes.keys()].filter((id) => names.concerns(id))

/** All leave their old place before any takes its new one, so names may be exchanged. */
function moveTables(document: MetadataDocument, source: string, { tables }: DatabaseRenames): MetadataDocument {
  const moves = tables.flatMap(({ from, to }) => {
    const object = findObject(document, tableAddress(source, from))
    return object ? [{ from: tableAddress(source, from), to: tableAddress(source, to), object }] : []
  })
  const emptied = moves.reduce((rest, { from }) => removeObject(rest, from), document)
  // the last table of a source leaves no list, but the source remains
  return moves.reduce((rest, { to, object }) => putObject(rest, to, object), emptied)
}
