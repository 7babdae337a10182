import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countValues } from './count-values.ts'

const count = (json: string) => countValues(Buffer.from(json))

test('every value of a text is counted, an empty list or object twice', () => {
  for (const [json, values] of [
    ['1', 1],
    ['[]', 2],
    ['{"a":1,"b":[2,{"c":null}]}', 6],
    [`[${'[],'.repeat(1000)}1]`, 2002],
  ] as const)
    assert.equal(count(json), values, json)
})

test('what stands in strings is no value', () => {
  for (const json of ['"a,b[c{d"', String.raw`"\",\",\\"`, String.raw`"\\\"[,"`, '"é,🙂,"', '"never closed,,,', '"\\'])
    assert.equal(count(json), 1, json)
  assert.equal(count(String.raw`["\\",2,"\"",4]`), 5)
})
