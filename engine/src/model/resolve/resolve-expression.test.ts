import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@svc/schema'
import type { BooleanExpression, DatabaseType, Operand, Value } from '../../ir/index.ts'
import { baseType, inputOf, music, type TableSketch } from '../music.fixture.ts'
import { updateModel } from '../update-model.ts'

/** The filter of a role on `album` (which has a relationship `artist`), or on another table. */
function filterOf(
  filter: JsonObject,
  table = 'album',
  sketches: Readonly<Record<string, TableSketch>> = music,
): BooleanExpression | undefined {
  const tables = [
    {
      table: 'artist',
      array_relationships: [
        { name: 'albums', using: { foreign_key_constraint_on: { table: 'album', column: 'artist_id' } } },
      ],
    },
    { table: 'album', object_relationships: [{ name: 'artist', using: { foreign_key_constraint_on: 'artist_id' } }] },
    { table: 'track' },
    ...(sketches === music ? [] : [{ table: 'place' }]),
  ].map((one) =>
    one.table === table
      ? { ...one, select_permissions: [{ role: 'user', permission: { columns: '*', filter } }] }
      : one,
  )
  const model = updateModel(null, inputOf(tables, sketches))
  assert.deepEqual([...model.inconsistencies.values()], [])
  return model.tables.get(`default/public.${table}`)?.selectPermissions.get('user')?.filter
}

const [int4, text] = [baseType('int4'), baseType('text')]
const column = (name: string, type: DatabaseType, of: 'row' | 'root' = 'row'): Operand => ({
  kind: 'column',
  of,
  name,
  type,
})
const constant = (value: string | null, type: DatabaseType, list = false) =>
  ({ kind: 'constant', text: value, type: { type, list } }) as const
const session = (variable: string, type: DatabaseType, list = false) =>
  ({ kind: 'session', variable, type: { type, list } }) as const
const compare = (left: Operand, operator: string, right: readonly Value[], nullSafe = false): BooleanExpression => ({
  kind: 'compare',
  left,
  operator,
  right,
  nullSafe,
})

const title = column('title', text)
const producer = column('producer_id', int4)

test('an empty filter is true; several keys and several operators are a conjunction', () => {
  assert.deepEqual(filterOf({}), { kind: 'and', of: [] })
  assert.deepEqual(filterOf({ title: {} }), { kind: 'and', of: [] })
  assert.deepEqual(filterOf({ title: { _gt: 'a', _lt: 'm' }, id: { _eq: 1 } }), {
    kind: 'and',
    of: [
      compare(column('id', int4), 'eq', [constant('1', int4)]),
      compare(title, 'gt', [constant('a', text)]),
      compare(title, 'lt', [constant('m', text)]),
    ],
  })
})

test('connectives in both spellings', () => {
  const one = compare(title, 'eq', [constant('a', text)])
  const filter = { title: { _eq: 'a' } }
  for (const sign of ['_', '$']) {
    assert.deepEqual(filterOf({ [`${sign}and`]: [filter, filter] }), { kind: 'and', of: [one, one] })
    assert.deepEqual(filterOf({ [`${sign}or`]: [filter, filter] }), { kind: 'or', of: [one, one] })
    assert.deepEqual(filterOf({ [`${sign}not`]: filter }), { kind: 'not', of: one })
  }
})

test('operators in both spellings; ne is neq', () => {
  for (const key of ['_neq', '_ne', '$neq', '$ne'])
    assert.deepEqual(filterOf({ title: { [key]: 'a' } }), compare(title, 'neq', [constant('a', text)]))
  assert.deepEqual(filterOf({ title: { $ilike: 'a%' } }), compare(title, 'ilike', [constant('a%', text)]))
})

test('_eq and _neq are null-safe on nullable columns only, the shorthand always', () => {
  const value = [constant('1', int4)]
  assert.deepEqual(filterOf({ producer_id: { _eq: 1 } }), compare(producer, 'eq', value, true))
  assert.deepEqual(filterOf({ producer_id: { $ne: 1 } }), compare(producer, 'neq', value, true))
  assert.deepEqual(filterOf({ producer_id: { _gt: 1 } }), compare(producer, 'gt', value, false))
  assert.deepEqual(filterOf({ id: { _eq: 1 } }), compare(column('id', int4), 'eq', value, false))
  assert.deepEqual(filterOf({ id: 1 }), compare(column('id', int4), 'eq', value, true))
  assert.deepEqual(filterOf({ producer_id: null }), { kind: 'is-null', of: producer, negated: false })
})

