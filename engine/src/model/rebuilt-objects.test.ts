/** What one operation resolves again at 5,000 tables, 50 functions and 50 native queries: what it touches, and its dependents. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  address,
  type JsonObject,
  type MetadataDocument,
  type ObjectAddress,
  type ObjectType,
  ownKey,
  removeObject,
  setValue,
  sourceAddress,
  tableAddress,
} from '@svc/schema'
import type { DatabaseFunction } from '../backends/index.ts'
import type { SourceState } from '../sources/index.ts'
import type { Model } from './model.ts'
import type { ModelInput } from './model-settings.ts'
import { baseType, databaseTable, documentOf, ready, settings, sourceOf } from './music.fixture.ts'
import { functionOwn, tableOwn } from './table-id.ts'
import { updateModel } from './update-model.ts'

const tables = 5000
const few = 50

const qualified = (name: string) => ({ schema: 'public', name })
const composite = (name: string) => ({ schema: 'public', name, kind: 'composite', array: false }) as const
const column = { id: 'int4 not null', name: 'text', parent_id: 'int4' }

function trackedTable(i: number): JsonObject {
  const filter = { parent: { name: { _eq: 'X-Svc-Name' } } }
  return {
    table: qualified(`t${i}`),
    object_relationships: [{ name: 'parent', using: { foreign_key_constraint_on: 'parent_id' } }],
    select_permissions: [
      { role: 'user', permission: { columns: '*', filter } },
      { role: 'guest', permission: { columns: ['id'], filter: {} } },
    ],
  }
}

const trackedFunction = (i: number): JsonObject => ({
  function: qualified(`f${i}`),
  permissions: [{ role: 'user' }],
})

const logicalModel = (i: number): JsonObject => ({
  name: `model_${i}`,
  fields: [{ name: 'id', type: { scalar: 'integer' } }],
  select_permissions: [{ role: 'user', permission: { columns: ['id'], filter: {} } }],
})

/** Ten to a logical model; each leads to a table of its own and, but for the first, to the one before. */
const nativeQuery = (i: number): JsonObject => ({
  root_field_name: `query_${i}`,
  code: 'SELECT 1 AS id',
  returns: `model_${i % 5}`,
  object_relationships: [
    {
      name: `table_${i}`,
      using: { manual_configuration: { remote_table: qualified(`t${i}`), column_mapping: { id: 'id' } } },
    },
    ...(i === 0
      ? []
      : [
          {
            name: `query_${i}`,
            using: { manual_configuration: { remote_native_query: `query_${i - 1}`, column_mapping: { id: 'id' } } },
          },
        ]),
  ],
})

/** Functions 0 to 4 give rows of t0, 5 to 9 those of t1 … */
const databaseFunction = (i: number): DatabaseFunction => ({
  function: qualified(`f${i}`),
  description: null,
  volatility: 'stable',
  variadic: false,
  arguments: [{ name: 'word', type: baseType('text'), hasDefault: false }],
  returns: { type: composite(`t${Math.floor(i / 5)}`), set: true },
  oid: String(i),
})

function input(): ModelInput {
  const made = Array.from({ length: tables + 1 }, (_, i) =>
    databaseTable(`t${i}`, {
      columns: column,
      key: ['id'],
      references: { parent_id: `t${i === tables ? 0 : Math.floor(i / 10)}:id` },
    }),
  )
  const list = <T>(of: (i: number) => T, length = few): readonly T[] => Array.from({ length }, (_, i) => of(i))
  const source: SourceState = {
    ...ready('default', {
      tables: new Map(made.map((table) => [tableOwn(table.table), table])),
      serverVersion: 150000,
    }),
    functions: new Map(
      list(databaseFunction).map(
        (one) => [functionOwn(one.function), { name: one.function, overloads: [one] }] as const,
      ),
    ),
    queries: { checked: new Map(), types: new Map([['integer', baseType('int4')]]) },
  }
  const document = documentOf({
    version: 3,
    sources: [
      {
        ...sourceOf('default', list(trackedTable, tables)),
        functions: list(trackedFunction),
        logical_models: list(logicalModel, 5),
        native_queries: list(nativeQuery),
      },
    ],
  })
  return { document, settings, sources: new Map([['default', source]]) }
}

const below = (type: ObjectType, key: JsonObject, parent: ObjectAddress = sourceAddress('default')): ObjectAddress =>
  address(type, ownKey(type, key), parent)
const table = (i: number): ObjectAddress => tableAddress('default', qualified(`t${i}`))

const named = (i: number, custom_name: string): JsonObject => ({
  table: qualified(`t${i}`),
  configuration: { custom_name, column_config: {}, custom_column_names: {}, custom_root_fields: {} },
})

interface Operation {
  readonly what: string
  readonly edit: (document: MetadataDocument) => MetadataDocument
  /** All that is resolved again, spelled out. */
  readonly rebuilt: number
}

