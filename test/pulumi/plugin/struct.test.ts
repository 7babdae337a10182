/** Our own codec of google.protobuf.Struct compared with Google's: each reads what the other wrote. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unknown } from '../../../provider/src/core/index.ts'
import type { Marks } from '../../../provider/src/pulumi/values/marks.ts'
import { struct } from '../../../provider/src/pulumi/values/struct.ts'
import { output, resource, Struct, secret, unknownText } from './struct.ts'

// biome-ignore lint/suspicious/noExplicitAny: values of every shape
const bytesOf = (properties: any) => Buffer.from(Struct.fromJavaScript(properties).serializeBinary())
const plainOf = (bytes: Buffer) => Struct.deserializeBinary(bytes).toJavaScript()

const everything = {
  '': null,
  text: 'a\u0000ä😀',
  long: 'x'.repeat(70_000),
  yes: true,
  no: false,
  zero: 0,
  fraction: -1.25e-300,
  large: 2 ** 53,
  empty: {},
  none: [],
  list: [null, 'a', [1, [2, {}]], { b: [false] }],
  deep: Array.from({ length: 60 }).reduce<object>((below) => ({ below, beside: [1] }), {}),
}

test('values of every kind are read as Google writes them, and written as Google reads them', () => {
  const read = struct.decode(bytesOf(everything))
  assert.deepEqual(read, { values: everything, secrets: null })
  assert.deepEqual(plainOf(struct.encode(read)), everything)
})

test('a thousand random values survive both ways', () => {
  let state = 1
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const value = (depth: number): unknown => {
    switch (next(depth > 4 ? 5 : 7)) {
      case 0:
        return null
      case 1:
        return next(2) === 1
      case 2:
        return (next(1e6) - 5e5) / 2 ** next(40)
      case 3:
        return 'é'.repeat(next(200))
      case 4:
        return String(next(1000))
      case 5:
        return Array.from({ length: next(4) }, () => value(depth + 1))
      default:
        return object(depth + 1)
    }
  }
  const object = (depth: number): object =>
    Object.fromEntries(Array.from({ length: next(5) }, (_, i) => [`k${i}${next(9)}`, value(depth)]))
  for (let i = 0; i < 1000; i++) {
    const one = object(0)
    const read = struct.decode(bytesOf(one))
    assert.deepEqual(read.values, one)
    assert.deepEqual(plainOf(struct.encode(read)), one)
  }
})

test('marks are taken off and put on: secrets at any depth, outputs, unknowns, resources', () => {
  const marked = {
    plain: 1,
    whole: secret({ a: [secret(1)] }),
    inside: { list: ['a', secret('b'), { c: secret(null) }] },
    later: unknownText,
    hiddenLater: secret(unknownText),
  }
  const read = struct.decode(bytesOf(marked))
  assert.deepEqual(read.values, {
    plain: 1,
    whole: { a: [1] },
    inside: { list: ['a', 'b', { c: null }] },
    later: unknown,
    hiddenLater: unknown,
  })
  const expected = new Map<string, Marks>([
    ['whole', 'secret'],
    [
      'inside',
      new Map([
        [
          'list',
          new Map<number, Marks>([
            [1, 'secret'],
            [2, new Map([['c', 'secret']])],
          ]),
        ],
      ]),
    ],
    ['hiddenLater', 'secret'],
  ])
  assert.deepEqual(read.secrets, expected)
  assert.deepEqual(plainOf(struct.encode(read)), { ...marked, whole: secret({ a: [1] }) })
  const others = struct.decode(
    bytesOf({
      known: output('a'),
      hidden: output(['b'], true),
      within: output({ c: secret('d') }),
      never: output(undefined, true),
      made: resource('urn', 'id'),
      unmade: resource('urn', ''),
    }),
  )
  assert.deepEqual(others.values, {
    known: 'a',
    hidden: ['b'],
    within: { c: 'd' },
    never: unknown,
    made: 'id',
    unmade: unknown,
  })
  assert.deepEqual(
    others.secrets,
    new Map<string, Marks>([
      ['hidden', 'secret'],
      ['within', new Map([['c', 'secret']])],
      ['never', 'secret'],
    ]),
  )
})

test('a key that objects have a meaning for is a key like any other', () => {
  const bytes = struct.encode({ values: JSON.parse('{"a": {"__proto__": {"b": 1}, "constructor": 2}}'), secrets: null })
  const { values } = struct.decode(bytes)
  assert.equal(JSON.stringify(values), '{"a":{"__proto__":{"b":1},"constructor":2}}')
})

test('bytes that end too early are refused', () => {
  const bytes = bytesOf({ a: { b: ['c', 1.5] } })
  for (let length = 1; length < bytes.length; length++)
    assert.throws(() => struct.decode(bytes.subarray(0, length)), RangeError, String(length))
})
