import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Attribute, type Attributes, type AttributeType, unknown, type Values } from '../../resources/index.ts'
import { decodeValues, encodeValues } from './dynamic-value.ts'
import { ValueError } from './value-error.ts'

const attribute = (type: AttributeType): Attribute => ({
  type,
  description: '',
  presence: 'optional',
  replace: false,
  sensitive: false,
  writeOnly: false,
})
const attributes = (types: Readonly<Record<string, AttributeType>>): Attributes =>
  Object.fromEntries(Object.entries(types).map(([name, type]) => [name, attribute(type)]))

const one = (type: AttributeType) => attributes({ a: type })
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const readOne = (type: AttributeType, bytes: string) => decodeValues(one(type), hex(`81 a161 ${bytes}`))?.a

const text: AttributeType = { kind: 'string' }
const number: AttributeType = { kind: 'number' }
const flag: AttributeType = { kind: 'boolean' }

/** Bytes by the MessagePack specification. */
const vectors: readonly (readonly [string, AttributeType, string, unknown])[] = [
  ['null', text, 'c0', null],
  ['a text', text, 'a3616263', 'abc'],
  ['a text with a length of one byte', text, `d920${'61'.repeat(32)}`, 'a'.repeat(32)],
  ['a text with a length of two bytes', text, `da0100${'61'.repeat(256)}`, 'a'.repeat(256)],
  ['a text with a length of four bytes', text, `db00010000${'61'.repeat(65536)}`, 'a'.repeat(65536)],
  ['text beyond ASCII', text, 'a4f09f8eb5', '🎵'],
  ['true', flag, 'c3', true],
  ['false', flag, 'c2', false],
  ['a small number', number, '07', 7],
  ['a small negative number', number, 'ff', -1],
  ['a large integer', number, 'd3 001fffffffffffff', Number.MAX_SAFE_INTEGER],
  ['a large negative integer', number, 'd3 ffffffffffffff80', -128],
  ['a fraction as text', number, 'a3302e31', 0.1],
  ['JSON as its text', { kind: 'json' }, 'a27b7d', '{}'],
  ['a list', { kind: 'list', of: number }, '92 01 02', [1, 2]],
  ['a list of sixteen', { kind: 'list', of: flag }, `dc0010${'c3'.repeat(16)}`, Array(16).fill(true)],
  ['a set', { kind: 'set', of: text }, '91 a161', ['a']],
  ['a map', { kind: 'map', of: number }, '81 a162 01', { b: 1 }],
  ['an object', { kind: 'object', attributes: one(text) }, '81 a161 c0', { a: null }],
  ['a list with an unknown item', { kind: 'list', of: text }, '92 a161 d40000', ['a', unknown]],
]

for (const [what, type, bytes, value] of vectors)
  test(`${what} is read and written`, () => {
    assert.deepEqual(readOne(type, bytes), value)
    assert.equal(
      encodeValues(one(type), { a: value } as Values).toString('hex'),
      hex(`81 a161 ${bytes}`).toString('hex'),
    )
  })

test('every form of a number is read', () => {
  const forms: Readonly<Record<string, number>> = {
    cc80: 128,
    cd0100: 256,
    ce00010000: 65536,
    cf0000000100000000: 2 ** 32,
    d080: -128,
    d18000: -32768,
    d280000000: -(2 ** 31),
    ca3fc00000: 1.5,
    cb3ff8000000000000: 1.5,
    a5302e323530: 0.25,
    a531652d3037: 1e-7,
  }
  for (const [bytes, value] of Object.entries(forms)) assert.equal(readOne(number, bytes), value, bytes)
})

test('a number that a double would change is refused with its place', () => {
  const nested: AttributeType = { kind: 'list', of: { kind: 'object', attributes: one(number) } }
  const refused = ['cf ffffffffffffffff', 'd3 7fffffffffffffff', 'b6 3132333435363738393031323334353637383930312e35']
  for (const bytes of refused)
    assert.throws(
      () => readOne(nested, `92 81a16101 81a161 ${bytes}`),
      (error) => error instanceof ValueError && error.path.join('.') === 'a.1.a' && /more digits/.test(error.message),
    )
})

test('an unknown of any kind is unknown, and written in its plain form', () => {
  for (const bytes of [
    'd40000',
    'd5000000',
    'd8 00 00000000000000000000000000000000',
    'c7 03 0c 820100',
    'c8 0001 0c 00',
    'c9 00000001 0c 00',
  ])
    assert.equal(readOne(text, bytes), unknown, bytes)
  assert.equal(encodeValues(one(text), { a: unknown }).toString('hex'), '81a161d40000')
  assert.equal(decodeValues(one(text), hex('81a161d40000'))?.a, unknown)
})

test('a resource that is not there is null', () => {
  assert.equal(decodeValues(one(text), hex('c0')), null)
  assert.equal(encodeValues(one(text), null).toString('hex'), 'c0')
})

test('an attribute that is not set is null on both ways', () => {
  const two = attributes({ a: text, b: flag })
  assert.deepEqual(decodeValues(two, hex('81 a161 a178')), { a: 'x', b: null })
  assert.equal(encodeValues(two, { a: 'x' }).toString('hex'), '82a161a178a162c0')
})

test('a map keeps a key that objects have by nature', () => {
  const type: AttributeType = { kind: 'map', of: number }
  const bytes = '81 a95f5f70726f746f5f5f 01'
  const value = readOne(type, bytes)
  assert.deepEqual(Object.entries(value as object), [['__proto__', 1]])
  assert.equal(encodeValues(one(type), { a: value as Values }).toString('hex'), hex(`81a161${bytes}`).toString('hex'))
})

test('what the schema does not have is refused on both ways', () => {
  assert.throws(() => decodeValues(one(text), hex('81 a162 a178')), /an attribute b that its schema does not have/)
  assert.throws(() => readOne(text, '07'), /expected a text, got 0x7/)
  assert.throws(() => readOne(number, 'c3'), /expected a number/)
  assert.throws(() => readOne(flag, 'a0'), /expected a boolean/)
  assert.throws(() => readOne({ kind: 'list', of: text }, '80'), /expected a list/)
  assert.throws(() => decodeValues(one(text), hex('90')), /expected a map/)
  assert.throws(() => encodeValues(one(text), { a: 1 }), /a value that is no string/)
})

test('bytes that end too early, or too late, are refused', () => {
  for (const bytes of ['', 'a3 6162', 'd9', 'db 00000010 61', 'c7 ff 0c'])
    assert.throws(() => readOne(text, bytes), RangeError, bytes)
  assert.throws(() => decodeValues(one(text), hex('81 a161 c0 c0')), /more follows/)
})
