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
const anything = expectedScalar('any', 'JSON')
const member = (key: string, value: Expected, isRequired = true, isHidden = false) => ({
  name: key,
  value,
  isRequired,
  isHidden,
})
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

/** Texts of a type that are as expected, and others with the place where they are wrong. */
interface Cases {
  readonly of: Expected
  readonly right: readonly string[]
  readonly wrong: Readonly<Record<string, string>>
}
const digits = '1234567890'.repeat(30)
const cases: readonly Cases[] = [
  {
    of: int,
    right: ['null', '1', '-0', '1.0', '1e2', '12345678901234567890', '0.5e1', '100e-2', '0e-9', `${digits}.0`, '1E400'],
    wrong: { '1.5': '', '"1"': '', true: '', '[1]': '', '1e-400': '', [`${digits}.5`]: '', '10e-2': '', '-0.05e1': '' },
  },
  { of: name, right: ['"x"'], wrong: { null: '' } },
  { of: expectedScalar('id', 'ID'), right: ['"x"', '7', '7.0'], wrong: { '{}': '', '7.5': '' } },
  { of: expectedScalar('number', 'Float'), right: ['1.5', '-1e400'], wrong: { '"1"': '' } },
  { of: expectedScalar('boolean', 'Boolean'), right: ['false'], wrong: { '0': '' } },
  { of: anything, right: ['{"a":[[null]]}'], wrong: {} },
  { of: status, right: ['"ON"', '"\\u004fN"'], wrong: { '"GONE"': '', '"O"': '', '"ONN"': '' } },
  { of: expectedList(name), right: ['[]', '[ "a" , "b" ]'], wrong: { '["a",null]': '1' } },
  { of: expectedList(expectedList(int)), right: ['[[],null]'], wrong: { '[[1,null],[null,"x"]]': '1.1', '[1]': '0' } },
  { of: expectedList(int), right: [], wrong: { '{}': '' } },
  {
    of: user,
    right: [
      '{"id":1,"name":"n"}',
      '{"name":"n","id":1}',
      '{"x":1,"name":"n","id":null}',
      '{ "n\\u0061me" : "n" , "id" : 1 }',
      '{"type":"User","id":1,"name":"n"}',
      '{"type":"User","name":"n","x":{"id":"x"},"id":1}',
    ],
    wrong: {
      '{"id":1}': '-name',
      '{}': '-id',
      '{"type":"User"}': '-id',
      '{"name":"n","type":"User"}': '-id',
      '{"status":"ON","id":1,"status":"GONE","name":""}': 'status',
      '{"id":1,"id":2}': '-name',
      '{"id":1,"name":"n","type":"Robot"}': 'type',
    },
  },
  { of: expectedList(user), right: [], wrong: { '[{"id":1,"name":"n"},{"id":"x","name":null}]': '1.id' } },
]
for (const { of, right, wrong } of cases)
  for (const [text, place] of [...right.map((one) => [one, null] as const), ...Object.entries(wrong)])
    test(`${text.slice(0, 99)} as ${of.type}: ${place === null ? 'right' : `wrong at "${place}"`}`, () =>
      assert.equal(problemOf(text, of), place))

test('words are replaced and hidden members left out, wherever they stand', () => {
  const members = [...(user.members?.list ?? [])]
  const plain = expectedObject(
    members.map((one) => (one.name === 'own' ? { ...one, value: anything } : one)),
    'User',
  )
  for (const [text, answer] of [
    ['{"id":1,"name":"n","type":"User"}', '{"id":1,"name":"n","type":"MyUser"}'],
    ['{"own":"User","id":1,"name":"n"}', '{"id":1,"name":"n"}'],
    ['{"id":1,"own":"x","own":"y" ,"name":"n"}', '{"id":1 ,"name":"n"}'],
    ['{"id":1,"name":"n", "own":null}', '{"id":1,"name":"n"}'],
    ['{"own":1, "own":2}', '{}'],
  ] as const) {
    const reading = startReading(Buffer.from(text))
    readExpected(reading, 0, plain)
    let made = text as string
    for (const { start, end, by } of reading.replaced.toReversed())
      made = made.slice(0, start) + Buffer.from(by).toString() + made.slice(end)
    assert.equal(made, answer)
  }
})

function readAll(text: string, expected: Expected): void {
  const bytes = Buffer.from(text)
  const end = readExpected(startReading(bytes), 0, expected)
  if (end < bytes.length) throw new SyntaxError('something is behind it')
}

test('what is no JSON is none, whatever is expected', () => {
  for (const text of ['{"id":1', '{"id" 1}', '[1,]', 'nul', '{"id":01}', '"x', '{"id":1,}', '-', '{"id":-}', '1.', ''])
    for (const expected of [user, expectedList(int), int, name, status, anything])
      assert.throws(() => readAll(text, expected), SyntaxError, `${text} as ${expected.type}`)
})

test('an object in reverse order takes no longer than its size', () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => `k${i}`)
  const members = keys.map((key) => member(key, int))
  const text = `{${keys.toReversed().map((key) => `"${key}":1`)}}`
  assert.equal(problemOf(text, expectedObject(members, 'Wide')), null)
})

test('members in another order cost no more the deeper they are', () => {
  const depth = 200
  let expected: Expected = int
  for (let i = 0; i < depth; i++) expected = expectedObject([member('a', int), member('b', expected)], 'Deep')
  const text = `${'{"b":'.repeat(depth)}1${',"a":1}'.repeat(depth)}`
  const bytes = Buffer.from(text)
  let read = 0
  const counted = new Proxy(bytes, {
    get(target, key) {
      const value = Reflect.get(target, key, target)
      if (typeof value === 'function') return value.bind(target)
      read++
      return value
    },
  })
  const reading = { ...startReading(bytes), bytes: counted }
  assert.equal(readExpected(reading, 0, expected), bytes.length)
  assert.equal(reading.problem, null)
  assert.ok(read < 20 * bytes.length, `${read} reads of ${bytes.length} bytes`)
})
