import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@svc/schema'
import type { EnumValues } from '../backends/index.ts'
import { postgres } from '../backends/index.ts'
import type { SourceState } from '../sources/index.ts'
import type { Model } from './model.ts'
import type { ModelInput } from './model-settings.ts'
import { databaseTable, documentOf, introspection, ready, settings, type TableSketch } from './music.fixture.ts'
import { sortedData } from './plain-model.fixture.ts'
import { type Chance, chance } from './random-edits.fixture.ts'
import { tableOwn } from './table-id.ts'
import { updateModel } from './update-model.ts'

interface World {
  readonly sketches: Readonly<Record<string, TableSketch>>
  readonly tables: readonly JsonObject[]
  /** Names of values by table. */
  readonly rows: Readonly<Record<string, readonly string[]>>
}

const enumTable: TableSketch = { columns: { value: 'text not null', comment: 'text' }, key: ['value'] }
const world: World = {
  sketches: {
    color: enumTable,
    size: { columns: { value: 'text not null' }, key: ['value'] },
    shirt: {
      columns: { id: 'int4 not null', color: 'text', size: 'text', owner: 'int4' },
      key: ['id'],
      references: { color: 'color:value', size: 'size:value' },
    },
    other: { columns: { id: 'int4 not null', name: 'text' }, key: ['id'] },
  },
  tables: [{ table: 'color', is_enum: true }, { table: 'size' }, { table: 'shirt' }, { table: 'other' }],
  rows: { color: ['blue', 'red'], size: ['large', 'small'] },
}

/** Values keep their reference while they are equal, as sources keep it. */
const kept = new Map<string, EnumValues>()

function partValues(names: readonly string[]): EnumValues {
  const key = names.join(' ')
  const known = kept.get(key) ?? { status: 'read', values: names.map((name) => ({ name, description: null })) }
  kept.set(key, known)
  return known
}

const none: EnumValues = { status: 'none' }

function inputOf({ sketches, tables, rows }: World): ModelInput {
  const state = ready('default', introspection(sketches))
  const marked = tables.filter(({ is_enum }) => is_enum === true).map(({ table }) => String(table))
  const enums = marked.map((name) => {
    const sketch = sketches[name]
    const isGood = sketch && postgres.enumShape(databaseTable(name, sketch)).ok
    return [tableOwn({ schema: 'public', name }), isGood ? partValues(rows[name] ?? []) : none] as const
  })
  const of: SourceState = { ...state, enums: new Map(enums) } as SourceState
  return { document: documentOf(tables), settings, sources: new Map([['default', of]]) }
}

/** The same tables of the database by reference, as a look that finds no change keeps them. */
function follow(world: World, previous: Model): ModelInput {
  const input = inputOf(world)
  const [now, old] = [input.sources.get('default'), previous.input.sources.get('default')]
  if (now?.status !== 'ready' || old?.status !== 'ready') return input
  const tables = new Map(
    [...now.introspection.tables].map(([key, table]) => {
      const known = old.introspection.tables.get(key)
      return [key, known?.fingerprint === table.fingerprint ? known : table] as const
    }),
  )
  const state = { ...now, introspection: { ...now.introspection, tables } }
  return { ...input, sources: new Map([['default', state]]) }
}

const columnTypes = (model: Model, table: string) =>
  Object.fromEntries(
    [...model.tables.values()]
      .filter((one) => one.table.name === table)
      .flatMap(({ columns }) => columns.map(({ name, enumType }) => [name, enumType?.name ?? null])),
  )

const reasons = (model: Model) => [...model.inconsistencies.values()].map(({ reason }) => reason)

test('a column is typed by the enum table that it refers to, and by nothing else', () => {
  const model = updateModel(null, inputOf(world))
  assert.deepEqual(columnTypes(model, 'shirt'), { id: null, color: 'color_enum', size: null, owner: null })
  assert.deepEqual(columnTypes(model, 'color'), { value: null, comment: null })
  assert.deepEqual(reasons(model), [])
})

