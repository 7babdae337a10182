import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, Path } from '../../../errors.ts'
import type { DatabaseType } from '../../../ir/index.ts'
import { coerceInput } from './coerce-input.ts'
import { builtIn, typeOfScalar } from './known-types.ts'

const path = Path.root.at('selectionSet')
const coerce = (type: DatabaseType, json: unknown, list = false) => coerceInput({ type, list }, json, path)
const extension = (name: string): DatabaseType => ({ schema: 'public', name, kind: 'base', array: false })

function refused(type: DatabaseType, json: unknown, message: RegExp, at = '$.selectionSet', list = false) {
  assert.throws(
    () => coerce(type, json, list),
    (error) => {
      assert.ok(error instanceof ApiError)
      assert.deepEqual([error.code, error.status, error.path.toString()], ['parse-failed', 400, at])
      assert.match(error.message, message)
      return true
    },
  )
}

test('null is NULL for every type, also as a member of a list', () => {
  assert.equal(coerce(builtIn('int4'), null), null)
  assert.equal(coerce(builtIn('jsonb'), null), null)
  assert.equal(coerce(builtIn('int4'), [1, null], true), '{"1",NULL}')
})

test('integers are whole and in bounds, or strings that the database reads', () => {
  assert.equal(coerce(builtIn('int2'), 32767), '32767')
  assert.equal(coerce(builtIn('int4'), 5.0), '5')
  assert.equal(coerce(builtIn('int8'), 9223372036854775807n), '9223372036854775807')
  assert.equal(coerce(builtIn('int4'), 'abc'), 'abc')
  for (const [name, value] of [
    ['int2', 32768],
    ['int4', 2 ** 31],
    ['int4', 1.5],
    ['int8', 2n ** 63n],
    ['int8', -(2 ** 64)],
  ] as const)
    refused(builtIn(name), value, /^The value .* lies outside the bounds or is not an integer\. /)
  refused(builtIn('int4'), true, /expected Number, but encountered Boolean/)
})

test('numbers that JavaScript would cut are whole and in bounds as well', () => {
  const written = (digits: string) => JSON.rawJSON(digits)
  const accepted: readonly (readonly [type: string, digits: string, text: string])[] = [
    ['int4', '1.000000000000000000000', '1'],
    ['int4', '-10.0000000000000000000e-1', '-1'],
    ['int4', '0.0000000000000000000e99999', '0'],
    ['int8', '9223372036854775807', '9223372036854775807'],
    ['int8', '922337203685477580.7e1', '9223372036854775807'],
    ['numeric', '0.12345678901234567890', '0.12345678901234567890'],
    ['float8', '1e400', '1e400'],
    ['money', '12345678901234567.89', '12345678901234567.89'],
  ]
  for (const [name, digits, text] of accepted) assert.equal(coerce(builtIn(name), written(digits)), text)
  for (const digits of ['1.0000000000000000000001', '1e400', '1e-400', '9223372036854775808', '1e999999999999999999'])
    refused(
      builtIn('int8'),
      written(digits),
      new RegExp(`^The value ${digits.replace('.', '\\.')} lies outside the bounds`),
    )
  refused(builtIn('text'), written('12345678901234567890'), /expected String, but encountered Number/)
  assert.equal(coerce(builtIn('int8', true), [1, written('9007199254740993')]), '{"1","9007199254740993"}')
  assert.equal(coerce(builtIn('jsonb'), { a: written('1.10000000000000000000') }), '{"a":1.10000000000000000000}')
})

test('other scalars take their natural literal or a string', () => {
  assert.equal(coerce(builtIn('numeric'), 1e21), '1e+21')
  assert.equal(coerce(builtIn('float8'), '1.5'), '1.5')
  assert.equal(coerce(builtIn('bool'), false), 'false')
  assert.equal(coerce(builtIn('bool'), 'yes'), 'yes')
  assert.equal(coerce(builtIn('timestamptz'), 'now'), 'now')
  refused(builtIn('text'), 5, /^parsing Text failed, expected String, but encountered Number$/)
  refused(builtIn('uuid'), {}, /expected String, but encountered Object/)
  refused(builtIn('bool'), 1, /expected Bool/)
  refused(builtIn('float8'), [1], /expected Number, but encountered Array/)
})

test('json keeps whatever it is given, a string remains a json string', () => {
  assert.equal(coerce(builtIn('jsonb'), 'x'), '"x"')
  assert.equal(coerce(builtIn('json'), { a: [1, null, 'b'] }), '{"a":[1,null,"b"]}')
})

test('an array is a list of elements or its own text form; deeper lists only as text', () => {
  const ints = builtIn('int4', true)
  assert.equal(coerce(ints, [1, null, 3]), '{"1",NULL,"3"}')
  assert.equal(coerce(ints, '{{1},{2}}'), '{{1},{2}}')
  assert.equal(coerce(ints, [[1], [2]], true), String.raw`{"{\"1\"}","{\"2\"}"}`)
  assert.equal(coerce(builtIn('int8', true), [2 ** 40]), '{"1099511627776"}')
  refused(builtIn('int2', true), [1, 2 ** 15], /lies outside/, '$.selectionSet[1]')
  refused(ints, [1, 1.5], /lies outside/, '$.selectionSet[1]')
  refused(ints, [[1]], /expected Number, but encountered Array/, '$.selectionSet[0]')
  assert.equal(coerce(ints, 5), '{"5"}')
  refused(ints, true, /expected Number, but encountered Boolean/)
})

test('geometries are GeoJSON, checked as far as the database would not', () => {
  const geometry = extension('geometry')
  const point = { type: 'Point', coordinates: [1, 2] }
  assert.equal(coerce(geometry, point), JSON.stringify(point))
  const line = { type: 'LineString', coordinates: [[1, 2]] }
  const ring = (...positions: number[][]) => ({ type: 'Polygon', coordinates: [positions] })
  const exact = { type: 'Point', coordinates: [JSON.rawJSON('1.12345678901234567890'), 2] }
  assert.equal(coerce(geometry, exact), '{"type":"Point","coordinates":[1.12345678901234567890,2]}')
  refused(geometry, JSON.rawJSON('12345678901234567890'), /GeoJSON object/)
  refused(geometry, { type: 'Circle' }, /^unexpected geometry type: Circle$/)
  refused(geometry, 'POINT(1 2)', /GeoJSON object/)
  refused(geometry, line, /at least 2/)
  refused(geometry, ring([0, 0], [1, 1], [0, 0]), /at least 4/)
  refused(geometry, ring([0, 0], [1, 1], [1, 0], [2, 2]), /have to be equal/)
  refused(geometry, { type: 'GeometryCollection', geometries: [line] }, /at least 2/)
  assert.ok(coerce(geometry, ring([0, 0], [1, 1], [1, 0], [0, 0])))
})

test('ltree paths are checked', () => {
  assert.equal(coerce(extension('ltree'), 'Top.a_1'), 'Top.a_1')
  for (const bad of ['a..b', '.a', 'a b']) refused(extension('ltree'), bad, /^Expecting label path/)
})

test('scalar names lead to types, unknown ones to none', () => {
  assert.deepEqual(typeOfScalar('Int'), builtIn('int4'))
  assert.deepEqual(typeOfScalar('bigint'), builtIn('int8'))
  assert.deepEqual(typeOfScalar('_int4'), builtIn('int4', true))
  assert.deepEqual(typeOfScalar('timestamptz'), builtIn('timestamptz'))
  for (const name of ['mood', 'toString', '__proto__', 'constructor']) assert.equal(typeOfScalar(name), null)
})
