import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'

import { type Options, plan } from './plan-store.fixture.ts'

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
  ['query ($l: Int!) { artist(limit: $l) { id } }', '$', 'expecting a value for non-nullable variable: "l"'],
  [
    'query ($l: Int!) { artist(limit: $l) { id } }',
    '$',
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
    '$.selectionSet.artist.selectionSet.a.selectionSet.b.selectionSet',
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
