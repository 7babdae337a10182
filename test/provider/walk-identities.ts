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
import { namespaced } from '../../provider/src/resources/remote-samples.fixture.ts'
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

/** Where what the stack speaks of is. */
export interface Outside {
  readonly databaseUrl: string
  /** Of a GraphQL server with the schema of the samples. */
  readonly remoteUrl: string
}

/** What the engine of the stack needs in its environment. */
export const walkEnvironment = ({ databaseUrl, remoteUrl }: Outside): Readonly<Record<string, string>> => ({
  SVC_TEST_OTHER_URL: databaseUrl,
  SVC_TEST_REMOTE_URL: remoteUrl,
  SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true',
})

const rowsOf = (of: string, table: Values, mapping: Values): Values => ({
  relationship_type: 'array',
  source: of,
  table,
  field_mapping: mapping,
})
const userOf = (remote: string): Values => ({
  remote_schema: remote,
  lhs_fields: ['id'],
  remote_field: JSON.stringify({ user: { arguments: { id: '$id' } } }),
})

/** What leads to remote schemas, and to tables from elsewhere. */
const remoteSurroundings = (remoteUrl: string): readonly WalkedResource[] => [
  {
    name: 'support',
    kind: 'RemoteSchema',
    config: { name: 'support', url: remoteUrl, customization: namespaced('support') },
  },
  {
    name: 'shop_client',
    kind: 'RemoteRelationship',
    config: { source, table: named('album', 'shop'), name: 'client', to_remote_schema: userOf('crm') },
  },
  {
    name: 'twin_to_shop',
    kind: 'RemoteRelationship',
    config: {
      source: 'twin',
      table: named('artist'),
      name: 'sold_elsewhere',
      to_source: rowsOf(source, named('album', 'shop'), { id: 'artist_id' }),
    },
  },
  {
    name: 'user_to_shop',
    kind: 'RemoteTypeRelationship',
    config: {
      remote_schema: 'support',
      type_name: 'User',
      name: 'sold',
      to_source: rowsOf(source, named('album', 'shop'), { id: 'artist_id' }),
    },
  },
  {
    name: 'user_to_crm',
    kind: 'RemoteTypeRelationship',
    config: { remote_schema: 'support', type_name: 'User', name: 'client', to_remote_schema: userOf('crm') },
  },
  {
    name: 'crm_to_crm',
    kind: 'RemoteTypeRelationship',
    config: { remote_schema: 'crm', type_name: 'Employer', name: 'boss', to_remote_schema: userOf('crm') },
  },
]

const field = (name: string, type: string): Values => ({ name, type, description: null })

/** Actions and their types; an event trigger of the table of the sample. */
const actionSurroundings: readonly WalkedResource[] = [
  {
    name: 'item',
    kind: 'CustomType',
    config: { name: 'Item', input_fields: [field('sku', 'String!')] },
  },
  {
    name: 'parcel',
    kind: 'CustomType',
    config: {
      name: 'Parcel',
      fields: [field('artist_id', 'Int!'), field('receipts', '[Receipt!]')],
      relationships: [
        {
          name: 'sold',
          type: 'array',
          source,
          remote_table: named('album', 'shop'),
          field_mapping: { artist_id: 'artist_id' },
        },
      ],
    },
  },
  {
    name: 'sing',
    kind: 'Action',
    config: {
      name: 'sing',
      handler: 'http://localhost:1/sing',
      output_type: 'Parcel',
      arguments: [field('items', '[Item!]!')],
    },
  },
  {
    name: 'shop_trigger',
    kind: 'EventTrigger',
    config: {
      source,
      table: named('album', 'shop'),
      name: 'on_sale',
      webhook: 'http://localhost:1/sale',
      insert: { all_columns: true },
    },
  },
]

