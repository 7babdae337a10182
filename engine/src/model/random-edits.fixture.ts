/** Random models in motion: edits of metadata and of databases, the same ones for the same seed. */
import {
  address,
  childrenOf,
  findObject,
  type Json,
  type JsonObject,
  type MetadataDocument,
  type ObjectAddress,
  type ObjectType,
  ownKey,
  putObject,
  removeObject,
  setValue,
  sourceAddress,
  tableAddress,
} from '@svc/schema'
import type { EnumValues, Introspection } from '../backends/index.ts'
import type { SourceState } from '../sources/index.ts'
import type { ModelInput } from './model-settings.ts'
import { databaseTable, documentOf, ready, settings, sourceOf, type TableSketch, unavailable } from './music.fixture.ts'
import { tableOwn } from './table-id.ts'

export interface Chance {
  /** From 0 to n - 1. */
  below(n: number): number
  one<T>(items: readonly T[]): T
}

/** mulberry32 */
export function chance(seed: number): Chance {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (n: number) => Math.floor(next() * n)
  return {
    below,
    one(items) {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('nothing to choose from')
      return item
    },
  }
}

const sources = ['default', 'other'] as const
const tableNames = ['a', 'b', 'c', 'd', 'shop.e', 'color'] as const
const columnNames = ['id', 'x', 'y', 'a_id', 'b_id'] as const
const relationshipNames = ['up', 'up', 'down', 'down', 'down_aggregate', 'side', 'x'] as const
const roles = ['user', 'user', 'editor', 'guest'] as const
const inheritedRoles = ['both', 'more', 'guest', 'admin'] as const

/** Custom names that two tables may both want, or none. */
export interface Liking {
  readonly customNames: (source: string, table: string) => readonly string[]
}

export function startInput(): ModelInput {
  const document = documentOf({ version: 3, sources: sources.map((name) => sourceOf(name, [])) })
  const introspection: Introspection = { tables: new Map(), serverVersion: 150000 }
  return { document, settings, sources: new Map(sources.map((name) => [name, ready(name, introspection)])) }
}

export function randomEdit(input: ModelInput, random: Chance, liking: Liking): ModelInput {
  return random.below(4) === 0
    ? editDatabase(input, random)
    : { ...input, document: editDocument(input.document, random, liking) }
}

const qualified = (name: string): JsonObject => {
  const [schema, own] = name.split('.')
  return own === undefined ? { name, schema: 'public' } : { name: own, schema: schema ?? '' }
}

function editDatabase(input: ModelInput, random: Chance): ModelInput {
  const source = random.one(sources)
  const state = input.sources.get(source)
  const now = editState(source, state, random)
  return { ...input, sources: new Map(input.sources).set(source, now) }
}

function editState(source: string, state: SourceState | undefined, random: Chance): SourceState {
  if (state?.status !== 'ready') return ready(source, randomDatabase(random))
  if (random.below(20) === 0) return unavailable(source, `lost ${random.below(3)}`)
  if (random.below(6) === 0)
    return { ...state, enums: new Map([[tableOwn({ schema: 'public', name: 'color' }), randomEnum(random)]]) }
  const name = random.one(tableNames)
  const table = databaseTable(name, randomSketch(name, random))
  const tables = new Map(state.introspection.tables)
  if (random.below(8) === 0) tables.delete(tableOwn(table.table))
  else tables.set(tableOwn(table.table), table)
  return { ...state, introspection: { ...state.introspection, tables } }
}

function randomDatabase(random: Chance): Introspection {
  const tables = tableNames.map((name) => databaseTable(name, randomSketch(name, random)))
  return { tables: new Map(tables.map((table) => [tableOwn(table.table), table])), serverVersion: 150000 }
}

/** What the one table that can be an enum holds, if it can be read. */
function randomEnum(random: Chance): EnumValues {
  const values = (...names: readonly string[]) => names.map((name) => ({ name, description: null }))
  return random.one<EnumValues>([
    { status: 'read', values: values('red') },
    { status: 'read', values: values('blue', 'red') },
    { status: 'read', values: values('not a name') },
    { status: 'read', values: [] },
    { status: 'failed', reason: 'permission denied' },
  ])
}

function randomSketch(name: string, random: Chance): TableSketch {
  if (name === 'color') return { columns: { id: 'text not null' }, ...(random.below(8) > 0 && { key: ['id'] }) }
  const columns = columnNames.filter((name) => name === 'id' || random.below(10) > 0)
  const keys = columns.filter((name) => name.endsWith('_id') && random.below(6) > 0)
  return {
    columns: Object.fromEntries(
      columns.map((name) => [name, random.one(['int4', 'int4', 'int4 not null', 'int4 not null', 'text'])]),
    ),
    ...(random.below(4) > 0 && { key: ['id'] }),
    references: {
      ...Object.fromEntries(keys.map((key) => [key, `${key === 'a_id' ? 'a' : random.one(['b', 'c'])}:id`])),
      ...(columns.includes('x') && random.below(2) === 0 && { x: 'color:id' }),
    },
    ...(random.below(3) === 0 && { description: `text ${random.below(2)}` }),
  }
}

