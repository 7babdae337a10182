import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkContentType, prefersGraphqlResponse } from './media-type.ts'

const graphql = 'application/graphql-response+json'

for (const [accept, expected] of [
  [undefined, false],
  ['*/*', false],
  ['application/json', false],
  [graphql, true],
  [`${graphql}; charset=utf-8`, true],
  [`${graphql}, application/json`, true],
  [`application/json, ${graphql}`, false],
  [`application/json;q=0.9, ${graphql}`, true],
  [`${graphql};q=0.5, application/json`, false],
  [`${graphql};q=0.5, */*`, true],
  [`${graphql};q=0`, false],
  [`${graphql};q=x, application/json;q=y`, false],
] as const)
  test(`Accept: ${accept} ${expected ? 'prefers' : 'does not prefer'} ${graphql}`, () => {
    assert.equal(prefersGraphqlResponse(accept), expected)
  })

test('a body of no type is refused, any other is taken', () => {
  for (const type of [undefined, '']) assert.throws(() => checkContentType(type), { code: 'bad-request', status: 415 })
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) checkContentType(type)
})
