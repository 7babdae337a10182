import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bool,
  bytes,
  type Decoded,
  double,
  type Encodable,
  enumeration,
  int64,
  type Message,
  many,
  mapOf,
  maybeInt64,
  maybeText,
  message,
  one,
  text,
  texts,
} from './index.ts'

const step = message({ name: maybeText(1), key: maybeText(2), index: maybeInt64(3) })
const everything = message({
  text: text(1),
  number: int64(2),
  flag: bool(3),
  raw: bytes(4),
  kind: enumeration(5, ['none', 'error', 'warning']),
  steps: many(6, () => step),
  first: one(7, () => step),
  byName: mapOf(16, () => step),
  seconds: double(17),
  names: texts(18),
})

const hex = (value: Encodable<typeof everything>) => everything.encode(value).toString('hex')

/** By the wire format's specification: tag = number * 8 + wire type, then the value. */
const vectors: readonly (readonly [string, Encodable<typeof everything>, string])[] = [
  ['nothing', {}, ''],
  ['defaults, which are not written', { text: '', number: 0, flag: false, kind: 'none', raw: Buffer.alloc(0) }, ''],
  ['a text', { text: 'testing' }, '0a0774657374696e67'],
  ['a number of two bytes', { number: 150 }, '109601'],
  ['a negative number', { number: -2 }, '10feffffffffffffffff01'],
  ['a large number', { number: 2 ** 53 - 1 }, '10ffffffffffffff0f'],
  ['a flag', { flag: true }, '1801'],
  ['bytes', { raw: Buffer.from([0, 255]) }, '220200ff'],
  ['an enum', { kind: 'warning' }, '2802'],
  ['a oneof whose value is its default', { steps: [{ index: 0 }, { name: '' }] }, '320218003202' + '0a00'],
  ['a message that is empty', { first: {} }, '3a00'],
  ['a number with a fraction', { seconds: 1.5 }, '8901000000000000f83f'],
  ['texts, an empty one among them', { names: ['a', ''] }, '9201016192' + '0100'],
  ['a map, whose tag takes two bytes', { byName: new Map([['a', { index: 1 }]]) }, '8201070a016112021801'],
]

for (const [what, value, bytesInHex] of vectors)
  test(`${what} is written as the format says`, () => {
    assert.equal(hex(value), bytesInHex)
    assert.equal(hex(everything.decode(Buffer.from(bytesInHex, 'hex')) as Encodable<typeof everything>), bytesInHex)
  })

test('what was not written is read as its default', () => {
  assert.deepEqual(everything.decode(Buffer.alloc(0)), {
    text: '',
    number: 0,
    flag: false,
    raw: Buffer.alloc(0),
    kind: 'none',
    steps: [],
    first: undefined,
    byName: new Map(),
    seconds: 0,
    names: [],
  })
})

test('negative numbers and unknown enums are read', () => {
  assert.equal(everything.decode(Buffer.from('10feffffffffffffffff01', 'hex')).number, -2)
  assert.equal(everything.decode(Buffer.from('2863', 'hex')).kind, 'none')
})

test('unknown fields of every wire type are skipped', () => {
  const unknown = ['f80196ff01', 'f9010102030405060708', 'fa0102aabb', 'fd0101020304'].join('')
  assert.equal(everything.decode(Buffer.from(`${unknown}0a0161`, 'hex')).text, 'a')
})

test('bytes that end too early are refused', () => {
  for (const broken of ['0a05616263', '10ff', '32', 'fb01', 'f901010203', 'fd010102', '890100'])
    assert.throws(() => everything.decode(Buffer.from(broken, 'hex')), RangeError, broken)
})

interface Tree {
  readonly name?: string
  readonly children?: readonly Tree[]
}
const tree: Message<Tree, Tree> = message({ name: text(1), children: many(2, () => tree) })

test('a message may hold itself', () => {
  const value: Tree = { name: 'a', children: [{ name: 'b', children: [{ name: 'c', children: [] }] }] }
  assert.deepEqual(tree.decode(tree.encode(value)) satisfies Decoded<typeof tree>, value)
})
