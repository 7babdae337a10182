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
  userVariables: { 'x-svc-role': 'user', 'x-svc-user-id': 'geheim' },
  responseSize: 1,
  uncompressedResponseSize: 1,
  requestReadTime: 0,
  queryExecutionTime: 0,
  mode: 'single',
  operation: null,
  error: null,
  query: { query: '{a}', variables: { Email: 'geheim', n: 1 } },
  isMetadata: false,
  rawQuery: null,
}

test('masked variables are shown by no line, of any type and level', () => {
  const lines: string[] = []
  const listener = logListener(
    {
      level: 'debug',
      enabledTypes: new Set(['http-log', 'query-log']),
      metadataQueries: true,
      queryOnlyOnError: false,
      maskedVariables: new Set(['x-svc-user-id', 'email']),
    },
    (line) => lines.push(line),
  )
  listener['request-answered'](answered)
  listener['request-answered']({ ...answered, query: [answered.query], mode: 'batched' })
  const sql = {
    a: {
      query: 'SELECT $1, $2, $3, $4',
      arguments: ['geheim', 'geheim', 'geheim', 'seen'],
      origins: ['x-svc-user-id', 'Email', null, 'n'],
    },
  }
  listener['query-planned']({
    kind: 'query-planned',
    requestId: 'r',
    role: 'user',
    of: 'database',
    query: answered.query,
    sql,
  })
  const planned = lines.map((line) => JSON.parse(line)).find(({ type }) => type === 'query-log')
  assert.deepEqual(planned.detail.generated_sql.a.prepared_arguments, ['***', '***', '***', 'seen'])
  assert.ok(lines.length >= 5)
  for (const line of lines) assert.ok(!line.includes('geheim'), line)
  const { operation } = JSON.parse(lines[0] ?? '').detail
  assert.deepEqual(operation.user_vars, { 'x-svc-role': 'user', 'x-svc-user-id': '***' })
  assert.deepEqual(operation.query.variables, { Email: '***', n: 1 })
})
