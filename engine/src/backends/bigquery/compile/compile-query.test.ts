import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { ApiError, Path } from '../../../errors.ts'
import type { StatementShape } from '../statement-shape.ts'
import { coerceInput } from '../types/coerce-input.ts'
import { baseType } from '../types/database-type.ts'
import { compileQuery } from './compile-query.ts'
import { queryParameters } from './query-parameters.ts'
import { shapes } from './shapes.fixture.ts'
import { all, artistOfAlbum, compare, count, field, id, name, table } from './shop.fixture.ts'

const golden = new URL('shapes.sql', import.meta.url)
const compile = (query: Parameters<typeof compileQuery>[0]) => compileQuery(query, { stringifyNumericTypes: false })

test('each shape is one statement, the one of shapes.sql (UPDATE_GOLDEN=1 writes it)', () => {
  const written = shapes.map(({ name: what, query }) => `-- ${what}\n${compile(query).text};\n`).join('\n')
  if (process.env.UPDATE_GOLDEN) writeFileSync(golden, written)
  assert.equal(written, readFileSync(golden, 'utf8'))
})

test('values are named parameters, equal ones share one, and the least of all limits is bound', () => {
  const many = Array.from({ length: 101 }, (_, i) => i)
  const where = { kind: 'and', of: [compare(id, 'gt', 1), compare(id, 'lt', 1), compare(id, 'in', many)] } as const
  const { text, slots, shape } = compile({
    kind: 'rows',
    from: table('artist'),
    rows: { ...all, where, limit: count(50), permissionLimit: 20 },
    fields: [field(id)],
  })
  assert.match(text, /> @param0\) AND .* < @param0\) AND .*UNNEST\(@param1\).* LIMIT @param2$/)
  const texts = slots.map((slot) => (slot.kind === 'constant' ? slot.text : null))
  const bound = (globalLimit: number) => queryParameters(shape as StatementShape, texts, globalLimit)
  assert.deepEqual(bound(1000), [
    { name: 'param0', parameterType: { type: 'INT64' }, parameterValue: { value: '1' } },
    {
      name: 'param1',
      parameterType: { type: 'ARRAY', arrayType: { type: 'STRING' } },
      parameterValue: { arrayValues: many.map((value) => ({ value: String(value) })) },
    },
    { name: 'param2', parameterType: { type: 'INT64' }, parameterValue: { value: '20' } },
  ])
  assert.equal(bound(7)[2]?.parameterValue.value, '7')
})

test('a session variable is a parameter of its own, so that one which is missing fails before anything is asked', () => {
  const of = { kind: 'session', variable: 'x-svc-user-id', type: { type: baseType('INT64'), list: false } } as const
  const where = { kind: 'compare', left: id, operator: 'eq', right: [of], nullSafe: true } as const
  const { slots } = compile({ kind: 'rows', from: table('artist'), rows: { ...all, where }, fields: [field(id)] })
  assert.deepEqual(slots, [of])
})

test('a name that GoogleSQL cannot quote is refused, and a query of too many tables or values', () => {
  const refused = (run: () => unknown, code: string) =>
    assert.throws(run, (error) => error instanceof ApiError && error.code === code)
  for (const hostile of ['a`b', 'a\\b', 'a\nb', ''])
    refused(
      () => compile({ kind: 'rows', from: { schema: 'shop', name: hostile }, rows: all, fields: [] }),
      'not-supported',
    )
  const query = {
    kind: 'rows',
    from: table('album'),
    rows: all,
    fields: Array.from({ length: 3 }, (_, i) => ({
      kind: 'object' as const,
      as: `a${i}`,
      join: artistOfAlbum,
      where: all.where,
      fields: [field(name)],
    })),
  } as const
  refused(() => compileQuery(query, { stringifyNumericTypes: false, mostJoins: 2 }), 'validation-failed')
  const where = { kind: 'or', of: Array.from({ length: 10_001 }, (_, i) => compare(id, 'eq', i)) } as const
  refused(
    () => compile({ kind: 'rows', from: table('artist'), rows: { ...all, where }, fields: [field(id)] }),
    'validation-failed',
  )
})

test('numbers are checked, texts of numbers keep every digit, and what is no value of the type is refused', () => {
  const coerce = (type: string, json: unknown) =>
    coerceInput({ type: baseType(type), list: false }, json, Path.root.at('x'))
  assert.equal(coerce('INT64', '9007199254740993'), '9007199254740993')
  assert.equal(coerce('INT64', 1e2), '100')
  assert.equal(coerce('NUMERIC', '12345678901234567890.123456789'), '12345678901234567890.123456789')
  assert.equal(coerce('FLOAT64', '-Infinity'), '-Infinity')
  assert.equal(coerce('JSON', 'a'), '"a"')
  assert.equal(coerce('GEOGRAPHY', { type: 'Point', coordinates: [1, 1] }), '{"type":"Point","coordinates":[1,1]}')
  const messageOf = (type: string, json: unknown) => {
    try {
      return coerce(type, json)
    } catch (error) {
      return error instanceof ApiError ? `${error.code} ${String(error.path)} ${error.message}` : error
    }
  }
  const bounds = 'lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?'
  assert.equal(messageOf('INT64', 2_147_483_648), `parse-failed $.x The value 2147483648 ${bounds}`)
  assert.equal(messageOf('INT64', 1.5), `parse-failed $.x The value 1.5 ${bounds}`)
  assert.equal(messageOf('INT64', '9223372036854775808'), `parse-failed $.x The value 9223372036854775808 ${bounds}`)
  assert.equal(messageOf('STRING', 1), 'parse-failed $.x parsing Text failed, expected String, but encountered Number')
  assert.equal(messageOf('BOOL', 1), 'parse-failed $.x parsing Bool failed, expected Bool, but encountered Number')
})