test('only a key of one column that points at the enum table’s own key types a column', () => {
  const referring = (columns: TableSketch['columns'], references: TableSketch['references']): World => ({
    ...world,
    sketches: { ...world.sketches, shirt: { columns, key: ['id'], ...(references && { references }) } },
  })
  const byComment = referring({ id: 'int4', color: 'text' }, { color: 'color:comment' })
  assert.equal(columnTypes(updateModel(null, inputOf(byComment)), 'shirt').color, null)
  const byTwo = referring({ id: 'int4', color: 'text', said: 'text' }, { 'color,said': 'color:value,comment' })
  assert.equal(columnTypes(updateModel(null, inputOf(byTwo)), 'shirt').color, null)
})

test('an enum table whose key refers to itself keeps a key of texts', () => {
  const color = { ...enumTable, references: { value: 'color:value', comment: 'color:value' } }
  const model = updateModel(null, inputOf({ ...world, sketches: { ...world.sketches, color } }))
  assert.deepEqual(columnTypes(model, 'color'), { value: null, comment: 'color_enum' })
})

test('an enum without a GraphQL name types nothing', () => {
  const sketches = { ...world.sketches, 'dark-color': enumTable }
  const shirt: TableSketch = { ...(world.sketches.shirt ?? enumTable), references: { color: 'dark-color:value' } }
  const tables = [{ table: 'dark-color', is_enum: true }, { table: 'shirt' }]
  const model = updateModel(
    null,
    inputOf({ sketches: { ...sketches, shirt }, tables, rows: { 'dark-color': ['red'] } }),
  )
  assert.equal(columnTypes(model, 'shirt').color, null)
  assert.deepEqual(reasons(model), [])
})

test('the types of an enum take their names: a table that is called so is kept out until the mark is cleared', () => {
  for (const name of ['color_enum', 'color_enum_comparison_exp']) {
    const sketches = { ...world.sketches, [name]: { columns: { id: 'int4 not null' }, key: ['id'] } }
    const tables = [...world.tables, { table: name }]
    const model = updateModel(null, inputOf({ ...world, sketches, tables }))
    assert.equal(model.inconsistencies.size, 1, name)
    assert.match(reasons(model)[0] ?? '', /^Conflicting objects: conflicting definitions for type/)
    const unmarked = tables.map((table) => ({ ...table, is_enum: false }))
    const freed = updateModel(model, follow({ ...world, sketches, tables: unmarked }, model))
    assert.deepEqual(reasons(freed), [])
    const again = updateModel(freed, follow({ ...world, sketches, tables }, freed))
    assert.equal(again.inconsistencies.size, 1, `${name}, marked again`)
  }
})

test('values that change resolve again the tables that refer to them and what is below, and no other table', () => {
  const select = (filter: JsonObject) => [{ role: 'user', permission: { columns: '*', filter } }]
  const tables = [
    { table: 'color', is_enum: true },
    { table: 'shirt', select_permissions: select({ color: { _in: ['red', 'green'] } }) },
    { table: 'other', select_permissions: select({}) },
  ] as unknown as JsonObject[]
  const before = updateModel(null, inputOf({ ...world, tables }))
  assert.match(
    reasons(before)[0] ?? '',
    /expected one of the values "blue", "red" for type "color_enum", given "green"/,
  )
  const after = updateModel(before, follow({ ...world, tables, rows: { color: ['green', 'red'] } }, before))
  assert.deepEqual(reasons(after), [])
  // the source, the enum table, the table that refers to it, its permission
  assert.equal(after.rebuilt, 4)
  const same = updateModel(after, follow({ ...world, tables, rows: { color: ['green', 'red'] } }, after))
  assert.equal(same.tables, after.tables)
})

