/**
 * A stack with an object of every kind, in which each names what it can of the others by outputs; and for every attribute
 * that gives an object another identity the same stack with that changed, made of the declarations and their samples.
 */

import { equalJson, type JsonObject } from '@svc/schema'
import type { Values } from '../../provider/src/core/index.ts'
import {
  canonicalValue,
  catalogue,
  declaredValue,
  isValues,
  kindNamed,
  type Reference,
  type ResourceKind,
  type Value,
} from '../../provider/src/resources/index.ts'
import { samples } from '../../provider/src/resources/samples.fixture.ts'

export interface WalkedResource {
  readonly name: string
  readonly kind: string
  readonly config: Values
}

export interface Step {
  readonly name: string
  readonly stack: readonly WalkedResource[]
}

/** What the stack needs in the database beside the tables of the samples. */
export const walkTables = `CREATE TABLE shop.song (LIKE shop.album INCLUDING ALL);
  CREATE FUNCTION shop.find_albums(word text, session json, other json) RETURNS SETOF album VOLATILE
    LANGUAGE sql AS 'SELECT * FROM album WHERE title = word'`

/** Where everything lies: a source that the stack declares. */
const source = 'main'
const all = { all_columns: true, filter: '{}' }
const named = (name: string, schema = 'public'): Values => ({ schema, name })
const modelFields = [
  { name: 'id', scalar: 'integer' },
  { name: 'titles', scalar: 'text', array: true, nullable: true },
]

/** What samples need around them. */
const surroundings = (databaseUrl: string): readonly WalkedResource[] => [
  ...['artist', 'album', 'track'].map((name) => ({
    name: `table_${name}`,
    kind: 'Table',
    config: { source, table: named(name) },
  })),
  {
    name: 'second',
    kind: 'Source',
    config: {
      name: 'twin',
      database_url: databaseUrl,
      customization: { root_fields: { prefix: 'second_' }, type_names: { prefix: 'second_' } },
    },
  },
  ...['artist', 'album', 'track'].map((name) => ({
    name: `twin_${name}`,
    kind: 'Table',
    config: { source: 'twin', table: named(name) },
  })),
  // what lies in the table of the sample and leads to it
  {
    name: 'in_shop',
    kind: 'SelectPermission',
    config: { source, table: named('album', 'shop'), role: 'clerk', ...all },
  },
  { name: 'shop_role', kind: 'InheritedRole', config: { role_name: 'boss', role_set: ['clerk'] } },
  {
    name: 'to_shop',
    kind: 'ArrayRelationship',
    config: {
      source,
      table: named('artist'),
      name: 'sold',
      manual_configuration: { remote_table: named('album', 'shop'), column_mapping: { id: 'artist_id' } },
    },
  },
  { name: 'twin_model', kind: 'LogicalModel', config: { source: 'twin', name: 'twin_album', fields: modelFields } },
  { name: 'low_model', kind: 'LogicalModel', config: { source, name: 'low_album', fields: modelFields } },
  {
    name: 'twin_user',
    kind: 'SelectPermission',
    config: { source: 'twin', table: named('album'), role: 'user', ...all },
  },
  {
    name: 'shop_search',
    kind: 'Function',
    config: { source, function: named('search_albums', 'shop'), custom_name: 'shop_search' },
  },
  { name: 'twin_search', kind: 'Function', config: { source: 'twin', function: named('search_albums', 'shop') } },
  {
    name: 'other_collection',
    kind: 'QueryCollection',
    config: { name: 'others', queries: [{ name: 'titles', query: 'query titles { album { title } }' }] },
  },
  ...['user', 'guest'].map((role) => ({
    name: `album_${role}`,
    kind: 'SelectPermission',
    config: { source, table: named('album'), role, ...all },
  })),
]

