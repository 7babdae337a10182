import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError, Path } from '../../../errors.ts'
import { parseExactly } from '../../../exact-json/index.ts'
import { finish } from '../../../long-work.ts'
import { coerceInput, coerceLong, coerceSession } from './coerce-input.ts'
import { graphqlScalar, isComparable, isNumeric, systemType, typeOfName } from './known-types.ts'
import { operators } from './operators.ts'
import { plainDecimal } from './plain-decimal.ts'

const path = Path.root.at('x')
/** `json`: as the request has it, numbers with all their digits. */
const coerce = (type: string, json: string, list = false) =>
  coerceInput({ type: systemType(type), list }, parseExactly(json), path)

suite('a value becomes the text that the database reads', () => {
  const taken: readonly (readonly [type: string, json: string, text: string | null])[] = [
    ['int', '2147483647', '2147483647'],
    ['int', '-2147483648', '-2147483648'],
    ['int', '"7"', '7'],
    ['int', '1.0', '1'],
    ['smallint', '70000', '70000'],
    ['bigint', '9223372036854775807', '9223372036854775807'],
    ['bigint', '-9223372036854775808', '-9223372036854775808'],
    ['bigint', '"9007199254740993"', '9007199254740993'],
    ['bigint', '9007199254740993', '9007199254740993'],
    ['decimal', '12345678901234567890.123456789012345678', '12345678901234567890.123456789012345678'],
    ['numeric', '"0.10"', '0.10'],
    ['decimal', '1e3', '1000'],
    ['decimal', '1.25e-5', '0.0000125'],
    ['decimal', '-12.5e1', '-125'],
    ['money', '922337203685477.5807', '922337203685477.5807'],
    ['smallmoney', '"-214748.3648"', '-214748.3648'],
    ['float', '1e308', '1e+308'],
    ['real', '1.5', '1.5'],
    ['bit', 'true', '1'],
    ['bit', 'false', '0'],
    ['nvarchar', '"Москва"', 'Москва'],
    ['varchar', '""', ''],
    ['date', '"2024-02-29"', '2024-02-29'],
    ['time', '"23:59:59.9999999"', '23:59:59.9999999'],
    ['timestamp', '"2024-02-29T01:02:03.5"', '2024-02-29T01:02:03.5'],
    ['datetimeoffset', '"2024-01-01T00:00:00.1234567+14:00"', '2024-01-01T00:00:00.1234567+14:00'],
    ['varbinary', '"aé"', '0x61C3A9'],
    ['binary', '""', '0x'],
    ['uniqueidentifier', '"6f9619ff-8b86-d011-b42d-00c04fc964ff"', '6f9619ff-8b86-d011-b42d-00c04fc964ff'],
    ['geography', '"POINT (1 2)"', 'POINT (1 2)'],
    ['geometry', '{"type":"Point","coordinates":[1,2.5],"crs":{"type":"name"}}', 'POINT (1 2.5)'],
    ['geometry', '{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}', 'MULTIPOINT ((1 2), (3 4))'],
    ['geometry', '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}', 'POLYGON ((0 0, 1 0, 1 1, 0 0))'],
    [
      'geometry',
      '{"type":"GeometryCollection","geometries":[{"type":"LineString","coordinates":[[0,0],[1,1]]}]}',
      'GEOMETRYCOLLECTION (LINESTRING (0 0, 1 1))',
    ],
    ['geometry', '{"type":"MultiPolygon","coordinates":[]}', 'MULTIPOLYGON EMPTY'],
    ['xml', '"<a/>"', '<a/>'],
    ['int', 'null', null],
  ]
  for (const [type, json, text] of taken) test(`${type} ${json}`, () => assert.equal(coerce(type, json), text))
})

