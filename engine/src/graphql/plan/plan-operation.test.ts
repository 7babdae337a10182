import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { parseDocument } from '../document/parse-document.ts'
import { defaultGraphqlSettings } from '../settings.ts'
import { sketches, storeModel, tables } from '../store.fixture.ts'
import { roleSchema } from '../types/role-schema.ts'
import { checkVariables } from './check-variables.ts'
import { planOperation } from './plan-operation.ts'

import { type Options, plan, queryOf } from './plan-store.fixture.ts'

const accepted: readonly (readonly [string, string, Options?])[] = [
  ['an unused fragment', '{ __typename } fragment f on nowhere { a }'],
  ['an unused variable', 'query ($a: Nonsense) { __typename }'],
  [
    'null for the five list arguments',
    '{ artist(where: null, limit: null, offset: null, order_by: null, distinct_on: null) { id } }',
  ],
  ['a variable where its default makes it fit', 'query ($id: Int = 5) { artist_by_pk(id: $id) { id } }'],
  ['an absent variable as limit', 'query ($l: Int) { artist(limit: $l) { id } }'],
  ['the text of a number for a number', '{ artist_by_pk(id: "5") { id } }'],
  ['a numeric string as offset', '{ artist(offset: "9223372036854775807") { id } }'],
  ['a negative offset', '{ artist(offset: -1) { id } }'],
  ['@cached on a query', 'query @cached(ttl: 5, refresh: true) { __typename }'],
  ['null as a key of order_by', '{ artist(order_by: {id: null, albums_aggregate: {count: null}}) { id } }'],
  [
    'the operation that is chosen next to a wrong one',
    'query a { __typename } query b { nope }',
    { operationName: 'a' },
  ],
]

for (const [what, query, options] of accepted)
  test(`${what} is accepted`, () => {
    plan(query, options)
  })

test('a fragment on another type is dropped silently', () => {
  const query = queryOf('{ artist { id ...f ... on album { title } ... { name } } } fragment f on album { title }')
  assert.ok(query.kind === 'rows')
  assert.deepEqual(
    query.fields.map(({ as }) => as),
    ['id', 'name'],
  )
})

test('what an absent variable stands for is left out where that is wanted, and the plan holds only while it is', () => {
  const text = 'query ($l: Int, $n: String) { artist(limit: $l, where: {name: {_eq: $n}}) { id } }'
  const settings = { unboundIsAbsent: true }
  const { roots, guards } = plan(text, { settings })
  const [root] = roots
  assert.ok(root?.kind === 'database' && root.query.kind === 'rows')
  assert.deepEqual([root.query.rows.limit, root.query.rows.where], [null, { kind: 'and', of: [] }])
  assert.deepEqual(
    guards.map(({ variable, expect }) => [variable, expect.kind]),
    [
      ['l', 'absent'],
      ['n', 'absent'],
    ],
  )
  const required = 'query ($id: Int) { artist_by_pk(id: $id) { id } }'
  assert.throws(() => plan(required, { settings }), { message: "missing required field 'id'" })
  assert.throws(() => plan(text, { settings, variables: { n: null } }), /unexpected null value/)
})

test('repeated fields merge at their first place', () => {
  const query = queryOf('{ artist { albums { id } name albums { title id } } }')
  assert.ok(query.kind === 'rows')
  assert.deepEqual(
    query.fields.map(({ as }) => as),
    ['albums', 'name'],
  )
  const [albums] = query.fields
  assert.ok(albums?.kind === 'array')
  assert.deepEqual(
    albums.fields.map(({ as }) => as),
    ['id', 'title'],
  )
})

test('@include and @skip leave their trace only in the guards', () => {
  const text = 'query ($a: Boolean!) { artist { id name @include(if: $a) born @skip(if: $a) } }'
  const { roots, guards } = plan(text, { variables: { a: true } })
  const [root] = roots
  assert.ok(root?.kind === 'database' && root.query.kind === 'rows')
  assert.deepEqual(
    root.query.fields.map(({ as }) => as),
    ['id', 'name'],
  )
  assert.ok(guards.some(({ expect }) => expect.kind === 'equal' && expect.to === true))
})