/** The kinds whose samples fit into this stack as they are. */
const walkedKinds: ReadonlySet<string> = new Set([
  'Source',
  'Table',
  'ObjectRelationship',
  'ArrayRelationship',
  'ComputedField',
  'Function',
  'LogicalModel',
  'NativeQuery',
  'SelectPermission',
  'InsertPermission',
  'UpdatePermission',
  'DeletePermission',
  'LogicalModelPermission',
  'FunctionPermission',
  'InheritedRole',
  'QueryCollection',
  'AllowlistEntry',
  'RestEndpoint',
  'CronTrigger',
])

export const walkedSamples = (databaseUrl: string) => samples(databaseUrl).filter(({ kind }) => walkedKinds.has(kind))

/** Everything there is, in the order of making. */
export function wholeStack(databaseUrl: string): readonly WalkedResource[] {
  const own = walkedSamples(databaseUrl).map(({ kind, base }) => ({
    name: `own_${kind}`,
    kind,
    config: {
      ...base,
      // nothing of it is in the way of what lies in it
      ...(kind === 'Table' ? { table: named('album', 'shop'), column_config: null, custom_name: 'shop_album' } : {}),
      ...(kind === 'Source' ? { name: source, customization: null } : base.source === undefined ? {} : { source }),
    },
  }))
  const rank = ({ kind }: WalkedResource) => catalogue.findIndex((one) => one.kind === kind)
  return [...surroundings(databaseUrl), ...own].sort((a, b) => rank(a) - rank(b))
}

/** Where the sample's other identity is taken in this stack. */
const elsewhere: Readonly<Record<string, Values>> = {
  'Table.table': { table: named('song', 'shop') },
  'Function.function': { function: named('find_albums', 'shop') },
  'SelectPermission.table': { table: named('track'), columns: ['id'], filter: '{}' },
  'FunctionPermission.source': { source: 'twin', function: named('search_albums', 'shop') },
}

/**
 * For each kind, each attribute of its identity: the stack in which that of its sample has changed. What names an object
 * of its own source cannot name it in another one, and goes.
 */
export function steps(databaseUrl: string, stack: readonly WalkedResource[]): readonly Step[] {
  return walkedSamples(databaseUrl).flatMap(({ kind, changes }) => {
    const declared = kindNamed(kind)
    const before = stack.find(({ name }) => name === `own_${kind}`)
    if (!declared || !before) return []
    return Object.entries(changes).flatMap(([attribute, change]) => {
      if (!declared.attributes[attribute]?.replace) return []
      const config = { ...before.config, ...(elsewhere[`${kind}.${attribute}`] ?? change) }
      const goes = (one: WalkedResource) =>
        attribute === 'source' && namesIn(one).some(({ head, leadsTo }) => !isPlace(head) && leadsTo(before))
      const changed = stack.filter((one) => !goes(one)).map((one) => (one === before ? { ...one, config } : one))
      return [{ name: `${kind}.${attribute}`, stack: follow(changed, before, config) }]
    })
  })
}

/** What names the object by an output has the new name. */
const follow = (stack: readonly WalkedResource[], old: WalkedResource, now: Values): readonly WalkedResource[] =>
  stack.map((one) =>
    one.name === old.name
      ? one
      : namesIn(one)
          .filter(({ leadsTo }) => leadsTo(old))
          .reduce((changed: WalkedResource, name) => followName(changed, name, old.config, now), one),
  )

function followName(one: WalkedResource, { head, output }: NamedObject, old: Values, now: Values): WalkedResource {
  const { config } = one
  const name: Value = replaced(config[head] ?? null, old[output] ?? null, now[output] ?? null)
  const own: Values = { ...config, ...Object.fromEntries<Value>([[head, name]]) }
  const moves = isPlace(head) && config.source !== undefined && now.source !== undefined
  const place: Values = moves ? { source: now.source ?? null } : {}
  return { ...one, config: { ...own, ...place } }
}

const places = ['source', 'table', 'function', 'logical_model']
const isPlace = (head: string): boolean => places.includes(head)

