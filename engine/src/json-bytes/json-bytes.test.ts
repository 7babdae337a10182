import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkJson } from './check-json.ts'
import { members, numberedMembers, onlyMembers } from './members.ts'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const accepted = (text: string): boolean => {
  try {
    checkJson(Buffer.from(text))
    return true
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error))
    return false
  }
}

test('exactly what JSON.parse accepts is JSON', () => {
  const texts = [
    '{}', '[]', ' { "a" : [ 1 , { } , [ ] , "x\\u00e9\\n" ] , "b":null } ', '-0.5e+10', '0', '"é😀"', 'true', '', ' ',
    '{"a":1,}', '[1,]', '[1 2]', '{"a" 1}', '{a:1}', '01', '1.', '.5', '-', '1e', '+1', 'nul', 'nulll', '"a', '"\t"',
    '"\\x"', '"\\u12g4"', '{}{}', '[[[]]', '[}', '{]', '{"a":1]', '[1}', 'NaN', "'a'", '{"a":{"b":[{"c":[[1]]}]}}',
  ] // biome-ignore format: a table
  for (const text of texts) assert.equal(accepted(text), isJson(text), JSON.stringify(text))
})

test('so it is for texts with one byte changed, left out or doubled', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % below
  }
  const base = '{"a":[1,-2.5e3,"x\\"\\u0041",null,true],"b":{"c":{},"d":[[],[{"e":false}]]},"f":""}'
  const letters = '{}[],:"\\0123456789.eE+-truefalsn u\t'
  for (let i = 0; i < 20_000; i++) {
    const at = random(base.length)
    const letter = letters[random(letters.length)] ?? ''
    const text = base.slice(0, at) + ['', letter, letter + base[at]][random(3)] + base.slice(at + 1)
    assert.equal(accepted(text), isJson(text), text)
  }
})

test('however deep, and what is not UTF-8 is refused', () => {
  const depth = 2_000_000
  assert.equal(accepted('['.repeat(depth) + ']'.repeat(depth)), true)
  assert.equal(accepted('['.repeat(depth)), false)
  assert.throws(() => checkJson(Buffer.from([0x22, 0xff, 0x22])), SyntaxError)
})

test('parts are found by their places; of equal keys the last counts', () => {
  const bytes = Buffer.from('{"a" : [1, {"x":2}] ,"b\\u0063":"}","a":[]}')
  const found = members(bytes, 0)
  const text = (range?: { readonly start: number; readonly end: number }) =>
    range && bytes.toString('utf8', range.start, range.end)
  assert.deepEqual([...(found?.keys() ?? [])], ['a', 'bc'])
  assert.equal(text(found?.get('a')), '[]')
  assert.equal(text(found?.get('bc')), '"}"')
  const numbered = Buffer.from('{"f1":7 , "x":1,"f01":2,"f9":3,"fa":1,"f2":0,"f2":4}')
  const ranges = new Array<number>(6)
  assert.equal(numberedMembers(numbered, 0, ranges), numbered.length)
  assert.deepEqual(ranges, [-1, -1, 6, 7, 50, 51])
  assert.deepEqual(onlyMembers(Buffer.from('[{"v" : [1]}, {"v":null}]'), 0), [8, 11, 19, 23])
  assert.deepEqual(onlyMembers(Buffer.from('[]'), 0), [])
  assert.equal(members(bytes, 7), null)
})