test("a relationship's target brings its own filter, rooted, into where, order and selection", () => {
  const query = queryOf('{ artist(where: {albums: {}}) { albums { id } } }', { role: 'user' })
  assert.ok(query.kind === 'rows')
  const own = {
    kind: 'rooted',
    of: {
      kind: 'compare',
      operator: 'eq',
      nullSafe: false,
      left: { kind: 'column', of: 'row', name: 'artist_id', type: int4 },
      right: [{ kind: 'session', variable: 'x-svc-user-id', type: { type: int4, list: false } }],
    },
  }
  const { where, permissionLimit } = query.rows
  assert.equal(permissionLimit, 50)
  assert.ok(where.kind === 'and')
  assert.deepEqual(where.of[1], {
    kind: 'exists-related',
    join: { table: { schema: 'public', name: 'album' }, columns: [{ from: 'id', to: 'artist_id' }] },
    where: own,
  })
  const [albums] = query.fields
  assert.ok(albums?.kind === 'array')
  assert.deepEqual(albums.rows.where, own)
})

const int4 = { schema: 'pg_catalog', name: 'int4', kind: 'base', array: false }

test('asc puts nulls last and desc first, unless asked otherwise', () => {
  const query = queryOf(
    '{ artist(order_by: [{id: asc, name: desc}, {born: desc_nulls_last}, {fans: asc_nulls_first}]) { id } }',
  )
  assert.ok(query.kind === 'rows')
  assert.deepEqual(
    query.rows.orderBy.map(({ key, direction, nulls }) => [
      key.kind === 'operand' && key.of.kind === 'column' && key.of.name,
      direction,
      nulls,
    ]),
    [
      ['id', 'asc', 'last'],
      ['name', 'desc', 'first'],
      ['born', 'desc', 'last'],
      ['fans', 'asc', 'first'],
    ],
  )
})

test('a role that metadata does not name has the placeholder and nothing else', () => {
  assert.deepEqual(
    plan('{ no_queries_available }', { role: 'stranger' }).roots.map(({ kind }) => kind),
    ['text'],
  )
  assert.throws(() => plan('{ no_queries_available }', { role: 'user' }), /not found/)
  assert.throws(() => plan('{ artist { id } }', { role: 'stranger' }), /not found/)
})

test('an Int of an operator is no text, as a literal and as a variable', () => {
  const scans = storeModel({
    sketches: { ...sketches, scan: { columns: { id: 'int4 not null', picture: 'raster' }, key: ['id'] } },
    tables: [...tables, { table: { schema: 'public', name: 'scan' } }],
  })
  const planned = (nband: string, variables: Options['variables'] = {}, type = 'Int!') => {
    const declared = nband.startsWith('$') ? `query (${nband}: ${type})` : ''
    const point = '{type: "Point", coordinates: [1, 2]}'
    const query = `${declared} { scan(where: {picture: {_st_intersects_nband_geom: {nband: ${nband}, geommin: ${point}}}}) { id } }`
    const document = parseDocument(query, defaultGraphqlSettings)
    const schema = roleSchema(scans, 'admin')
    return planOperation({ document, operationName: null, variables }, schema, defaultGraphqlSettings)
  }
  const refuses = (text: string, run: () => unknown) =>
    assert.throws(
      run,
      (error) => error instanceof ApiError && error.message === text && error.code === 'validation-failed',
    )
  refuses("expected a 32-bit integer for type 'Int', but found a string", () => planned('"1"'))
  refuses("expected a 32-bit integer for type 'Int', but found an integer", () => planned('2147483648'))
  refuses("expected a 32-bit integer for type 'Int', but found a number", () => planned('$n', { n: 1.5 }))
  refuses("unexpected null value for type 'Int'", () => planned('null'))
  refuses("variable 'n' is declared as 'Int', but used where 'Int!' is expected", () => planned('$n', { n: 1 }, 'Int'))
  planned('-2147483648')
  const { checks } = planned('$n', { n: 1 })
  checkVariables(checks, { n: JSON.rawJSON('2.00000000000000000000') })
  refuses("expected a 32-bit integer for type 'Int', but found a string", () => checkVariables(checks, { n: '1' }))
})

test('null operators collapse to true, and null stands for T!, where the settings say so', () => {
  const query = queryOf('{ artist(where: {id: {_eq: null, _is_null: null}, meta: {_cast: null}}) { id } }', {
    settings: { booleanNullCollapse: true },
  })
  assert.ok(query.kind === 'rows')
  assert.deepEqual(query.rows.where, { kind: 'and', of: [] })
  plan('query ($l: Int!) { artist(limit: $l) { id } }', {
    variables: { l: null },
    settings: { nullInNonNullableVariables: true },
  })
})
