import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bind, ident, integer, join, literal, print, printInlined, sql } from './sql.ts'

test('a bound value is a parameter, the same one the same parameter', () => {
  const [a, b] = [{ a: 1 }, { a: 1 }]
  const fragment = sql`f(${join([bind(a), bind(b), bind(a)], sql`, `)})`
  assert.deepEqual(print(fragment), { text: 'f($1, $2, $1)', slots: [a, b] })
  assert.equal(
    printInlined(fragment, (slot) => (slot === a ? "it's" : 'b')),
    "f('it''s', 'b', 'it''s')",
  )
})

test('identifiers and literals are quoted, and hold no NUL', () => {
  const texts = [ident('a"b'), ident('a\0b'), literal("a'b"), literal('a\\b'), literal('a\0b')].map(
    (f) => print(f).text,
  )
  assert.deepEqual(texts, ['"a""b"', '"ab"', "'a''b'", "E'a\\\\b'", "'ab'"])
})

test('integer prints nothing but whole numbers', () => {
  assert.equal(print(integer(-5)).text, '-5')
  for (const bad of [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])
    assert.throws(() => integer(bad), { name: 'TypeError' })
})