/** What samples need around them. */
const surroundings = ({ databaseUrl, remoteUrl }: Outside): readonly WalkedResource[] => [
  ...remoteSurroundings(remoteUrl),
  ...actionSurroundings,
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

/** All kinds but one that cannot be there with `CustomType`, and has one identity alone. */
export const walkedSamples = ({ databaseUrl, remoteUrl }: Outside) =>
  samples(databaseUrl, undefined, remoteUrl).filter(({ kind }) => kind !== 'CustomTypes')

/** What samples say otherwise in this stack: nothing is in the way of what lies in them, and they name each other. */
const inStack: Readonly<Record<string, Values>> = {
  Table: { table: named('album', 'shop'), column_config: null, custom_name: 'shop_album' },
  Source: { name: source, customization: null },
  RemoteTypeRelationship: { to_source: rowsOf(source, named('artist'), { id: 'id' }) },
  CustomType: {
    relationships: [
      {
        name: 'artist',
        type: 'object',
        source,
        remote_table: named('artist'),
        field_mapping: { artist_id: 'id' },
      },
    ],
  },
  Action: { output_type: '[Receipt!]!', arguments: [field('item', 'Item'), field('items', '[Item!]!')] },
}

/** Everything there is, in the order of making. */
export function wholeStack(outside: Outside): readonly WalkedResource[] {
  const own = walkedSamples(outside).map(({ kind, base }) => ({
    name: `own_${kind}`,
    kind,
    config: { ...base, ...(base.source === undefined ? {} : { source }), ...inStack[kind] },
  }))
  const rank = ({ kind }: WalkedResource) => catalogue.findIndex((one) => one.kind === kind)
  return inOrderOfMaking([...surroundings(outside), ...own].sort((a, b) => rank(a) - rank(b)))
}

/** What a resource names comes before it. */
function inOrderOfMaking(stack: readonly WalkedResource[]): readonly WalkedResource[] {
  const ordered = new Set<WalkedResource>()
  const entered = new Set<WalkedResource>()
  const enter = (one: WalkedResource): void => {
    if (entered.has(one)) return
    entered.add(one)
    for (const { leadsTo } of namesIn(one)) for (const other of stack) if (leadsTo(other)) enter(other)
    ordered.add(one)
  }
  for (const one of stack) enter(one)
  return [...ordered]
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
export function steps(outside: Outside, stack: readonly WalkedResource[]): readonly Step[] {
  return walkedSamples(outside).flatMap(({ kind, changes }) => {
    const declared = kindNamed(kind)
    const before = stack.find(({ name }) => name === `own_${kind}`)
    if (!declared || !before) return []
    return Object.entries(changes).flatMap(([attribute, change]) => {
      if (!declared.attributes[attribute]?.replace) return []
      const config = { ...before.config, ...(elsewhere[`${kind}.${attribute}`] ?? change) }
      const goes = (one: WalkedResource) =>
        attribute === 'source' &&
        namesIn(one).some(({ head, leadsTo }) => !isPlace(head) && !namesSource(head) && leadsTo(before))
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
  const name: Value = namesSource(head)
    ? replacedElsewhere(config[head] ?? null, output, old, now)
    : replaced(config[head] ?? null, old[output] ?? null, now[output] ?? null)
  const own: Values = { ...config, ...Object.fromEntries<Value>([[head, name]]) }
  const moves = isPlace(head) && config.source !== undefined && now.source !== undefined
  const place: Values = moves ? { source: now.source ?? null } : {}
  return { ...one, config: { ...own, ...place } }
}

/** Attributes that name a table together with its source. */
const namesSource = (head: string): boolean => head === 'to_source' || head === 'relationships'

/** A table and its source, which may be another one now. */
function replacedElsewhere(value: Value, output: string, old: Values, now: Values): Value {
  if (Array.isArray(value)) return value.map((one: Value) => replacedElsewhere(one, output, old, now))
  if (!isValues(value) || output !== 'table') return replaced(value, old[output] ?? null, now[output] ?? null)
  const key = value.table === undefined ? 'remote_table' : 'table'
  const isMeant = equalJson(value[key], old.table) && value.source === old.source
  return isMeant ? { ...value, source: now.source ?? null, [key]: now.table ?? null } : value
}

const places = ['source', 'table', 'function', 'logical_model', 'remote_schema', 'action']
const isPlace = (head: string): boolean => places.includes(head)

function replaced(value: Value, before: Value, after: Value): Value {
  if (equalJson(value, before)) return after
  if (isTypeOf(value, before)) return String(value).replace(String(before), String(after))
  if (Array.isArray(value)) return value.map((one: Value) => replaced(one, before, after))
  if (!isValues(value)) return value
  return Object.fromEntries<Value>(Object.entries(value).map(([key, one]) => [key, replaced(one, before, after)]))
}

/** `[Item!]!` names Item. */
const isTypeOf = (value: Value, name: Value): boolean =>
  typeof value === 'string' && typeof name === 'string' && new RegExp(`^\\[+${name}[!\\]]+$`).test(value)

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
  return [...place, ...references.flatMap((reference) => nameOf(reference))]
}

function placeName(kind: string, config: Values, head: string): readonly NamedObject[] {
  const isIdentityOf = {
    source: 'Source',
    table: 'Table',
    function: 'Function',
    logical_model: 'LogicalModel',
    remote_schema: 'RemoteSchema',
    action: 'Action',
  }[head]
  const declared = kindNamed(kind)
  if (config[head] === undefined || kind === isIdentityOf || declared?.attributes[head]?.replace !== true) return []
  const output = head === 'table' || head === 'function' ? head : 'name'
  return [{ head, output, leadsTo: (other) => other.kind === isIdentityOf && isSame(other, config, head, output) }]
}

const isSame = (other: WalkedResource, config: Values, head: string, output: string): boolean =>
  equalJson(other.config[output], config[head]) &&
  (output === 'name' && other.kind === 'Source' ? true : other.config.source === config.source)

function nameOf(reference: Reference): readonly NamedObject[] {
  const head = String(reference.attribute[0])
  const within = (other: WalkedResource) => other.config.source === reference.source
  switch (reference.to) {
    case 'table':
      return [
        {
          head,
          output: 'table',
          leadsTo: (other) => other.kind === 'Table' && within(other) && equalJson(other.config.table, reference.table),
        },
      ]
    case 'source':
      return [
        { head, output: 'name', leadsTo: (other) => other.kind === 'Source' && other.config.name === reference.source },
      ]
    case 'custom-type':
      return [
        {
          head,
          output: 'name',
          leadsTo: (other) => other.kind === 'CustomType' && other.config.name === reference.name,
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
