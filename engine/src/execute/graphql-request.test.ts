import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { parseExplainRequest } from './explain-graphql.ts'
import { parseGraphqlRequest } from './graphql-request.ts'

const refused = (code: string, path: string) => (error: unknown) =>
  error instanceof ApiError && error.code === code && error.path.toString() === path

test('unknown keys are ignored, null stands for absent', () => {
  assert.deepEqual(
    parseGraphqlRequest({ query: '{a}', variables: null, operationName: null, extensions: null, x: 1 }),
    {
      query: '{a}',
      operationName: null,
      variables: {},
    },
  )
})

const deep = JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`)

for (const [body, code, path] of [
  [null, 'parse-failed', '$'],
  ['x', 'parse-failed', '$'],
  [[], 'parse-failed', '$'],
  [{}, 'parse-failed', '$'],
  [{ query: 5 }, 'parse-failed', '$.query'],
  [{ query: '{a}', variables: [] }, 'parse-failed', '$.variables'],
  [{ query: '{a}', variables: { a: deep } }, 'parse-failed', '$.variables'],
  [{ query: '{a}', operationName: 1 }, 'parse-failed', '$.operationName'],
  [{ extensions: { persistedQuery: {} } }, 'not-supported', '$'],
] as const)
  test(`a body ${JSON.stringify(body)?.slice(0, 60)} is refused with ${code} at ${path}`, () => {
    assert.throws(() => parseGraphqlRequest(body), refused(code, path))
  })

test('explain takes a text or an object, and a session whose names count in any case', () => {
  const session = {
    role: 'user',
    variables: new Map([
      ['x-svc-user-id', '1'],
      ['x-svc-role', 'user'],
    ]),
    backendOnly: false,
  }
  const user = { 'X-Svc-User-Id': '1', 'x-svc-role': 'user', other: 'x' }
  const request = { query: '{a}', operationName: null, variables: {} }
  assert.deepEqual(parseExplainRequest({ query: '{a}', user }), { request, session })
  assert.deepEqual(parseExplainRequest({ query: { query: '{a}', operationName: 'b' }, user }), {
    request: { ...request, operationName: 'b' },
    session,
  })
  assert.deepEqual(parseExplainRequest({ query: '{a}' }), {
    request,
    session: { role: 'admin', variables: new Map([['x-svc-role', 'admin']]), backendOnly: false },
  })
})

for (const [body, path] of [
  [{ query: {} }, '$.query'],
  [{ query: 1 }, '$.query'],
  [{ query: '{a}', user: 1 }, '$.user'],
  [{ query: '{a}', user: { 'x-svc-role': 1 } }, '$.user["x-svc-role"]'],
] as const)
  test(`explain of ${JSON.stringify(body)} is refused at ${path}`, () => {
    assert.throws(() => parseExplainRequest(body), refused('parse-failed', path))
  })