const operations: readonly Operation[] = [
  {
    what: 'tracking a table',
    edit: (at) => setValue(at, table(tables), { table: qualified(`t${tables}`) }),
    rebuilt: 1,
  },
  { what: 'untracking a table that nothing leads to', edit: (at) => removeObject(at, table(tables - 1)), rebuilt: 0 },
  { what: 'a custom name for a table', edit: (at) => setValue(at, table(900), named(900, 'renamed')), rebuilt: 1 },
  {
    // the table; functions f0 to f4, which read the table's shape only, are not
    what: 'a custom name for a table that functions give rows of',
    edit: (at) => setValue(at, table(0), named(0, 'renamed')),
    rebuilt: 1,
  },
  {
    // the table, and the function, its permission being absent below it
    what: "a table's name that a function has",
    edit: (at) => setValue(at, table(900), named(900, 'f7')),
    rebuilt: 2,
  },
  {
    what: "a table's name that a native query has",
    // the table, the query, and query_8 to query_49, each of which leads to the one before
    edit: (at) => setValue(at, table(900), named(900, 'query_7')),
    rebuilt: 2 + 42,
  },
  {
    what: 'a permission',
    edit: (at) =>
      setValue(at, below('select_permission', { role: 'editor' }, table(900)), {
        role: 'editor',
        permission: { columns: ['id'], filter: {} },
      }),
    rebuilt: 1,
  },
  {
    // the permissions of the five functions that give rows of t0
    what: 'dropping a permission that function permissions rest on',
    edit: (at) => removeObject(at, below('select_permission', { role: 'user' }, table(0))),
    rebuilt: 5,
  },
  {
    // the relationship, and the permission that goes over it
    what: 'a relationship',
    edit: (at) =>
      setValue(at, below('object_relation', { name: 'parent' }, table(900)), {
        name: 'parent',
        using: {
          manual_configuration: { remote_table: qualified('t1'), column_mapping: { id: 'id' }, insertion_order: null },
        },
      }),
    rebuilt: 2,
  },
  {
    what: 'dropping a function',
    edit: (at) => removeObject(at, below('function', { function: qualified('f7') })),
    rebuilt: 0,
  },
  {
    what: 'a comment on a function',
    edit: (at) =>
      setValue(at, below('function', { function: qualified('f7') }), { function: qualified('f7'), comment: 'x' }),
    rebuilt: 1 + 1,
  },
  {
    what: 'dropping a permission of a function',
    edit: (at) =>
      removeObject(
        at,
        below('function_permission', { role: 'user' }, below('function', { function: qualified('f7') })),
      ),
    rebuilt: 0,
  },
  {
    what: 'a new native query',
    edit: (at) =>
      setValue(at, below('native_query', { root_field_name: 'another' }), {
        root_field_name: 'another',
        code: 'SELECT 1 AS id',
        returns: 'model_0',
      }),
    rebuilt: 1,
  },
  {
    // the ones that lead to it, one after another, are inconsistent then
    what: 'dropping a native query',
    edit: (at) => removeObject(at, below('native_query', { root_field_name: 'query_47' })),
    rebuilt: 2,
  },
  {
    // its permission, and the ten queries that return it
    what: 'a field of a logical model',
    edit: (at) =>
      setValue(at, below('logical_model', { name: 'model_0' }), {
        name: 'model_0',
        fields: [
          { name: 'id', type: { scalar: 'integer', nullable: false } },
          { name: 'more', type: { scalar: 'integer', nullable: false } },
        ],
      }),
    rebuilt: 1 + 1 + 10 + 10,
  },
  {
    what: 'a role of a logical model',
    edit: (at) =>
      setValue(
        at,
        below('logical_model_select_permission', { role: 'guest' }, below('logical_model', { name: 'model_0' })),
        { role: 'guest', permission: { columns: ['id'], filter: {} } },
      ),
    rebuilt: 1,
  },
  {
    what: 'an inherited role',
    edit: (at) =>
      setValue(at, address('inherited_role', ownKey('inherited_role', { role_name: 'both' })), {
        role_name: 'both',
        role_set: ['user', 'guest'],
      }),
    rebuilt: 1,
  },
]

describe('objects resolved by one operation', () => {
  let model: Model
  before(() => {
    model = updateModel(null, input())
    assert.equal(model.inconsistencies.size, 0, JSON.stringify(model.inconsistencies.first()))
    assert.deepEqual([model.tables.size, model.functions.size, model.nativeQueries.size], [tables, few, few])
  })

  for (const { what, edit, rebuilt } of operations)
    test(`${what}: ${rebuilt}`, () => {
      const edited = updateModel(model, { ...model.input, document: edit(model.input.document) })
      assert.equal(edited.rebuilt, rebuilt)
    })

  test('a role that is added: the inherited roles that are made of it, and no other role', () => {
    const inherited = (role_name: string, role_set: readonly string[]) => (at: MetadataDocument) =>
      setValue(at, address('inherited_role', ownKey('inherited_role', { role_name })), { role_name, role_set })
    const roles = [
      inherited('both', ['user', 'guest']),
      inherited('more', ['both', 'late']),
      inherited('late', ['new']),
    ]
    const document = roles.reduce((at, add) => add(at), model.input.document)
    const before = updateModel(model, { ...model.input, document })
    assert.deepEqual([before.rebuilt, before.inconsistencies.size], [3, 2])
    const permitted = setValue(document, below('select_permission', { role: 'new' }, table(900)), {
      role: 'new',
      permission: { columns: ['id'], filter: {} },
    })
    const after = updateModel(before, { ...model.input, document: permitted })
    // the permission, late and more
    assert.deepEqual([after.rebuilt, after.inconsistencies.size], [3, 0])
    assert.equal(after.inheritedRoles.get('both'), before.inheritedRoles.get('both'))
  })

  test('the database read again as it is: the source and its tables, no function and no native query', () => {
    const state = model.input.sources.get('default')
    assert.ok(state)
    const { functions, queries } = state
    const again = { ...state, functions: new Map(functions), queries: { ...queries, types: new Map(queries.types) } }
    const edited = updateModel(model, { ...model.input, sources: new Map([['default', again]]) })
    assert.equal(edited.rebuilt, 1)
  })
})
