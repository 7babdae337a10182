import { Map as ImmutableMap } from 'immutable'
import { canonicalKind, type NameStyle, nameStyle } from './backend-kind.ts'
import { checkDepth, depthLimit } from './check-depth.ts'
import { decodeShallow, type Issue } from './decode.ts'
import { isDefaultObject } from './default-objects.ts'
import { type Children, type MetadataDocument, type MetadataObject, ownKeyOf } from './document.ts'
import { resolveForeignNames } from './foreign-names.ts'
import type { Json, JsonObject } from './json.ts'
import { childTypesOf, type ObjectType, objectKinds } from './object-kinds.ts'
import { tableText } from './object-name.ts'
import { objectSchemas } from './object-schemas.ts'
import { isRecord } from './shape.ts'

type Path = readonly (string | number)[]

export type ReadMetadata =
  | {
      readonly ok: true
      readonly document: MetadataDocument
      /** 1 and 2 are the older forms: their tables and functions lie in a source `default` without a configuration. */
      readonly version: 1 | 2 | 3
      /** Keys the format does not know, which are left out (reference/metadata-document#top-level). */
      readonly ignored: readonly Path[]
    }
  | { readonly ok: false; readonly issue: Issue }

/**
 * Reads metadata in any accepted form (reference/metadata-document#top-level, reference/metadata-document#objects,
 * reference/metadata-document#older-forms) into a document of canonical values. The first issue ends it; all of them
 * are parse-failed.
 */
export function readMetadata(json: unknown): ReadMetadata {
  if (checkDepth(json)) return { ok: false, issue: { path: [], message: `nested more than ${depthLimit} levels deep` } }
  const ignored: Path[] = []
  try {
    if (!isRecord(json)) throw new Refused([], 'expected object')
    const version = versionOf(json)
    const reading: Reading = { styleOf: stylesOfSources(json), ignored }
    const children = version === 3 ? readVersion3(json, reading) : readOlder(json, version, reading)
    return { ok: true, document: { children }, version, ignored }
  } catch (error) {
    if (error instanceof Refused) return { ok: false, issue: { path: error.path, message: error.message } }
    throw error
  }
}

interface Reading {
  readonly styleOf: (source: string) => NameStyle
  readonly ignored: Path[]
}

class Refused extends Error {
  readonly path: Path
  constructor(path: Path, message: string) {
    super(message)
    this.path = path
  }
}

function versionOf(json: JsonObject): 1 | 2 | 3 {
  const { version } = json
  if (version === undefined || version === null || version === 1) return 1
  if (version === 2 || version === 3) return version
  throw new Refused(['version'], `expected 1, 2 or 3, encountered ${JSON.stringify(version).slice(0, 80)}`)
}

function stylesOfSources(json: JsonObject): (source: string) => NameStyle {
  const sources = Array.isArray(json.sources) ? json.sources.filter(isRecord) : []
  const styles = new Map(sources.map((source) => [source.name, nameStyle(kindOf(source))]))
  return (source) => styles.get(source) ?? 'public'
}

const kindOf = (source: JsonObject) => (typeof source.kind === 'string' ? canonicalKind(source.kind) : 'postgres')

function readVersion3(json: JsonObject, reading: Reading): Children {
  const known = new Set(['version', ...childTypesOf(null).map((type) => objectKinds[type].list)])
  reading.ignored.push(...Object.keys(json).flatMap((key) => (known.has(key) ? [] : [[key]])))
  return readChildren(null, json, [], 'public', reading)
}

function readOlder(json: JsonObject, version: 1 | 2, reading: Reading): Children {
  if (json.tables === undefined) throw new Refused([], 'key "tables" not found')
  const functions =
    version === 1 && Array.isArray(json.functions) ? json.functions.map((name) => ({ function: name })) : json.functions
  const inSource: JsonObject = { tables: json.tables, ...(functions === undefined ? {} : { functions }) }
  const source: MetadataObject = {
    type: 'source',
    value: { name: 'default', kind: 'postgres' },
    children: readChildren('source', inSource, [], 'public', reading),
  }
  const { sources: _, tables: __, functions: ___, ...others } = json
  return {
    ...readVersion3(others, reading),
    source: ImmutableMap([[ownKeyOf('source', source.value), source]]),
  }
}

