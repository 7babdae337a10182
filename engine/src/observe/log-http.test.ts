import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logListener, type RequestAnswered } from './index.ts'

const answered: RequestAnswered = {
  kind: 'request-answered',
  requestId: 'r',
  status: 200,
  method: 'POST',
  ip: '::1',
  url: '/v1/graphql',
  route: '/v1/graphql',
  isProbe: false,
  httpVersion: '1.1',
  contentEncoding: null,
  role: 'user',
  userVariables: null,
  responseSize: 1,
  uncompressedResponseSize: 1,
  requestReadTime: 0.01,
  queryExecutionTime: 0.02,
  mode: 'single',
  operation: null,
  error: null,
  query: null,
  isMetadata: false,
  rawQuery: null,
}

/** The ids of requests that are logged. */
function logged(httpLog: { oneIn: number; slow: number | null }, requests: readonly Partial<RequestAnswered>[]) {
  const ids: string[] = []
  const listener = logListener(
    {
      level: 'info',
      enabledTypes: new Set(['http-log']),
      metadataQueries: false,
      queryOnlyOnError: false,
      maskedVariables: new Set(),
      httpLog,
    },
    (line) => ids.push(JSON.parse(line).detail.request_id),
  )
  for (const [at, request] of requests.entries())
    listener['request-answered']({ ...answered, requestId: String(at + 1), ...request })
  return ids
}

test('one in so many is logged, and all that fail or are slow', () => {
  const plain = Array.from({ length: 9 }, () => ({}))
  assert.equal(logged({ oneIn: 1, slow: null }, plain).length, 9)
  assert.deepEqual(logged({ oneIn: 4, slow: null }, plain), ['4', '8'])
  assert.deepEqual(logged({ oneIn: 0, slow: null }, plain), [])
  const failing = [
    { error: { code: 'unexpected' } },
    {},
    { status: 404 },
    { mode: 'batched', operations: [{ responseSize: 1, queryExecutionTime: 1, error: { code: 'unexpected' } }] },
    { queryExecutionTime: 0.1 },
    { queryExecutionTime: 0.05 },
  ] as const
  assert.deepEqual(logged({ oneIn: 0, slow: 110 }, failing), ['1', '3', '4', '5'])
  assert.deepEqual(logged({ oneIn: 0, slow: null }, failing), ['1', '3', '4'])
})

test('no probe that is well is logged', () => {
  assert.deepEqual(logged({ oneIn: 1, slow: 0 }, [{ isProbe: true }, {}]), ['2'])
})