test('a whole value that begins with x-svc- is a session variable, in lower case; inside a list it is a text', () => {
  assert.deepEqual(filterOf({ title: { _eq: 'X-Svc-Title' } }), compare(title, 'eq', [session('x-svc-title', text)]))
  assert.deepEqual(filterOf({ id: 'x-SVC-Id' }), compare(column('id', int4), 'eq', [session('x-svc-id', int4)], true))
  assert.deepEqual(filterOf({ title: 'REQ_USER_ID' }), compare(title, 'eq', [session('x-svc-user-id', text)], true))
  assert.deepEqual(
    filterOf({ title: { _in: 'X-Svc-Titles' } }),
    compare(title, 'in', [session('x-svc-titles', text, true)]),
  )
  assert.deepEqual(
    filterOf({ title: { _in: ['X-Svc-Title'] } }),
    compare(title, 'in', [constant('{"X-Svc-Title"}', text, true)]),
  )
})

test('_is_null takes a boolean', () => {
  assert.deepEqual(filterOf({ title: { _is_null: true } }), { kind: 'is-null', of: title, negated: false })
  assert.deepEqual(filterOf({ title: { $is_null: false } }), { kind: 'is-null', of: title, negated: true })
})

test('column operators compare with the same row, or with the row that the permission is about', () => {
  const columns = (operator: string, right: Operand) => ({
    kind: 'compare-columns',
    left: column('id', int4),
    operator,
    right,
  })
  assert.deepEqual(filterOf({ id: { _ceq: 'artist_id' } }), columns('eq', column('artist_id', int4)))
  assert.deepEqual(filterOf({ id: { $cneq: ['artist_id'] } }), columns('neq', column('artist_id', int4)))
  assert.deepEqual(filterOf({ id: { _cne: ['artist_id'] } }), columns('neq', column('artist_id', int4)))
  assert.deepEqual(filterOf({ id: { _clte: ['$', 'artist_id'] } }), columns('lte', column('artist_id', int4, 'root')))
})

const toArtist = {
  table: { schema: 'public', name: 'artist' },
  columns: [{ from: 'artist_id', to: 'id' }],
  unique: true,
}
const toAlbum = { table: { schema: 'public', name: 'album' }, columns: [{ from: 'id', to: 'artist_id' }] }

test('a relationship is some row that it reaches; $ remains the row of the permission', () => {
  assert.deepEqual(filterOf({ artist: {} }), { kind: 'exists-related', join: toArtist, where: { kind: 'and', of: [] } })
  const inner = {
    kind: 'compare-columns',
    left: column('artist_id', int4),
    operator: 'eq',
    right: column('id', int4, 'root'),
  }
  assert.deepEqual(filterOf({ artist: { albums: { artist_id: { _ceq: ['$', 'id'] } } } }), {
    kind: 'exists-related',
    join: toArtist,
    where: { kind: 'exists-related', join: toAlbum, where: inner },
  })
})

test('_exists is some row of a tracked table', () => {
  const where = {
    kind: 'compare-columns',
    left: column('id', int4),
    operator: 'eq',
    right: column('artist_id', int4, 'root'),
  }
  assert.deepEqual(filterOf({ _exists: { _table: 'artist', _where: { id: { _ceq: ['$', 'artist_id'] } } } }), {
    kind: 'exists',
    table: { schema: 'public', name: 'artist' },
    where,
  })
})

test('jsonb: its operators, and _cast to text with the operators of text', () => {
  const data = column('data', baseType('jsonb'))
  const cast: Operand = { kind: 'cast', of: data, to: text }
  assert.deepEqual(
    filterOf({ data: { _has_keys_any: ['a', 'b'] } }, 'track'),
    compare(data, 'has_keys_any', [constant('{"a","b"}', text, true)]),
  )
  assert.deepEqual(
    filterOf({ data: { _cast: { String: { _like: '%x%' } } } }, 'track'),
    compare(cast, 'like', [constant('%x%', text)]),
  )
})

test('an operator with an object takes its fields in order, absent ones by their default', () => {
  const sketches = { ...music, place: { columns: { id: 'int4', on: 'geography' } } }
  const on = column('on', baseType('geography'))
  assert.deepEqual(
    filterOf({ on: { _st_d_within: { from: 'x-svc-place', distance: 10 } } }, 'place', sketches),
    compare(on, 'st_d_within', [
      constant('10', baseType('float8')),
      session('x-svc-place', baseType('geography')),
      constant('true', baseType('bool')),
    ]),
  )
})
