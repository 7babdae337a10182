import { Map as ImmutableMap } from 'immutable'
import { defaultKind, defaultStyle, kindOfSource, type NameStyle, nameStyle } from './backend-kind.ts'
import { checkDepth, depthLimit } from './check-depth.ts'
import { decodeShallow, type Issue } from './decode.ts'
import { isDefaultObject } from './default-objects.ts'
import { type Children, type MetadataDocument, type MetadataObject, ownKeyOf } from './document.ts'
import { equalJson } from './equal-json.ts'
import { resolveForeignNames } from './foreign-names.ts'
import type { Json, JsonObject } from './json.ts'
import { groupedItemsOf, type Item, itemsOf, pathOf } from './list-items.ts'
import { tableText } from './name-rules.ts'
import { childTypesOf, type ObjectType, objectKinds, objectSchemas } from './object-kinds.ts'
import { isOwnPart, ownPart, sourceKeys, tableKeys } from './own-part.ts'
import { Refused } from './refused.ts'
import { isRecord } from './shape.ts'
import { changedTo, noSiblings, type Siblings } from './siblings.ts'
import { unknownInside } from './unknown-inside.ts'
import type { UnknownKey } from './unknown-keys.ts'

type Path = readonly (string | number)[]

export type ReadMetadata =
  | {
      readonly ok: true
      readonly document: MetadataDocument
      /** 1 and 2 are the older forms: their tables and functions are in a source `default` without a configuration. */
      readonly version: 1 | 2 | 3
      /** Keys the format does not know, which are left out (reference/metadata-document#top-level). */
      readonly ignored: readonly Path[]
      /** Keys inside objects that it does not know, which are stored. They are found when they are read. */
      readonly unknown: readonly UnknownKey[]
    }
  | { readonly ok: false; readonly issue: Issue }

/**
 * Reads metadata in any accepted form (reference/metadata-document#top-level, reference/metadata-document#objects,
 * reference/metadata-document#older-forms) into a document of canonical values. The first issue ends it; all of them
 * are parse-failed. What is equal to an object of `known` at the same address is that object, and is not read: where
 * nothing differs the result is made of the parts of `known`.
 */