test('constants of a filter are checked against the enum wherever the filter reaches it', () => {
  const reasonOf = (filter: JsonObject): string | undefined => {
    const permission = { role: 'user', permission: { columns: ['id'], filter } }
    const tables = world.tables.map((table) =>
      table.table === 'other' ? { ...table, select_permissions: [permission] } : table,
    ) as readonly JsonObject[]
    const related = {
      name: 'shirts',
      using: { manual_configuration: { remote_table: 'shirt', column_mapping: { id: 'owner' } } },
    }
    const withShirts = tables.map((table) =>
      table.table === 'other' ? { ...table, array_relationships: [related] } : table,
    )
    return reasons(updateModel(null, inputOf({ ...world, tables: withShirts as unknown as JsonObject[] })))[0]
  }
  for (const filter of [
    { shirts: { color: 'red' } },
    { shirts: { color: { _eq: 'X-Svc-Color' } } },
    { shirts: { color: { _nin: ['red', 'blue'] } } },
    { shirts: { color: { _is_null: true } } },
    { _exists: { _table: 'shirt', _where: { color: { $ne: 'blue' } } } },
    { shirts: { size: { _eq: 'no enum' } } },
  ])
    assert.equal(reasonOf(filter as unknown as JsonObject), undefined, JSON.stringify(filter))
  for (const filter of [
    { shirts: { color: 'pink' } },
    { shirts: { _not: { color: { _neq: 'pink' } } } },
    { shirts: { color: { _in: ['red', 'pink'] } } },
    { _exists: { _table: 'shirt', _where: { color: { $eq: 'pink' } } } },
  ])
    assert.match(
      reasonOf(filter as unknown as JsonObject) ?? '',
      /expected one of the values "blue", "red" for type "color_enum", given "pink"$/,
      JSON.stringify(filter),
    )
})

test('a model updated edit by edit types the same columns as one built from scratch', () => {
  let typed = 0
  let inconsistent = 0
  for (let seed = 1; seed <= 5; seed++) {
    const random = chance(seed)
    let now = world
    let model = updateModel(null, inputOf(now))
    for (let step = 1; step <= 120; step++) {
      for (let edits = random.below(3); edits >= 0; edits--) now = edited(now, random)
      const input = follow(now, model)
      model = updateModel(model, input)
      const anew = updateModel(null, input)
      assert.deepEqual(plain(model), plain(anew), `seed ${seed}, step ${step}`)
      typed += Object.values(columnTypes(model, 'shirt')).filter((name) => name !== null).length
      inconsistent += model.inconsistencies.size
    }
  }
  assert.ok(typed > 100 && inconsistent > 100, `the edits must lead everywhere: ${typed}, ${inconsistent}`)
})

const plain = ({ tables, inconsistencies, faults }: Model) => ({
  tables: sortedData(tables),
  inconsistencies: inconsistencies.sortBy((_, key) => key).toJS(),
  faults: faults.sortBy((_, key) => key).toJS(),
})

function edited(world: World, random: Chance): World {
  const names = ['color', 'size', 'shirt', 'other'] as const
  const name = random.one(names)
  switch (random.below(5)) {
    case 0: {
      const others = world.tables.filter(({ table }) => table !== name)
      const filter = random.one<JsonObject>([
        {},
        { color: 'red' },
        { color: { _in: ['red', 'green'] } },
        { size: 'small' },
      ])
      const table = {
        table: name,
        ...(random.below(5) > (name === 'color' || name === 'size' ? 0 : 3) && { is_enum: true }),
        ...(random.below(4) === 0 && { configuration: { custom_name: `my_${name}` } }),
        select_permissions: [{ role: 'user', permission: { columns: '*', filter: name === 'shirt' ? filter : {} } }],
      } as unknown as JsonObject
      return { ...world, tables: random.below(8) === 0 ? others : [...others, table] }
    }
    case 1:
    case 2: {
      const good = random.one([['red'], ['blue', 'red'], ['green', 'red', 'small'], ['small']])
      const values = random.below(5) === 0 ? random.one([[], ['1', 'red'], ['true']]) : good
      return { ...world, rows: { ...world.rows, [name]: values } }
    }
    case 3: {
      const both = random.one<TableSketch['references']>([
        { color: 'color:value', size: 'size:value' },
        { color: 'color:value', 'color again': 'size:value' },
        { size: 'color:value' },
        {},
      ])
      const shirt: TableSketch = { ...(world.sketches.shirt ?? enumTable), ...(both && { references: both }) }
      return { ...world, sketches: { ...world.sketches, shirt } }
    }
    default: {
      const color = random.one<TableSketch>([
        enumTable,
        enumTable,
        enumTable,
        { ...enumTable, columns: { value: 'text not null' } },
        { ...enumTable, columns: { value: 'varchar not null' } },
        { ...enumTable, columns: { value: 'text not null', a: 'text', b: 'int4' } },
        { columns: enumTable.columns },
      ])
      return { ...world, sketches: { ...world.sketches, color } }
    }
  }
}
