import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../test/admin/random.ts'
import { finish, type LongWork } from '../long-work.ts'
import { isLongJson, LateLists, longContainer, parseExactly, parseLong, stringifyLong } from './index.ts'

const tooMany = () => new Error('too many')
const parse = (text: string, most = 1_000_000) => finish(parseLong(Buffer.from(text), most, tooMany))

/** The most units that were done between two yields, and all of them. */
function unitsOf<T>(work: LongWork<T>): { readonly most: number; readonly all: number; readonly result: T } {
  let most = 0
  let all = 0
  for (;;) {
    const { done, value } = work.next()
    if (done) return { most, all, result: value }
    most = Math.max(most, value)
    all += value
  }
}

const texts = [
  'null',
  ' true ',
  'false',
  '0',
  '-0',
  '1.5e3',
  '1e400',
  '12345678901234567890',
  '0.1000000000000000055511151231257827',
  '""',
  '"a\\u00e9\\ud83d\\ude00\\n\\"\\\\"',
  '"é😀"',
  '[]',
  '{}',
  '[ ]',
  '{ }',
  '[[],{}]',
  ' [1 , 2 ,\n3] ',
  '{"a":1,"a":2,"b":{"c":[null]}}',
  '{"__proto__":{"x":1},"constructor":2,"1":3,"0":4}',
  '{"\\u0061":1}',
  '"\\ud800"',
  '[1e400,[-1E-400],{"a":1e5}]',
  '[[12345678901234567890],{"a":0.1000000000000000055511151231257827}]',
  '[["1e400","12345678901234567890"],{"true":[true,false,null]}]',
]
const wrong = [
  '',
  ' ',
  'nul',
  'nulll',
  '01',
  '1.',
  '.5',
  '+1',
  '-',
  '1e',
  'NaN',
  'Infinity',
  '"',
  '"a',
  '"\\',
  '"\\"',
  '"\\u00',
  '"\\u00"',
  '"\\x"',
  '"\n"',
  '"a\u0000"',
  '[',
  ']',
  '[1',
  '[1,',
  '[1,]',
  '[,1]',
  '[1 2]',
  '{',
  '}',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,',
  '{"a":1,}',
  '{a:1}',
  '{1:1}',
  '[}',
  '{]',
  '1 1',
  '[] []',
  "'a'",
  '\ufeff1',
]

test('a long text is read as any other', () => {
  for (const text of texts) {
    assert.deepEqual(parse(text), parseExactly(text), text)
    assert.equal(JSON.stringify(parse(text)), JSON.stringify(parseExactly(text)), text)
  }
  for (const text of wrong) {
    assert.throws(() => parseExactly(text), SyntaxError, text)
    assert.throws(() => parse(text), SyntaxError, text)
  }
  assert.equal(Object.getPrototypeOf(parse('{"__proto__":{"x":1}}')), Object.prototype)
})

test('texts cut anywhere, of any characters and escapes, are read as JSON.parse reads them', () => {
  const random = seededRandom(5)
  const pieces = ['a', 'é', '€', '😀', '\\n', '\\\\', '\\"', '\\u20ac', '\\ud83d\\ude00', '\\ud83d', 'x'.repeat(9000)]
  for (let i = 0; i < 20; i++) {
    const text = `["${Array.from({ length: 60_000 }, () => random.pick(random.chance(0.001) ? pieces : pieces.slice(0, -1))).join('')}",1]`
    assert.ok(Buffer.byteLength(text) > 100_000)
    const parsed = parse(text)
    assert.deepEqual(parsed, JSON.parse(text))
    assert.equal(finish(stringifyLong(parsed)), JSON.stringify(parsed))
  }
})

test('values are counted as they come', () => {
  assert.deepEqual(parse('[1,2,3]', 4), [1, 2, 3])
  assert.throws(() => parse('[1,2,3]', 3), { message: 'too many' })
  assert.throws(() => parse('['.repeat(10), 9), { message: 'too many' })
})