export function readMetadata(json: unknown, known?: MetadataDocument, options?: ReadOptions): ReadMetadata {
  const work = readMetadataInPieces(json, known, options)
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

export interface ReadOptions {
  /** Whether to search for unknown keys inside objects. */
  readonly findUnknown?: boolean
  /** What is remembered of a list; undefined: nothing, its members are read. */
  readonly memoryOf?: (list: Json) => ListMemory | undefined
}

/** The objects that the members of a list, the very same JSON, were read as before. */
export interface ListMemory {
  recall(at: number): MetadataObject | undefined
  remember(at: number, object: MetadataObject): void
}

/** The same, in pieces: yields how many objects it has read since it yielded last. */
export function* readMetadataInPieces(
  json: unknown,
  known?: MetadataDocument,
  { findUnknown = false, memoryOf = noMemory }: ReadOptions = {},
): Generator<number, ReadMetadata, void> {
  const ignored: Path[] = []
  const unknown: UnknownKey[] = []
  try {
    if (!isRecord(json)) throw new Refused([], 'expected object')
    const version = versionOf(json)
    const reading: Reading = {
      styleOf: stylesOfSources(json),
      ignored,
      unknown: findUnknown ? unknown : null,
      // the caller puts what older forms have into a source whose kind may spell names in another style
      memoryOf: version === 3 ? memoryOf : noMemory,
      unreported: 0,
    }
    const children =
      version === 3
        ? yield* readVersion3(json, reading, known?.children ?? none)
        : yield* readOlder(json, version, reading)
    return { ok: true, document: { children }, version, ignored, unknown }
  } catch (error) {
    if (error instanceof Refused) {
      const { message, unknown } = error
      const path = asSent(error.path, json)
      return { ok: false, issue: { path, message, ...(unknown.length > 0 && { unknown }) } }
    }
    throw error
  }
}

type Pieces<T> = Generator<number, T, void>

interface Reading {
  readonly styleOf: (source: string) => NameStyle
  readonly ignored: Path[]
  /** Null: they are not searched for. */
  readonly unknown: UnknownKey[] | null
  readonly memoryOf: (list: Json) => ListMemory | undefined
  /** Objects read since the last yield. */
  unreported: number
}

/** Objects between two yields: 1 ms of objects that are read. */
const piece = 32

const none: Children = {}

const noMemory = (): undefined => undefined

function versionOf(json: JsonObject): 1 | 2 | 3 {
  const { version } = json
  if (version === undefined || version === null || version === 1) return 1
  if (version === 2 || version === 3) return version
  throw new Refused(['version'], `expected 1, 2 or 3, encountered ${JSON.stringify(version).slice(0, 80)}`)
}

function stylesOfSources(json: JsonObject): (source: string) => NameStyle {
  const sources = Array.isArray(json.sources) ? json.sources.filter(isRecord) : []
  const styles = new Map(sources.map((source) => [source.name, nameStyle(kindOfSource(source))]))
  return (source) => styles.get(source) ?? defaultStyle
}

function* readVersion3(json: JsonObject, reading: Reading, known: Children): Pieces<Children> {
  const keys = new Set(['version', 'allow_list', ...childTypesOf(null).map((type) => objectKinds[type].list)])
  reading.ignored.push(...Object.keys(json).flatMap((key) => (keys.has(key) ? [] : [[key]])))
  return yield* readChildren(null, withAllowlist(json), [], defaultStyle, reading, known)
}

/** The contract spells the list of allowed collections `allow_list` too. */
function withAllowlist(json: JsonObject): JsonObject {
  const { allow_list, ...others } = json
  if (allow_list === undefined) return json
  if (others.allowlist !== undefined && JSON.stringify(others.allowlist) !== JSON.stringify(allow_list))
    throw new Refused(['allow_list'], 'allow_list is a spelling of allowlist, and they differ')
  return { ...others, allowlist: allow_list }
}

/** The path of what is wrong under the spelling that was sent. */
const asSent = (path: Path, json: unknown): Path =>
  path[0] === 'allowlist' && isRecord(json) && json.allowlist === undefined ? ['allow_list', ...path.slice(1)] : path

function* readOlder(json: JsonObject, version: 1 | 2, reading: Reading): Pieces<Children> {
  if (json.tables === undefined) throw new Refused([], 'key "tables" not found')
  const functions =
    version === 1 && Array.isArray(json.functions) ? json.functions.map((name) => ({ function: name })) : json.functions
  const inSource: JsonObject = { tables: json.tables, ...(functions === undefined ? {} : { functions }) }
  const source: MetadataObject = {
    type: 'source',
    value: { name: 'default', kind: defaultKind },
    children: yield* readChildren('source', inSource, [], defaultStyle, reading, none),
  }
  const { sources: _, tables: __, functions: ___, ...others } = json
  return {
    ...(yield* readVersion3(others, reading, none)),
    source: ImmutableMap([[ownKeyOf('source', source.value), source]]),
  }
}

function* readChildren(
  parent: ObjectType | null,
  json: JsonObject,
  path: Path,
  style: NameStyle,
  reading: Reading,
  known: Children,
): Pieces<Children> {
  const children: { [T in ObjectType]?: Siblings } = {}
  let isSame = true
  for (const type of childTypesOf(parent)) {
    const { list, singleton } = objectKinds[type]
    const given = json[list]
    const before = known[type]
    const isGiven = given !== undefined && given !== null
    const listed = type === 'remote_schema_remote_relationship' ? groupedItemsOf : itemsOf
    const memory = isGiven && !reading.unknown ? reading.memoryOf(given) : undefined
    const recall = memory && ((at: number) => stillKnown(type, memory.recall(at), before))
    const items = !isGiven ? [] : singleton ? [{ json: given, at: null }] : listed(given, [...path, list], recall)
    const objects = isGiven
      ? yield* readSiblings(type, items, [...path, list], style, reading, before, memory)
      : undefined
    if (objects && !objects.isEmpty()) children[type] = objects
    if (children[type] !== before) isSame = false
  }
  return isSame ? known : children
}

/**
 * Of these a later declaration replaces an earlier one; of all other kinds two are an error
 * (reference/metadata-document#top-level).
 */
const lastWins: ReadonlySet<ObjectType> = new Set(['source', 'table', 'function', 'rest_endpoint'])

function* readSiblings(
  type: ObjectType,
  items: Iterable<Item>,
  path: Path,
  style: NameStyle,
  reading: Reading,
  known: Siblings = noSiblings,
  memory?: ListMemory,
): Pieces<Siblings> {
  const twice: string[] = []
  const objects = new Map<string, MetadataObject>()
  const hasChildren = childTypesOf(type).length > 0
  for (const item of items) {
    if (++reading.unreported >= piece) {
      yield reading.unreported
      reading.unreported = 0
    }
    if (reading.unknown) reading.unknown.push(...unknownInside(type, item, path, style))
    const object =
      item.object ??
      (hasChildren
        ? yield* readParent(type, item, path, style, reading, known)
        : readLeaf(type, item, path, style, reading, known))
    if (memory && typeof item.at === 'number') memory.remember(item.at, object)
    if (objectKinds[type].singleton && isDefaultObject(type, object.value)) continue
    const own = ownKeyOf(type, object.value)
    if (objects.has(own) && !lastWins.has(type)) twice.push(ownText(type, object.value))
    objects.set(own, object)
  }
  if (twice.length > 0)
    throw new Refused(
      path,
      `multiple declarations exist for the following ${things(path)}: ${[...new Set(twice)].join(', ')}`,
    )
  return yield* changedTo(known, objects)
}

const things = (path: Path) => String(path.at(-1)).replaceAll('_', ' ')

const ownText = (type: ObjectType, value: JsonObject) =>
  Object.values(objectKinds[type].key(value)).map(tableText).join('.')

function readLeaf(
  type: ObjectType,
  item: Item,
  list: Path,
  style: NameStyle,
  reading: Reading,
  known: Siblings,
): MetadataObject {
  const { json } = item
  const same = isRecord(json) ? knownAs(type, json, known) : undefined
  if (same) return same
  const { value, before } = readValue(type, item, list, style, reading, known)
  return value === before?.value ? before : { type, value, children: none }
}

function* readParent(
  type: ObjectType,
  item: Item,
  list: Path,
  style: NameStyle,
  reading: Reading,
  known: Siblings,
): Pieces<MetadataObject> {
  const { json } = item
  const same = isRecord(json) ? knownAs(type, json, known) : undefined
  const { value, before } = same
    ? { value: same.value, before: same }
    : readValue(type, item, list, style, reading, known)
  if (!isRecord(json)) throw new Refused(pathOf(item, list), 'expected object')
  const ownStyle = type === 'source' ? nameStyle(kindOfSource(json)) : style
  // other names may stand for the same elsewhere
  const isOfStyle = type !== 'source' || (before && nameStyle(kindOfSource(before.value)) === ownStyle)
  const below = before && isOfStyle ? before.children : none
  const children = yield* readChildren(type, json, pathOf(item, list), ownStyle, reading, below)
  return before && value === before.value && children === before.children ? before : { type, value, children }
}

/** The known object whose own value is the very JSON: that is canonical, so there is nothing to read. */
function knownAs(type: ObjectType, json: JsonObject, known: Siblings): MetadataObject | undefined {
  if (known.isEmpty() || readAnew.has(type)) return undefined
  const object = known.get(ownKeyOf(type, json))
  return object && isOwnPart(type, json, object.value) ? object : undefined
}

/** What is said of these depends on more than their own JSON: keys that are reported, the kinds of other sources. */
const readAnew: ReadonlySet<ObjectType> = new Set([
  'source',
  'remote_relationship',
  'remote_schema_remote_relationship',
  'custom_types',
])

/** What was read before, where it is still the known object of its key and depends on its own JSON alone. */
function stillKnown(
  type: ObjectType,
  object: MetadataObject | undefined,
  known: Siblings = noSiblings,
): MetadataObject | undefined {
  if (object?.type !== type || known.get(ownKeyOf(type, object.value)) !== object) return undefined
  return readAnew.has(type) || childTypesOf(type).some((child) => readAnew.has(child) && object.children[child])
    ? undefined
    : object
}

/** An object's own value, and the known object of its key: whose value it is, where they are equal. */
function readValue(
  type: ObjectType,
  item: Item,
  list: Path,
  style: NameStyle,
  reading: Reading,
  known: Siblings,
): { readonly value: JsonObject; readonly before: MetadataObject | undefined } {
  const { json } = item
  const path = pathOf(item, list)
  if (!isRecord(json)) throw new Refused(path, 'expected object')
  const own = ownPart(type, json)
  if (checkDepth(own, depthLimit - path.length)) throw new Refused([], `nested more than ${depthLimit} levels deep`)
  const ownStyle = type === 'source' ? nameStyle(kindOfSource(json)) : style
  refuseUnknownKeys(type, own, path)
  const decoded = decodeShallow(objectSchemas(ownStyle)[type], own, path)
  if (!decoded.ok) throw new Refused(decoded.issue.at ?? decoded.issue.path, decoded.issue.message)
  if (type === 'source')
    reading.ignored.push(...Object.keys(own).flatMap((key) => (sourceKeys.has(key) ? [] : [[...path, key]])))
  const value = resolveForeignNames(type, decoded.value, reading.styleOf)
  const before = known.isEmpty() ? undefined : known.get(ownKeyOf(type, value))
  return { value: before && equalJson(before.value, value) ? before.value : value, before }
}

function refuseUnknownKeys(type: ObjectType, own: JsonObject, path: Path): void {
  if (type !== 'table') return
  const unknown = Object.keys(own).filter((key) => !tableKeys.has(key))
  if (unknown.length > 0)
    throw new Refused(path, `unexpected keys when parsing TableMetadata: ${JSON.stringify(unknown)}`, unknown)
}
