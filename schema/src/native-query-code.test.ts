import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNativeQueryCode } from './native-query-code.ts'

const sql = (text: string) => ({ kind: 'sql', text }) as const
const argument = (name: string) => ({ kind: 'argument', name }) as const

test('arguments are distinguished from the SQL around them, wherever they stand and however they are spaced', () => {
  assert.deepEqual(parseNativeQueryCode('SELECT {{ a }}, {{b_1}}::text'), {
    ok: true,
    parts: [sql('SELECT '), argument('a'), sql(', '), argument('b_1'), sql('::text')],
  })
  assert.deepEqual(parseNativeQueryCode('{{a}}{{a}}'), { ok: true, parts: [argument('a'), argument('a')] })
  assert.deepEqual(parseNativeQueryCode(''), { ok: true, parts: [] })
})

test('braces of SQL itself are no arguments', () => {
  const code = `SELECT '{{1,2},{3,4}}'::int[], '{"a": {}}'::json`
  assert.deepEqual(parseNativeQueryCode(code), { ok: true, parts: [sql(code)] })
})

test('an argument that is not closed is refused with the place it stands at', () => {
  assert.deepEqual(parseNativeQueryCode('SELECT {{a} + 1'), {
    ok: false,
    message: 'the argument at "{{a} + 1" is not closed by "}}"',
  })
})
