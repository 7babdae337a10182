import { kindOfSource, nameStyle } from './backend-kind.ts'
import { isDefaultObject } from './default-objects.ts'
import { childrenOf, type MetadataDocument, type MetadataObject } from './document.ts'
import type { Json, JsonObject } from './json.ts'
import { childTypesOf, type ObjectType, objectKinds } from './object-kinds.ts'

/**
 * The export form of a whole document (reference/metadata-document#top-level,
 * reference/metadata-document#order-of-an-export). Cron triggers that are not meant for it are left out.
 */
export function writeMetadata(document: MetadataDocument, instead: Instead = nothing): JsonObject {
  return { version: 3, sources: [], ...writeChildren(null, document, instead) }
}

/** What is written in place of an export form; undefined: nothing. */
export interface Instead {
  /** Of an object with everything below it. */
  object?(object: MetadataObject): JsonObject | undefined
  /** Of a list of objects, which has one at least. */
  list?(type: ObjectType, objects: readonly MetadataObject[]): Json | undefined
}

const nothing: Instead = {}

/** A document to apply: with the cron triggers that an export leaves out, since they are declared. */
export function writeDeclared(document: MetadataDocument): JsonObject {
  const hidden = childrenOf(document, 'cron_trigger')
    .valueSeq()
    .filter(({ value }) => value.include_in_metadata === false)
    .map((object) => writeObject(object))
    .toArray()
  const { cron_triggers = [], ...others } = writeMetadata(document)
  const triggers = [...(cron_triggers as readonly Json[]), ...hidden]
  return triggers.length === 0 ? others : { ...others, cron_triggers: triggers }
}

/** The export form of one object with everything below it, e.g. the content of a table's file. */
export function writeObject(object: MetadataObject, instead: Instead = nothing): JsonObject {
  const children = writeChildren(object.type, object, instead)
  const all: JsonObject =
    object.type === 'source' ? { ...object.value, tables: [], ...children } : { ...object.value, ...children }
  const order = keyOrder[object.type]
  if (!order) return all
  return Object.fromEntries([
    ...order.flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]] as const])),
    ...Object.entries(all).filter(([key]) => !order.includes(key)),
  ])
}

/** Where lists of children stand among an object's own keys. */
const keyOrder: Partial<Record<ObjectType, readonly string[]>> = {
  source: [
    'name',
    'kind',
    ...childTypesOf('source').map((type) => objectKinds[type].list),
    'configuration',
    'query_tags',
    'customization',
    'health_check',
  ],
  table: [
    'table',
    'is_enum',
    'configuration',
    ...childTypesOf('table').map((type) => objectKinds[type].list),
    'apollo_federation_config',
    'logical_model',
  ],
  function: ['function', 'configuration', 'permissions', 'comment'],
}

function writeChildren(
  parent: ObjectType | null,
  node: MetadataDocument | MetadataObject,
  instead: Instead,
): Record<string, Json> {
  const lists: Record<string, Json> = {}
  for (const type of childTypesOf(parent)) {
    const { list, singleton } = objectKinds[type]
    const objects = sortedChildren(node, type)
    if (objects.length === 0) continue
    if (singleton) {
      const [only] = objects
      if (only && !isDefaultObject(type, only.value)) lists[list] = only.value
    } else
      lists[list] =
        instead.list?.(type, objects) ??
        (type === 'remote_schema_remote_relationship'
          ? group(objects)
          : objects.map((object) => instead.object?.(object) ?? writeObject(object, instead)))
  }
  return lists
}

/** The objects of a kind that are exported, in the order of the export. */
export function sortedChildren(node: MetadataDocument | MetadataObject, type: ObjectType): readonly MetadataObject[] {
  const children = childrenOf(node, type)
  if (children.size === 0) return []
  if (children.size <= RUN) {
    const shown = [...children.values()].filter((object) => isExported(object)).map(sortableOf(node, type))
    return shown.sort(compare).map(({ object }) => object)
  }
  const work = sortChildren(node, type)
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** Lists never change: the order of one is cached as long as the list exists. */
const sorted = new WeakMap<object, readonly MetadataObject[]>()

/** The same in pieces, before it is needed: it is cached afterwards. 5,000 tables take 30 ms. */
export function* sortChildren(
  node: MetadataDocument | MetadataObject,
  type: ObjectType,
): Generator<number, readonly MetadataObject[], void> {
  const children = childrenOf(node, type)
  if (children.size === 0) return []
  const known = sorted.get(children)
  if (known) return known
  const sortable = sortableOf(node, type)
  let runs: Sortable[][] = []
  for (const object of children.values()) {
    if (!isExported(object)) continue
    const last = runs.at(-1)
    if (last && last.length < RUN) last.push(sortable(object))
    else {
      runs.push([sortable(object)])
      yield RUN
    }
  }
  for (const run of runs) {
    run.sort(compare)
    yield RUN
  }
  while (runs.length > 1) {
    const longer: Sortable[][] = []
    for (let i = 0; i < runs.length; i += 2) longer.push(yield* merged(runs[i] ?? [], runs[i + 1] ?? []))
    runs = longer
  }
  const objects = (runs[0] ?? []).map(({ object }) => object)
  sorted.set(children, objects)
  return objects
}

interface Sortable {
  readonly object: MetadataObject
  readonly by: string
}

const isExported = ({ type, value }: MetadataObject): boolean =>
  type !== 'cron_trigger' || value.include_in_metadata !== false

function sortableOf(node: MetadataDocument | MetadataObject, type: ObjectType): (object: MetadataObject) => Sortable {
  const { sort } = objectKinds[type]
  const reversed = sortsByName(node, type)
  // no name has a NUL: names in front decide first
  return (object) => {
    const names = sort(object.value)
    return { object, by: (reversed ? names.toReversed() : names).join('\0') }
  }
}

const compare = (a: Sortable, b: Sortable): number => (a.by < b.by ? -1 : a.by > b.by ? 1 : 0)

/** Objects between two yields. */
const RUN = 128

function* merged(a: readonly Sortable[], b: readonly Sortable[]): Generator<number, Sortable[], void> {
  const all: Sortable[] = []
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
    const [left, right] = [a[i], b[j]]
    if (left && (!right || left.by <= right.by)) {
      all.push(left)
      i++
    } else if (right) {
      all.push(right)
      j++
    }
    if (all.length % RUN === 0) yield RUN
  }
  return all
}

const qualifiedTypes: readonly ObjectType[] = ['table', 'function', 'stored_procedure']

/** Sources of other kinds than PostgreSQL's are exported by name, then schema or dataset. */
const sortsByName = (node: MetadataDocument | MetadataObject, type: ObjectType): boolean =>
  qualifiedTypes.includes(type) && 'value' in node && nameStyle(kindOfSource(node.value)) !== 'public'

function group(relationships: readonly MetadataObject[]): Json {
  const types = new Map<Json, JsonObject[]>()
  for (const { value } of relationships) {
    const { type_name = null, ...relationship } = value
    types.set(type_name, [...(types.get(type_name) ?? []), relationship])
  }
  return [...types].map(([type_name, members]) => ({ type_name, relationships: members }))
}