function replaced(value: Value, before: Value, after: Value): Value {
  if (equalJson(value, before)) return after
  if (Array.isArray(value)) return value.map((one: Value) => replaced(one, before, after))
  if (!isValues(value)) return value
  return Object.fromEntries<Value>(Object.entries(value).map(([key, one]) => [key, replaced(one, before, after)]))
}

/** A resource in which what names others is what `output` makes of them, without what is not given. */
export function wired(
  stack: readonly WalkedResource[],
  one: WalkedResource,
  output: (of: WalkedResource, attribute: string) => string,
): Values {
  const config: Record<string, Value> = { ...one.config }
  for (const { head, output: attribute, leadsTo } of namesIn(one)) {
    const other = stack.find((candidate) => candidate.name !== one.name && leadsTo(candidate))
    if (other) config[head] = replaced(config[head] ?? null, other.config[attribute] ?? null, output(other, attribute))
  }
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null))
}

interface NamedObject {
  /** The attribute that names it. */
  readonly head: string
  /** The output of the other one that it is. */
  readonly output: string
  readonly leadsTo: (other: WalkedResource) => boolean
}

/** What a resource names, by its declaration. */
export function namesIn({ kind, config }: WalkedResource): readonly NamedObject[] {
  const declared = kindNamed(kind)
  const place = places.flatMap((head) => placeName(kind, config, head))
  const references = declared?.dependsOn?.(config, objectValue(declared, config)) ?? []
  return [...place, ...references.flatMap((reference) => nameOf(config, reference))]
}

function placeName(kind: string, config: Values, head: string): readonly NamedObject[] {
  const isIdentityOf = { source: 'Source', table: 'Table', function: 'Function', logical_model: 'LogicalModel' }[head]
  const declared = kindNamed(kind)
  if (config[head] === undefined || kind === isIdentityOf || declared?.attributes[head]?.replace !== true) return []
  const output = head === 'source' || head === 'logical_model' ? 'name' : head
  return [{ head, output, leadsTo: (other) => other.kind === isIdentityOf && isSame(other, config, head, output) }]
}

const isSame = (other: WalkedResource, config: Values, head: string, output: string): boolean =>
  equalJson(other.config[output], config[head]) &&
  (output === 'name' && other.kind === 'Source' ? true : other.config.source === config.source)

function nameOf(config: Values, reference: Reference): readonly NamedObject[] {
  const head = String(reference.attribute[0])
  const within = (other: WalkedResource) => other.config.source === config.source
  switch (reference.to) {
    case 'table':
      return [
        {
          head,
          output: 'table',
          leadsTo: (other) => other.kind === 'Table' && within(other) && equalJson(other.config.table, reference.table),
        },
      ]
    case 'in-source':
    case 'top-level': {
      const [key, value] = Object.entries(reference.key)[0] ?? ['', null]
      return [
        {
          head,
          output: key,
          leadsTo: (other) => kindNamed(other.kind)?.type === reference.type && other.config[key] === value,
        },
      ]
    }
    case 'role':
    case 'select-permission':
      return [
        {
          head,
          output: 'role',
          leadsTo: (other) =>
            other.config.role === reference.role &&
            (reference.to === 'role' ? other.kind.endsWith('Permission') : other.kind === 'SelectPermission'),
        },
      ]
    case 'computed-field':
      return [
        {
          head,
          output: 'name',
          leadsTo: (other) => other.kind === 'ComputedField' && other.config.name === reference.name,
        },
      ]
    default:
      return []
  }
}

/** The object's value, from which references are read. */
function objectValue(kind: ResourceKind, config: Values): JsonObject {
  const nulls = Object.fromEntries(kind.fields.map(({ name }) => [name, null]))
  const canonical = canonicalValue(kind, declaredValue(kind, { ...nulls, ...config }, 'text'))
  if (!canonical.ok) throw new Error(`${kind.kind}: ${canonical.message}`)
  return canonical.value
}