test('reading and writing yields after few values and kilobytes', () => {
  const values = 40_000
  const of = <T>(make: (i: number) => T) => Array.from({ length: values }, (_, i) => make(i))
  const long: readonly unknown[] = [
    of((i) => i),
    of((i) => JSON.rawJSON(`90071992547409${i}`)),
    of((i) => ({ a: `text ${i}` })),
    Object.fromEntries(of((i) => [`key ${i}`, i])),
    { a: [of(() => [[]])], b: [] },
  ]
  for (const json of long) {
    const text = JSON.stringify(json)
    const read = unitsOf(parseLong(Buffer.from(text), 1_000_000, tooMany))
    assert.ok(read.most <= 256 && read.all >= values - 256, JSON.stringify({ ...read, result: null }))
    assert.ok(isLongJson(read.result))
    const written = unitsOf(stringifyLong(read.result))
    assert.equal(written.result, text)
    assert.ok(written.most <= 256 && written.all >= values - 256, JSON.stringify({ ...written, result: null }))
  }
  const text = JSON.stringify({ ['k'.repeat(500_000)]: 'é\\'.repeat(1_000_000), s: ' ' }).replace(
    '" "',
    `${' '.repeat(500_000)}1`,
  )
  const read = unitsOf(parseLong(Buffer.from(text), 100, tooMany))
  assert.ok(read.most <= 256 && read.all * 1024 >= text.length, JSON.stringify({ ...read, result: null }))
  const written = unitsOf(stringifyLong(read.result))
  assert.ok(written.most <= 256 && written.all > 1000, JSON.stringify({ ...written, result: null }))
})

test('levels of long containers are known', () => {
  const inside = `[${'[['.repeat(7)}1${']]'.repeat(7)}]`
  const json = parse(`{"a":[1,{}],"b":[${inside},"${'x'.repeat(40_000)}"]}`) as { readonly b: object }
  assert.equal(longContainer(json)?.levels, 17)
  assert.equal(longContainer(json.b)?.levels, 16)
  assert.equal(isLongJson((json as unknown as { a: object }).a), false)
})

test('of long containers it is known whether a text in them is written by number', () => {
  const plain = `["${'x'.repeat(40_000)}",["a\\n\\\\u0000"]]`
  assert.equal(longContainer(parse(plain) as object)?.isPlain, true)
  assert.equal(longContainer(parse(plain.replace('\\n', '\\u000a')) as object)?.isPlain, false)
  assert.equal(longContainer(parse(plain.replace('\\n', '\\n",12345678901234567890,"')) as object)?.isPlain, false)
})

test('members of a list that is parsed when it is read are checked at once, and are what they were at each reading', () => {
  const members = [
    ...Array.from({ length: 70 }, (_, i) => ({ i, a: [{ b: `text ${i}` }] })),
    '[12345678901234567890,1e400]',
    [[1], { tables: [] }],
    'text',
    { many: Array.from({ length: 3000 }, (_, i) => i) },
    null,
  ]
  const text = JSON.stringify({ args: { tables: members, others: members }, end: 1 }).replaceAll(/"(\[1.*?)"/g, '$1')
  const late = (json: string, most = 100_000) =>
    finish(parseLong(Buffer.from(json), most, tooMany, new LateLists(['tables'])))
  const parsed = late(text) as {
    readonly args: { readonly tables: readonly unknown[]; readonly others: readonly unknown[] }
  }
  assert.equal(JSON.stringify(parsed), JSON.stringify(parse(text)))
  assert.equal(parsed.args.tables.length, members.length)
  assert.notEqual(parsed.args.tables[69], parsed.args.tables[69])
  assert.equal(parsed.args.others[69], parsed.args.others[69])
  assert.deepEqual(parsed.args.tables[69], parsed.args.others[69])
  assert.throws(() => late(text.replace('"text 69"', '"text 69')), SyntaxError)
  assert.throws(() => late(text, 1000), { message: 'too many' })
})
