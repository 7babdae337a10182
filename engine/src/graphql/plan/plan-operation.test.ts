import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import type { RootQuery } from '../../ir/index.ts'
import { parseDocument } from '../document/parse-document.ts'
import { defaultGraphqlSettings, type GraphqlSettings } from '../settings.ts'
import { sketches, storeModel, tables } from '../store.fixture.ts'
import { roleSchema } from '../types/role-schema.ts'
import { checkVariables } from './check-variables.ts'
import type { Plan } from './plan.ts'
import { planOperation } from './plan-operation.ts'

const model = storeModel()

interface Options {
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
  readonly role?: string
  readonly settings?: Partial<GraphqlSettings>
}

function plan(query: string, { variables = {}, operationName, role = 'admin', settings: some }: Options = {}): Plan {
  const settings = { ...defaultGraphqlSettings, ...some }
  const document = parseDocument(query, settings)
  return planOperation({ document, operationName: operationName ?? null, variables }, roleSchema(model, role), settings)
}

function queryOf(text: string, options?: Options): RootQuery {
  const [root] = plan(text, options).roots
  if (root?.kind !== 'database') throw new Error('no database root')
  return root.query
}

/** [query, path, message, options], all validation-failed unless asked otherwise. */
const refused: readonly (readonly [string, string, string, (Options & { readonly code?: string })?])[] = [
  ['{ nope }', '$.selectionSet.nope', "field 'nope' not found in type: 'query_root'"],
  ['{ a: nope }', '$.selectionSet.nope', "field 'nope' not found in type: 'query_root'"],
  ['{ artist { x } }', '$.selectionSet.artist.selectionSet.x', "field 'x' not found in type: 'artist'"],
  [
    '{ artist { albums { artist { x } } } }',
    '$.selectionSet.artist.selectionSet.albums.selectionSet.artist.selectionSet.x',
    "field 'x' not found in type: 'artist'",
  ],
  ['{ artist }', '$.selectionSet.artist.selectionSet', "missing selection set for 'artist'"],
  [
    '{ artist { id { x } } }',
    '$.selectionSet.artist.selectionSet.id',
    'unexpected subselection set for non-object field',
  ],
  ['{ artist(first: 1) { id } }', '$.selectionSet.artist', "'artist' has no argument named 'first'"],
  ['{ artist { id(a: 1) } }', '$.selectionSet.artist.selectionSet.id', "'id' has no argument named 'a'"],
  ['{ artist_by_pk { id } }', '$.selectionSet.artist_by_pk.args.id', "missing required field 'id'"],
  ['{ artist_by_pk(id: null) { id } }', '$.selectionSet.artist_by_pk.args.id', "unexpected null value for type 'Int'"],
  [
    '{ artist(where: {nope: {}}) { id } }',
    '$.selectionSet.artist.args.where.nope',
    "field 'nope' not found in type: 'artist_bool_exp'",
  ],
  [
    '{ artist(where: {name: {_ne: "x"}}) { id } }',
    '$.selectionSet.artist.args.where.name._ne',
    "field '_ne' not found in type: 'String_comparison_exp'",
  ],
  [
    '{ artist(where: "x") { id } }',
    '$.selectionSet.artist.args.where',
    "expected an object for type 'artist_bool_exp', but found a string",
  ],
  [
    'query ($w: artist_bool_exp) { artist(where: $w) { id } }',
    '$.selectionSet.artist.args.where',
    "expected an object for type 'artist_bool_exp', but found a number",
    { variables: { w: 5 } },
  ],
  [
    '{ artist(where: {id: null}) { id } }',
    '$.selectionSet.artist.args.where.id',
    "expected an object for type 'Int_comparison_exp', but found null",
  ],
  [
    '{ artist(where: {_and: [{}, null]}) { id } }',
    '$.selectionSet.artist.args.where._and[1]',
    "expected an object for type 'artist_bool_exp', but found null",
  ],
  [
    '{ artist(where: {id: {_eq: null}}) { id } }',
    '$.selectionSet.artist.args.where.id._eq',
    "unexpected null value for type 'Int'",
  ],
  [
    'query ($v: Int) { artist(where: {id: {_eq: $v}}) { id } }',
    '$.selectionSet.artist.args.where.id._eq',
    "unexpected null value for type 'Int'",
  ],
  [
    '{ artist(where: {id: {_in: [1, null]}}) { id } }',
    '$.selectionSet.artist.args.where.id._in[1]',
    "unexpected null value for type 'Int'",
  ],
  [
    '{ artist(where: {id: {_is_null: 1}}) { id } }',
    '$.selectionSet.artist.args.where.id._is_null',
    "expected a boolean for type 'Boolean', but found an integer",
  ],
  [
    '{ artist(order_by: {id: up}) { id } }',
    '$.selectionSet.artist.args.order_by.id',
    "expected one of the values ['asc', 'asc_nulls_first', 'asc_nulls_last', 'desc', 'desc_nulls_first', 'desc_nulls_last'] for type 'order_by', but found 'up'",
  ],
  [
    '{ artist(order_by: [{id: "asc"}]) { id } }',
    '$.selectionSet.artist.args.order_by[0].id',
    "expected an enum value for type 'order_by', but found a string",
  ],
  [
    '{ artist(order_by: {albums_aggregate: {max: null}}) { id } }',
    '$.selectionSet.artist.args.order_by.albums_aggregate.max',
    "expected an object for type 'album_max_order_by', but found null",
  ],
  [
    '{ artist(limit: "3") { id } }',
    '$.selectionSet.artist.args.limit',
    "expected a non-negative 32-bit integer for type 'Int', but found a string",
  ],
  [
    '{ artist(limit: -1) { id } }',
    '$.selectionSet.artist.args.limit',
    "expected a non-negative 32-bit integer for type 'Int', but found an integer",
  ],
  [
    'query ($l: Int) { artist(limit: $l) { id } }',
    '$.selectionSet.artist.args.limit',
    "expected a non-negative 32-bit integer for type 'Int', but found a number",
    { variables: { l: -2 } },
  ],
  [
    '{ artist(distinct_on: [name], order_by: [{id: asc}, {name: asc}]) { id } }',
    '$.selectionSet.artist.args',
    '"distinct_on" columns must match initial "order_by" columns',
  ],
  [
    'query ($l: String) { artist(limit: $l) { id } }',
    '$.selectionSet.artist.args.limit',
    "variable 'l' is declared as 'String', but used where 'Int' is expected",
    { variables: { l: 42 } },
  ],
  [
    'query ($f: Int) { artist(where: {fans: {_eq: $f}}) { id } }',
    '$.selectionSet.artist.args.where.fans._eq',
    "variable 'f' is declared as 'Int', but used where 'bigint' is expected",
    { variables: { f: 1 } },
  ],
  [
    'query ($id: Int) { artist_by_pk(id: $id) { id } }',
    '$.selectionSet.artist_by_pk.args.id',
    "variable 'id' is declared as 'Int', but used where 'Int!' is expected",
    { variables: { id: 1 } },
  ],
  [
    'query ($id: Int) { artist(where: {id: {_in: [1, $id]}}) { id } }',
    '$.selectionSet.artist.args.where.id._in[1]',
    "variable 'id' is declared as 'Int', but used where 'Int!' is expected",
    { variables: { id: 1 } },
  ],
  ['{ artist(limit: $l) { id } }', '$', 'unbound variable "l"'],
  ['query ($a: Int, $a: Int) { __typename }', '$', 'multiple definitions for variable "a"', { code: 'parse-failed' }],
  [
    'query ($l: Int!) { artist(limit: $l) { id } }',
    '$.variableValues.l',
    'expecting a value for non-nullable variable: "l"',
  ],
  [
    'query ($l: Int!) { artist(limit: $l) { id } }',
    '$.variableValues.l',
    'null value found for non-nullable type: "Int!"',
    { variables: { l: null } },
  ],
  [
    'query ($l: Int) { artist { id } }',
    '$',
    'unexpected variables in variableValues: l, m',
    { variables: { l: 1, m: 2 } },
  ],
  ['{ artist { ...f } }', '$.selectionSet.artist.selectionSet', 'reference to undefined fragment "f"'],
  [
    '{ artist { ...a } } fragment a on artist { ...b } fragment b on artist { ...a }',
    '$.selectionSet.artist.selectionSet.a.selectionSet.b.selectionSet.a.selectionSet',
    'the fragment definition(s) a and b form a cycle',
  ],
  [
    '{ __typename } fragment a on artist { id } fragment a on artist { id }',
    '$',
    'multiple definitions for fragment "a"',
    { code: 'parse-failed' },
  ],
  [
    '{ artist { x: id x: name } }',
    '$.selectionSet.artist.selectionSet',
    "selection of both 'id' and 'name' specify the same response name, 'x'",
  ],
  [
    '{ artist(limit: 1) { id } artist(limit: 2) { id } }',
    '$.selectionSet',
    "inconsistent arguments between multiple selections of field 'artist'",
  ],
  ['{ artist @foo { id } }', '$.selectionSet', "directive 'foo' is not defined in the schema"],
  ['{ artist @cached { id } }', '$.selectionSet', "directive 'cached' is not allowed on a field"],
  ['query @skip(if: true) { __typename }', '$', "directive 'skip' is not allowed on a query"],
  [
    '{ __typename @skip(if: true) @skip(if: false) }',
    '$.selectionSet',
    "the following directives are used more than once: ['skip']",
  ],
  ['mutation { x }', '$', 'no mutations exist', { role: 'stranger' }],
  ['mutation { x }', '$.selectionSet.x', "field 'x' not found in type: 'mutation_root'"],
  ['mutation @cached { __typename }', '$', "directive 'cached' is not allowed on a mutation"],
  ['subscription { artist { id } }', '$', 'no subscriptions exist', { role: 'stranger' }],
  [
    '{ artist { ... @cached { id } } }',
    '$.selectionSet.artist.selectionSet',
    "directive 'cached' is not allowed on an inline fragment",
  ],
  [
    '{ artist { ...f @cached } } fragment f on artist { id }',
    '$.selectionSet.artist.selectionSet',
    "directive 'cached' is not allowed on a fragment spread",
  ],
  ['{ __typename @skip }', '$.selectionSet.args.if', "missing required field 'if'"],
  [
    '{ artist(distinct_on: x) { id } }',
    '$.selectionSet.artist.args.distinct_on',
    "expected one of the values ['id', 'name', 'email', 'born', 'meta', 'tags', 'fans'] for type 'artist_select_column', but found 'x'",
  ],
  [
    'subscription { artist { id } }',
    '$',
    'subscriptions are not supported over HTTP, use websockets instead',
    { code: 'unexpected-payload' },
  ],
  ['query a { __typename }', '$', 'no such operation found in the document: "b"', { operationName: 'b' }],
  [
    '{ __typename }',
    '$',
    'operationName cannot be used when an anonymous operation exists in the document',
    { operationName: 'b' },
  ],
  [
    'query a { __typename } query b { __typename }',
    '$',
    'exactly one operation has to be present in the document when operationName is not specified',
  ],
  ['{ artist { ', '$.query', 'not a valid graphql query'],
  ['type a { b: Int }', '$.query', 'not a valid graphql query'],
  [
    '{ artist { meta(path: "$.a[x]") } }',
    '$.selectionSet.artist.selectionSet.meta.args.path',
    'parse json path error: unexpected "[x]" at 3',
  ],
  [
    '{ artist_aggregate { aggregate { count(columns: null) } } }',
    '$.selectionSet.artist_aggregate.selectionSet.aggregate.selectionSet.count.args.columns',
    "expected an enum value for type 'artist_select_column', but found null",
  ],
  // what a role does not see does not exist
  ['{ track { id } }', '$.selectionSet.track', "field 'track' not found in type: 'query_root'", { role: 'user' }],
  [
    '{ artist { email } }',
    '$.selectionSet.artist.selectionSet.email',
    "field 'email' not found in type: 'artist'",
    { role: 'user' },
  ],
  [
    '{ album { tracks { id } } }',
    '$.selectionSet.album.selectionSet.tracks',
    "field 'tracks' not found in type: 'album'",
    { role: 'user' },
  ],
  [
    '{ album_aggregate { nodes { id } } }',
    '$.selectionSet.album_aggregate',
    "field 'album_aggregate' not found in type: 'query_root'",
    { role: 'user' },
  ],
  [
    '{ artist(where: {email: {_eq: "x"}}) { id } }',
    '$.selectionSet.artist.args.where.email',
    "field 'email' not found in type: 'artist_bool_exp'",
    { role: 'user' },
  ],
  ['{ artist { name } }', '$.selectionSet.artist', "field 'artist' not found in type: 'query_root'", { role: 'guest' }],
]

