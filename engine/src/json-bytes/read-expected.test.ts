import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Expected,
  expectedList,
  expectedObject,
  expectedScalar,
  expectedWord,
  nonNullExpected,
} from './expected.ts'
import { placeIn } from './place-in.ts'
import { readExpected, startReading } from './read-expected.ts'

const int = expectedScalar('integer', 'Int')
const name = nonNullExpected(expectedScalar('string', 'String'))
const status = expectedWord(['ON', 'OFF'], 'Status')
const typename = nonNullExpected(expectedWord(['User'], 'String', (word) => `My${word}`))
const member = (key: string, value: Expected, isRequired = true, isHidden = false) => ({ name: key, value, isRequired, isHidden }) // biome-ignore format: one line
const user = expectedObject(
  [
    member('id', int),
    member('name', name),
    member('status', status, false),
    member('type', typename, false),
    member('own', typename, false, true),
  ],
  'User',
)

/** Where it is wrong, or null. */
function problemOf(text: string, expected: Expected): string | null {
  const reading = startReading(Buffer.from(text))
  assert.equal(readExpected(reading, 0, expected), reading.bytes.length, text)
  const { problem } = reading
  if (!problem) return null
  return [...placeIn(reading.bytes, 0, problem.at), ...(problem.missing ? [`-${problem.missing}`] : [])].join('.')
}

const cases: readonly (readonly [string, Expected, string | null])[] = [
  ['null', int, null], ['null', name, ''], ['1', int, null], ['-0', int, null], ['1.0', int, null], ['1e2', int, null],
  ['1.5', int, ''], ['12345678901234567890', int, null], ['"1"', int, ''], ['true', int, ''], ['[1]', int, ''],
  ['"x"', expectedScalar('id', 'ID'), null], ['7', expectedScalar('id', 'ID'), null], ['{}', expectedScalar('id', 'ID'), ''],
  ['1.5', expectedScalar('number', 'Float'), null], ['"1"', expectedScalar('number', 'Float'), ''],
  ['false', expectedScalar('boolean', 'Boolean'), null], ['0', expectedScalar('boolean', 'Boolean'), ''],
  ['{"a":[[null]]}', expectedScalar('any', 'JSON'), null],
  ['"ON"', status, null], ['"\\u004fN"', status, null], ['"GONE"', status, ''], ['"O"', status, ''], ['"ONN"', status, ''],
  ['[]', expectedList(name), null], ['[ "a" , "b" ]', expectedList(name), null], ['["a",null]', expectedList(name), '1'],
  ['[[1,null],[null,"x"]]', expectedList(expectedList(int)), '1.1'], ['{}', expectedList(int), ''],
  ['{"id":1,"name":"n"}', user, null], ['{"name":"n","id":1}', user, null], ['{"x":1,"name":"n","id":null}', user, null],
  ['{ "n\\u0061me" : "n" , "id" : 1 }', user, null], ['{"id":1}', user, '-name'], ['{}', user, '-id'],
  ['{"status":"ON","id":1,"status":"GONE","name":""}', user, 'status'], ['{"id":1,"id":2}', user, '-name'],
  ['{"type":"User","id":1,"name":"n"}', user, null], ['{"id":1,"name":"n","type":"Robot"}', user, 'type'],
  ['[{"id":1,"name":"n"},{"id":"x","name":null}]', expectedList(user), '1.id'],
] // biome-ignore format: a table
for (const [text, expected, place] of cases)
  test(`${text} as ${expected.type}: ${place === null ? 'right' : `wrong at "${place}"`}`, () =>
    assert.equal(problemOf(text, expected), place))

test('words are replaced and hidden members left out, wherever they stand', () => {
  for (const [text, answer] of [
    ['{"id":1,"name":"n","type":"User"}', '{"id":1,"name":"n","type":"MyUser"}'],
    ['{"own":"User","id":1,"name":"n"}', '{"id":1,"name":"n"}'],
    ['{"id":1,"own":"x","own":"y" ,"name":"n"}', '{"id":1 ,"name":"n"}'],
    ['{"id":1,"name":"n", "own":null}', '{"id":1,"name":"n"}'],
    ['{"own":1, "own":2}', '{}'],
  ] as const) {
    const reading = startReading(Buffer.from(text))
    const plain = expectedObject([...(user.members?.list ?? [])].map((one) => ({ ...one, value: one.name === 'own' ? expectedScalar('any', 'JSON') : one.value })), 'User') // biome-ignore format: one line
    readExpected(reading, 0, plain)
    let made = text as string
    for (const { start, end, by } of reading.replaced.toReversed())
      made = made.slice(0, start) + Buffer.from(by).toString() + made.slice(end)
    assert.equal(made, answer)
  }
})

test('what is no JSON is none, whatever is expected', () => {
  for (const text of ['{"id":1', '{"id" 1}', '[1,]', 'nul', '{"id":01}', '"x', '{"id":1,}', '-', '{"id":-}', '1.', ''])
    for (const expected of [user, expectedList(int), int, name, status, expectedScalar('any', 'JSON')])
      assert.throws(() => {
        const bytes = Buffer.from(text)
        const end = readExpected(startReading(bytes), 0, expected)
        if (end < bytes.length) throw new SyntaxError('something is behind it')
      }, SyntaxError, `${text} as ${expected.type}`) // biome-ignore format: one line
})

test('an object in reverse order takes no longer than its size', () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => `k${i}`)
  const expected = expectedObject(keys.map((key) => member(key, int)), 'Wide') // biome-ignore format: one line
  assert.equal(problemOf(`{${keys.toReversed().map((key) => `"${key}":1`).join()}}`, expected), null) // biome-ignore format: one line
})
