import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseExactly } from './parse-exactly.ts'
import { isRawNumber } from './raw-number.ts'

for (const text of [
  '9007199254740993',
  '-9223372036854775808',
  '0.12345678901234567890',
  '1e400',
  '12345678901234567890.5',
  '[1, {"a": 9007199254740993, "b": [1.5, "9007199254740993"]}, null, true]',
])
  test(`${text} is written again with all its digits`, () => {
    assert.equal(JSON.stringify(parseExactly(text)), text.replaceAll(' ', ''))
  })

for (const text of [
  '1',
  '1.50',
  '1e3',
  '9007199254740991',
  '0.1',
  '100000000000000000000',
  '-3000000000000000000000',
  '0.000000',
])
  test(`${text} is an ordinary number`, () => {
    assert.equal(parseExactly(text), Number(text))
  })

test('what is no JSON is refused as JSON.parse refuses it', () => {
  assert.throws(() => parseExactly('{9007199254740993'), SyntaxError)
})

test('a number of a million zeros between two other digits is read at once', () => {
  // trying each zero anew would take half an hour
  const digits = `0.1${'0'.repeat(1_000_000)}1`
  assert.equal(JSON.stringify(parseExactly(digits)), digits)
})

test('only what JavaScript would cut is kept as it was written', () => {
  const numbers = parseExactly('[9007199254740993, 0.12345678901234567890, 5]')
  assert.ok(Array.isArray(numbers))
  assert.deepEqual(numbers.map(isRawNumber), [true, true, false])
})
