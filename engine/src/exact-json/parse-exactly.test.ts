import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseExactly } from './parse-exactly.ts'
import { isRawNumber, unwrapNumbers } from './raw-number.ts'

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

for (const text of ['1', '1.50', '1e3', '9007199254740991', '0.1', '100000000000000000000'])
  test(`${text} is an ordinary number`, () => {
    assert.equal(parseExactly(text), Number(text))
  })

test('what is no JSON is refused as JSON.parse refuses it', () => {
  assert.throws(() => parseExactly('{9007199254740993'), SyntaxError)
})

test('a database is given bigints and digits, other types plain numbers', () => {
  const long = parseExactly('[9007199254740993, 0.12345678901234567890, 5]')
  assert.ok(Array.isArray(long) && isRawNumber(long[0]))
  assert.deepEqual(unwrapNumbers(long, true), [9007199254740993n, '0.12345678901234567890', 5])
  assert.deepEqual(unwrapNumbers(long, false), [9007199254740992, 0.12345678901234568, 5])
})
