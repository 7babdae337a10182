import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseExactly, parseMarked } from './parse-exactly.ts'
import { installRawJson } from './raw-json.ts'
import { canonicalNumber, exactDecimal, isInRange, isRawNumber } from './raw-number.ts'

for (const text of [
  '9007199254740993',
  '-9223372036854775808',
  '0.12345678901234567890',
  '1e400',
  '1e-400',
  '123456789.123456789',
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

test('numbers that mean the same have one spelling', () => {
  const spellings: readonly (readonly [string, string])[] = [
    ['9007199254740993.0', '9007199254740993'],
    ['9.007199254740993e15', '9007199254740993'],
    ['900719925474099300e-2', '9007199254740993'],
    ['-0.123456789012345678900', '-0.1234567890123456789'],
    ['12345678901234567890.50', '12345678901234567890.5'],
    ['1E400', '1e+400'],
    ['10e399', '1e+400'],
    ['0.0123e-398', '1.23e-400'],
  ]
  for (const [written, meant] of spellings) {
    assert.equal(canonicalNumber(JSON.rawJSON(written)).rawJSON, meant)
    assert.equal(canonicalNumber(JSON.rawJSON(meant)).rawJSON, meant)
  }
  assert.deepEqual(exactDecimal('+0009007199254740993.'), JSON.rawJSON('9007199254740993'))
  assert.equal(exactDecimal('.5'), 0.5)
})

test('what no database holds is known', () => {
  for (const held of ['1e400', '1e131071', '1e-16383', '9007199254740993'])
    assert.ok(isInRange(JSON.rawJSON(held)), held)
  for (const huge of ['1e131072', '1e-16384', '1e99999999']) assert.ok(!isInRange(JSON.rawJSON(huge)), huge)
})

const texts = [
  '9007199254740993',
  '[1,{"a":9007199254740993,"b":[1.5,"9007199254740993"],"c\\"d":-0.12345678901234567891}]',
  '{"9007199254740993":1e400,"x":"1e400"}',
]

test('without sources of numbers in a reviver, as on Node 20, digits are kept too', () => {
  for (const text of texts) assert.equal(JSON.stringify(parseMarked(text)), text)
  assert.throws(() => parseMarked('{9007199254740993'), SyntaxError)
})

test('without JSON.rawJSON, as on Node 20, numbers are written with their digits', () => {
  const { parse, stringify } = JSON
  const old = { parse, stringify } as JSON
  installRawJson(old)
  const raw = old.rawJSON('9007199254740993')
  assert.ok(old.isRawJSON(raw))
  assert.ok(!old.isRawJSON({ rawJSON: '1' }))
  const value = { a: [raw, '9007199254740993', undefined], b: { a: raw, c: 1 }, d: new Date(0) }
  assert.equal(
    old.stringify(value),
    '{"a":[9007199254740993,"9007199254740993",null],"b":{"a":9007199254740993,"c":1},"d":"1970-01-01T00:00:00.000Z"}',
  )
  assert.equal(old.stringify(value, ['a']), '{"a":[9007199254740993,"9007199254740993",null]}')
  assert.equal(
    old.stringify(value, (key, part) => (key === 'a' || key === 'd' ? undefined : part), 1),
    '{\n "b": {\n  "c": 1\n }\n}',
  )
  assert.equal(old.stringify(undefined), undefined)
  installRawJson(old)
  assert.equal(old.rawJSON('1e400').rawJSON, '1e400')
})