function readChildren(
  parent: ObjectType | null,
  json: JsonObject,
  path: Path,
  style: NameStyle,
  reading: Reading,
): Children {
  const children: { [T in ObjectType]?: ImmutableMap<string, MetadataObject> } = {}
  for (const type of childTypesOf(parent)) {
    const { list, singleton } = objectKinds[type]
    const given = json[list]
    if (given === undefined || given === null) continue
    const items = singleton ? [{ json: given, path: [...path, list] }] : itemsOf(type, given, [...path, list])
    const objects = readSiblings(type, items, [...path, list], style, reading)
    if (!objects.isEmpty()) children[type] = objects
  }
  return children
}

interface Item {
  readonly json: Json
  readonly path: Path
}

function itemsOf(type: ObjectType, given: Json, path: Path): readonly Item[] {
  if (!Array.isArray(given)) throw new Refused(path, 'expected list')
  const items = given.map((json, i) => ({ json, path: [...path, i] }))
  return type === 'remote_schema_remote_relationship' ? items.flatMap(ungroup) : items
}

/** `[{type_name, relationships: […]}]` holds relationships of several types. */
function ungroup({ json, path }: Item): readonly Item[] {
  if (!isRecord(json)) throw new Refused(path, 'expected object')
  const { type_name = null, relationships } = json
  if (relationships === undefined) throw new Refused(path, 'key "relationships" not found')
  if (!Array.isArray(relationships)) throw new Refused([...path, 'relationships'], 'expected list')
  return relationships.map((one: Json, i: number) => {
    const at = [...path, 'relationships', i]
    if (!isRecord(one)) throw new Refused(at, 'expected object')
    return { json: { type_name, ...one }, path: at }
  })
}

/**
 * Of these a later declaration takes the place of an earlier one; of others two are an error
 * (reference/metadata-document#top-level).
 */
const lastWins: ReadonlySet<ObjectType> = new Set(['source', 'table', 'function', 'rest_endpoint'])

function readSiblings(
  type: ObjectType,
  items: readonly Item[],
  path: Path,
  style: NameStyle,
  reading: Reading,
): ImmutableMap<string, MetadataObject> {
  const twice: string[] = []
  const objects = ImmutableMap<string, MetadataObject>().withMutations((map) => {
    for (const item of items) {
      const object = readObject(type, item, style, reading)
      if (objectKinds[type].singleton && isDefaultObject(type, object.value)) continue
      const own = ownKeyOf(type, object.value)
      if (map.has(own) && !lastWins.has(type)) twice.push(ownText(type, object.value))
      map.set(own, object)
    }
  })
  if (twice.length > 0)
    throw new Refused(
      path,
      `multiple declarations exist for the following ${things(path)}: ${[...new Set(twice)].join(', ')}`,
    )
  return objects
}

const things = (path: Path) => String(path.at(-1)).replaceAll('_', ' ')

const ownText = (type: ObjectType, value: JsonObject) =>
  Object.values(objectKinds[type].key(value)).map(tableText).join('.')

function readObject(type: ObjectType, { json, path }: Item, style: NameStyle, reading: Reading): MetadataObject {
  if (!isRecord(json)) throw new Refused(path, 'expected object')
  const own = ownPart(type, json)
  const ownStyle = type === 'source' ? nameStyle(kindOf(json)) : style
  refuseUnknownKeys(type, own, path)
  const decoded = decodeShallow(objectSchemas(ownStyle)[type], own, path)
  if (!decoded.ok) throw new Refused(decoded.issue.path, decoded.issue.message)
  if (type === 'source')
    reading.ignored.push(...Object.keys(own).flatMap((key) => (sourceKeys.has(key) ? [] : [[...path, key]])))
  return {
    type,
    value: resolveForeignNames(type, decoded.value, reading.styleOf),
    children: readChildren(type, json, path, ownStyle, reading),
  }
}

function ownPart(type: ObjectType, json: JsonObject): JsonObject {
  const lists = new Set(childTypesOf(type).map((child) => objectKinds[child].list))
  return lists.size === 0 ? json : Object.fromEntries(Object.entries(json).filter(([key]) => !lists.has(key)))
}

const tableKeys = new Set(['table', 'is_enum', 'configuration', 'apollo_federation_config', 'logical_model'])
const sourceKeys = new Set(['name', 'kind', 'configuration', 'query_tags', 'customization', 'health_check'])

function refuseUnknownKeys(type: ObjectType, own: JsonObject, path: Path): void {
  if (type !== 'table') return
  const unknown = Object.keys(own).filter((key) => !tableKeys.has(key))
  if (unknown.length > 0)
    throw new Refused(path, `unexpected keys when parsing TableMetadata: ${JSON.stringify(unknown)}`)
}