for (const [query, path, message, { code = 'validation-failed', ...options } = {}] of refused)
  test(`${query} is refused: ${message}`, () => {
    assert.throws(
      () => plan(query, options),
      (error) => {
        assert.ok(error instanceof ApiError, String(error))
        assert.deepEqual([error.code, error.path.toString(), error.message], [code, path, message])
        return true
      },
    )
  })

const literals: readonly (readonly [string, string])[] = [
  ['true', 'a boolean'],
  ['1', 'an integer'],
  ['1.5', 'a float'],
  ['"x"', 'a string'],
  ['x', 'an enum value'],
  ['[{}]', 'a list'],
]
for (const [literal, found] of literals)
  test(`where: ${literal} is refused as ${found}`, () => {
    assert.throws(() => plan(`{ artist(where: ${literal}) { id } }`), {
      message: `expected an object for type 'artist_bool_exp', but found ${found}`,
    })
  })
test('an object is refused where none is wanted', () => {
  assert.throws(() => plan('{ artist(order_by: {id: {}}) { id } }'), { message: /but found an object$/ })
})

const values: readonly (readonly [unknown, string])[] = [
  [true, 'a boolean'],
  [1.5, 'a number'],
  ['x', 'a string'],
  [[], 'a list'],
]
for (const [w, found] of values)
  test(`where: $w with ${JSON.stringify(w)} is refused as ${found}`, () => {
    assert.throws(() => plan('query ($w: artist_bool_exp) { artist(where: $w) { id } }', { variables: { w } }), {
      message: `expected an object for type 'artist_bool_exp', but found ${found}`,
    })
  })

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
    'the operation that is chosen beside a wrong one',
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