function editDocument(document: MetadataDocument, random: Chance, liking: Liking): MetadataDocument {
  if (random.below(14) === 0) return editRole(document, random)
  const source = random.one(sources)
  const name = random.one(tableNames)
  const table = tableAddress(source, qualified(name))
  const edit = random.below(16)
  if (edit === 0) return editSource(document, source, random)
  if (!findObject(document, sourceAddress(source))) return document
  if (edit <= 2 || !findObject(document, table)) return editTable(document, source, name, random, liking)
  return editBelow(document, table, edit <= 6 ? randomRelationship(random) : randomPermission(random), random)
}

/** Cycles too: no operation makes one, and a model has to bear it. */
function editRole(document: MetadataDocument, random: Chance): MetadataDocument {
  const role_name = random.one(inheritedRoles)
  const at = address('inherited_role', ownKey('inherited_role', { role_name }))
  if (random.below(3) === 0) return removeObject(document, at)
  const role_set = Array.from({ length: 1 + random.below(3) }, () =>
    random.one([...roles, ...roles, ...inheritedRoles]),
  )
  return setValue(document, at, { role_name, role_set })
}

function editSource(document: MetadataDocument, name: string, random: Chance): MetadataDocument {
  const at = sourceAddress(name)
  if (!findObject(document, at)) {
    const [object] = childrenOf(documentOf({ version: 3, sources: [sourceOf(name, [])] }), 'source').values()
    return object ? putObject(document, at, object) : document
  }
  return random.below(20) === 0 ? removeObject(document, at) : document
}

function editTable(
  document: MetadataDocument,
  source: string,
  name: string,
  random: Chance,
  liking: Liking,
): MetadataDocument {
  const at = tableAddress(source, qualified(name))
  if (findObject(document, at) && random.below(8) === 0) return removeObject(document, at)
  const customName = random.one(liking.customNames(source, name))
  const configuration = {
    column_config: random.one<JsonObject>([{}, {}, {}, {}, { x: { custom_name: random.one(['z', 'up', 'y']) } }]),
    custom_column_names: {},
    custom_root_fields: random.one<JsonObject>([{}, { select: `${customName}_list` }]),
    custom_name: customName,
  }
  const isEnum = name === 'color' && random.below(3) > 0
  return setValue(document, at, { table: qualified(name), ...(isEnum && { is_enum: true }), configuration })
}

interface Sketch {
  readonly type: ObjectType
  readonly key: JsonObject
  readonly value: JsonObject
}

function editBelow(document: MetadataDocument, table: ObjectAddress, made: Sketch, random: Chance): MetadataDocument {
  const at = address(made.type, ownKey(made.type, made.key), table)
  return random.below(5) === 0 ? removeObject(document, at) : setValue(document, at, made.value)
}

function randomRelationship(random: Chance): Sketch {
  return random.below(3) === 0 ? anyRelationship(random) : likelyRelationship(random)
}

/** One that many tables can have. */
function likelyRelationship(random: Chance): Sketch {
  const table = qualified(random.one(tableNames))
  const byHand = { remote_table: table, column_mapping: { id: 'id' }, insertion_order: null }
  const sketch = (type: ObjectType, name: string, using: JsonObject) => ({
    type,
    key: { name },
    value: { name, using },
  })
  return random.one([
    sketch('object_relation', 'up', { foreign_key_constraint_on: 'a_id' }),
    sketch('array_relation', 'down', { manual_configuration: byHand }),
    sketch('object_relation', 'side', { manual_configuration: byHand }),
  ])
}

function anyRelationship(random: Chance): Sketch {
  const name = random.one(relationshipNames)
  const table = qualified(random.one(tableNames))
  const column = random.one(columnNames)
  const byHand: JsonObject = {
    manual_configuration: { remote_table: table, column_mapping: { id: column }, insertion_order: null },
  }
  const remote: JsonObject = { foreign_key_constraint_on: { table, column } }
  const type = random.one(['object_relation', 'array_relation'] as const)
  const using = type === 'array_relation' ? [byHand, remote] : [byHand, remote, { foreign_key_constraint_on: column }]
  return { type, key: { name }, value: { name, using: random.one<JsonObject>(using) } }
}

function randomPermission(random: Chance): Sketch {
  const role = random.one(roles)
  const columns = random.one<Json>(['*', ['id'], [random.one(columnNames)]])
  if (random.below(3) === 0)
    return {
      type: 'delete_permission',
      key: { role },
      value: { role, permission: { filter: randomFilter(random, 2) } },
    }
  const permission = {
    columns,
    filter: randomFilter(random, 3),
    ...(random.below(2) === 0 && { allow_aggregations: true }),
  }
  return { type: 'select_permission', key: { role }, value: { role, permission } }
}

function randomFilter(random: Chance, depth: number): JsonObject {
  const leaf = (): JsonObject => ({
    [random.one([...columnNames, 'id', 'id'])]: { _eq: random.one<Json>([1, 2, 'X-Svc-Id', 'X-Svc-Id', 'red']) },
  })
  if (depth === 0) return random.one([{}, leaf()])
  const inner = () => randomFilter(random, depth - 1)
  switch (random.below(7)) {
    case 0:
      return {}
    case 1:
      return leaf()
    case 2:
      return { _or: [inner(), inner()] }
    case 3:
      return { _exists: { _table: qualified(random.one(tableNames)), _where: inner() } }
    case 4:
      return { [random.one(columnNames)]: { _ceq: random.one<Json>(['id', ['$', 'x']]) } }
    default:
      return { [random.one([...relationshipNames, 'up', 'down', 'side'])]: inner() }
  }
}
