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

test('json keeps whatever it is given, a string stays a json string', () => {
  assert.equal(coerce(builtIn('jsonb'), 'x'), '"x"')
  assert.equal(coerce(builtIn('json'), { a: [1, null, 'b'] }), '{"a":[1,null,"b"]}')
})

test('an array is a list of elements or its own text form; deeper lists only as text', () => {
  const ints = builtIn('int4', true)
  assert.equal(coerce(ints, [1, null, 3]), '{"1",NULL,"3"}')
  assert.equal(coerce(ints, '{{1},{2}}'), '{{1},{2}}')
  assert.equal(coerce(ints, [[1], [2]], true), String.raw`{"{\"1\"}","{\"2\"}"}`)
  refused(ints, [1, 1.5], /lies outside/, '$.selectionSet[1]')
  refused(ints, [[1]], /expected Number, but encountered Array/, '$.selectionSet[0]')
  refused(ints, 5, /expected Array/)
})

test('geometries are GeoJSON, checked as far as the database would not', () => {
  const geometry = extension('geometry')
  const point = { type: 'Point', coordinates: [1, 2] }
  assert.equal(coerce(geometry, point), JSON.stringify(point))
  const line = { type: 'LineString', coordinates: [[1, 2]] }
  const ring = (...positions: number[][]) => ({ type: 'Polygon', coordinates: [positions] })
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