suite('a value that its type cannot have is refused where it stands', () => {
  const refused: readonly (readonly [type: string, json: string])[] = [
    ['int', '2147483648'],
    ['int', '1.5'],
    ['tinyint', '"x"'],
    ['bigint', '9223372036854775808'],
    ['bigint', '"9223372036854775808"'],
    ['decimal', '"1,5"'],
    ['decimal', '"1e400000"'],
    ['decimal', '1e38'],
    ['numeric', '"-100000000000000000000000000000000000000.5"'],
    ['money', '922337203685477.5808'],
    ['smallmoney', '-922337203685477.5809'],
    ['float', '1e309'],
    ['real', '"-3.5e38"'],
    ['decimal', 'true'],
    ['bit', '"yes"'],
    ['nvarchar', '1'],
    ['date', '"2023-02-29"'],
    ['date', '"29.02.2024"'],
    ['time', '"24:00:00"'],
    ['timestamp', '"2024-02-29"'],
    ['varbinary', '[1]'],
    ['geometry', '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1]]]}'],
    ['geometry', '{"type":"Circle"}'],
  ]
  for (const [type, json] of refused)
    test(`${type} ${json}`, () =>
      assert.throws(
        () => coerce(type, json),
        (error) => error instanceof ApiError && error.code === 'parse-failed' && error.path === path,
      ))
  test('the member of a list', () =>
    assert.throws(
      () => coerce('int', '[1, "x"]', true),
      (error) => error instanceof ApiError && String(error.path) === String(path.at(1)),
    ))
})

test('a list is one JSON text, however long', () => {
  assert.equal(coerce('bigint', '[1, "9007199254740993"]', true), '["1","9007199254740993"]')
  assert.equal(coerce('nvarchar', '"one"', true), '["one"]')
  assert.equal(coerce('int', '[]', true), '[]')
  const many = Array.from({ length: 1000 }, (_, i) => i)
  const type = { type: systemType('int'), list: true }
  assert.equal(finish(coerceLong(type, many, path)), JSON.stringify(many.map(String)))
})

test('a session variable is text, and a list of them JSON or a list in braces', () => {
  const list = (text: string) => coerceSession({ type: systemType('int'), list: true }, text)
  assert.equal(coerceSession({ type: systemType('int'), list: false }, '7'), '7')
  assert.equal(coerceSession({ type: systemType('varbinary'), list: false }, 'a'), '0x61')
  assert.equal(list('[1, "2"]'), '["1","2"]')
  assert.equal(list('{1, 2}'), '["1","2"]')
  assert.equal(list('{}'), '[]')
  assert.equal(list('7'), '["7"]')
})

test('names of types are read as metadata and GraphQL have them', () => {
  const named = (name: string) => typeOfName(name)?.name ?? null
  assert.deepEqual(['varchar(32)', 'NVARCHAR(MAX)', '[int]', 'Int', 'String', 'decimal(10, 2)', 'nope'].map(named), [
    'varchar',
    'nvarchar',
    'int',
    'int',
    'nvarchar',
    'decimal',
    null,
  ])
})

test('each type has the scalar, the aggregates and the operators of the contract', () => {
  const scalars = ['ntext', 'bigint', 'money', 'bit', 'date', 'datetime2', 'varbinary', 'uniqueidentifier', 'geography']
  assert.deepEqual(
    scalars.map((name) => graphqlScalar(systemType(name))),
    ['String', 'Int', 'Float', 'Boolean', 'date', 'datetime2', 'varbinary', 'uniqueidentifier', 'geography'],
  )
  const all = ['int', 'float', 'smallmoney', 'varchar', 'bit', 'binary', 'uniqueidentifier', 'date', 'xml', 'geometry']
  assert.deepEqual(
    all.filter((name) => isNumeric(systemType(name))),
    ['int', 'float', 'smallmoney'],
  )
  assert.deepEqual(
    all.filter((name) => isComparable(systemType(name))),
    ['int', 'float', 'smallmoney', 'varchar', 'date'],
  )
  const names = (type: string) => operators(systemType(type)).map(({ name }) => name)
  const generic = ['_eq', '_gt', '_gte', '_in', '_is_null', '_lt', '_lte', '_neq', '_nin']
  assert.deepEqual(names('int'), generic)
  assert.deepEqual(
    names('text').filter((name) => !generic.includes(name)),
    ['_like', '_nlike'],
  )
  assert.deepEqual(
    names('geometry').filter((name) => !generic.includes(name)),
    ['_st_contains', '_st_crosses', '_st_equals', '_st_intersects', '_st_overlaps', '_st_touches', '_st_within'],
  )
  assert.equal(names('geography').length, 14)
})

test('a decimal number has no exponent', () => {
  const texts = ['5.', '.5', '1e2', '1.5e1', '15e-1', '-0.001e2', '00012', '1e-3', 'e3', '.', '']
  assert.deepEqual(texts.map(plainDecimal), [
    '5',
    '0.5',
    '100',
    '15',
    '1.5',
    '-0.1',
    '00012',
    '0.001',
    null,
    null,
    null,
  ])
})
