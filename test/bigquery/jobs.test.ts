import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AnswerTooLarge } from '../../engine/src/backends/index.ts'
import { ApiError, Path } from '../../engine/src/errors.ts'
import { type DoubleRequest, failure, startRestDouble } from './rest-double.ts'
import { namesOf, openSource } from './source-on-double.ts'

const fields = [{ name: 'name', type: 'STRING', mode: 'NULLABLE' }]
const rows = [['a'], ['b'], ['c'], ['d'], ['e']]
const isStart = ({ method, path }: DoubleRequest) => method === 'POST' && path === '/jobs'
const isPoll = ({ path }: DoubleRequest) => path.startsWith('/queries/')
const isCancel = ({ path }: DoubleRequest) => path.endsWith('/cancel')

test('a query is one job, with its cost bounded and its caller named', async (t) => {
  const double = await startRestDouble(t)
  double.job = () => ({ fields, rows: [['{{projectId}}']], bytes: 5 })
  const { source, observations } = await openSource(double)
  const caller = { role: 'Editor@Home', operationName: 'GetAlbums' }
  const answer = await source.query(namesOf('SELECT "{{projectId}}"'), [], undefined, undefined, caller)
  assert.equal(String(answer), '[{"name":"{{projectId}}"}]')
  const [[id, { body }] = assert.fail()] = [...double.jobs]
  assert.match(id, /^svc_[0-9a-f-]{36}$/)
  assert.deepEqual(body, {
    jobReference: { projectId: 'shop', jobId: id },
    configuration: {
      jobType: 'QUERY',
      labels: { svc_role: 'editor_home', svc_operation: 'getalbums' },
      query: { query: 'SELECT "{{projectId}}"', useLegacySql: false, maximumBytesBilled: '10000000000' },
    },
  })
  assert.deepEqual(
    double.requests.map(({ method }) => method),
    ['POST', 'GET'],
  )
  const ended = observations.find((one) => one.kind === 'job-ended')
  assert.ok(ended)
  assert.deepEqual([ended.operation, ended.bytesBilled, ended.error], ['GetAlbums', 10 * 1024 * 1024, null])
})

test('maximum_bytes_billed of 0 sends no limit', async (t) => {
  const double = await startRestDouble(t)
  const { source } = await openSource(double, { maximum_bytes_billed: 0 })
  await source.query(namesOf('SELECT'), [])
  const [job] = double.jobs.values()
  assert.deepEqual(job?.body.configuration.query, { query: 'SELECT', useLegacySql: false })
})

test('pages are put together in their order, whether the job is done or not yet', async (t) => {
  const double = await startRestDouble(t)
  double.job = () => ({ fields, rows, pageSize: 2, polls: 1 })
  const { source } = await openSource(double)
  assert.equal(
    String(await source.query(namesOf('SELECT'), [])),
    '[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"},{"name":"e"}]',
  )
  assert.equal(double.requests.filter(isPoll).length, 4)
  assert.ok(double.requests.filter(isPoll).every(({ query }) => query.get('location') === 'EU'))
})

test('an answer that is too large is not read to its end', async (t) => {
  const double = await startRestDouble(t)
  double.job = () => ({ fields, rows, pageSize: 2 })
  const { source } = await openSource(double)
  await assert.rejects(
    source.query(namesOf('SELECT'), [], undefined, 40),
    (error) => error instanceof AnswerTooLarge && error.bytes > 40,
  )
  assert.equal(double.requests.filter(isPoll).length, 2)
})

test('a page of many megabytes is read while other requests are served', async (t) => {
  const double = await startRestDouble(t)
  const wide = 'ä"\\n'.repeat(250)
  double.job = () => ({ fields, rows: Array.from({ length: 5000 }, () => [wide]) })
  const { source } = await openSource(double)
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const answer = await source.query(namesOf('SELECT'), [])
  clearInterval(timer)
  assert.deepEqual(
    JSON.parse(String(answer)),
    Array.from({ length: 5000 }, () => ({ name: wide })),
  )
  assert.ok(turns > 3, `${turns} turns`)
})

for (const status of [429, 500, 503])
  test(`${status} is tried again, at either step, and the job runs once`, async (t) => {
    const double = await startRestDouble(t)
    double.job = () => ({ fields, rows: [['a']] })
    let [starts, polls] = [0, 0]
    double.fault = (request) => {
      const isFirst = (isStart(request) && starts++ < 2) || (isPoll(request) && polls++ < 2)
      return isFirst ? failure(status, 'Try again', 'backendError') : null
    }
    const { source } = await openSource(double)
    assert.equal(String(await source.query(namesOf('SELECT'), [])), '[{"name":"a"}]')
    assert.deepEqual([starts, polls, double.jobs.size], [3, 3, 1])
  })

test('retries end at retry_limit, with the error of the last', async (t) => {
  const double = await startRestDouble(t)
  double.fault = (request) => (isStart(request) ? failure(503, 'Unavailable', 'backendError') : null)
  const { source, observations } = await openSource(double, { retry_limit: '2' })
  const error = await failureOf(source.query(namesOf('SELECT'), []))
  assert.deepEqual(
    [error.message, error.status, error.code, error.path.toString(), error.internal],
    [
      'BigQuery HTTP request failed with status 503 "Service Unavailable"',
      500,
      'unexpected',
      '$',
      { rest_request_non_ok: failure(503, 'Unavailable', 'backendError').body },
    ],
  )
  assert.equal(double.requests.filter(isStart).length, 3)
  assert.ok(observations.some((one) => one.kind === 'job-ended' && one.error !== null))
})

test('400, 403 and 404 are answers, tried once', async (t) => {
  const double = await startRestDouble(t)
  const { source } = await openSource(double)
  for (const [status, text] of [
    [400, 'Bad Request'],
    [403, 'Forbidden'],
    [404, 'Not Found'],
  ] as const) {
    double.fault = () => failure(status, 'Quota exceeded', 'quotaExceeded')
    const asked = double.requests.length
    const { message } = await failureOf(source.query(namesOf('SELECT'), []))
    assert.equal(message, `BigQuery HTTP request failed with status ${status} "${text}"`)
    assert.equal(double.requests.length, asked + 1)
  }
})

test('a connection that is cut once the job was accepted does not run it twice', async (t) => {
  const double = await startRestDouble(t)
  double.job = () => ({ fields, rows: [['a']] })
  let cuts = 0
  double.fault = (request) => ((isStart(request) || isPoll(request)) && cuts++ % 2 === 0 ? 'cut' : null)
  double.tables.set('music', new Map([['album', { schema: { fields } }]]))
  const { source } = await openSource(double)
  // it is where jobs of the source run, which the lost answer would have said
  await source.introspect(null)
  assert.equal(String(await source.query(namesOf('SELECT'), [])), '[{"name":"a"}]')
  assert.equal(double.requests.filter(isStart).length, 2)
  assert.equal(double.jobs.size, 1)
})

test('a client that leaves cancels its job, be it started or not yet', async (t) => {
  const double = await startRestDouble(t)
  double.job = () => ({ polls: Number.POSITIVE_INFINITY })
  const { source } = await openSource(double)
  for (const step of [isPoll, isStart]) {
    double.requests.length = 0
    const controller = new AbortController()
    const left = new Error('the client left')
    const answer = assert.rejects(source.query(namesOf('SELECT'), [], controller.signal), left)
    await double.asked(step)
    controller.abort(left)
    await answer
    await double.asked(isCancel)
  }
  assert.ok([...double.jobs.values()].every(({ cancelled }) => cancelled))
  const controller = new AbortController()
  controller.abort(new Error('before'))
  await assert.rejects(source.query(namesOf('SELECT'), [], controller.signal), /before/)
  assert.equal(double.jobs.size, 2)
})

test('answers that are no jobs are said to be none', async (t) => {
  const double = await startRestDouble(t)
  const { source } = await openSource(double)
  double.fault = (request) => (isStart(request) ? { body: 'hello' } : null)
  assert.match(
    (await failureOf(source.query(namesOf('SELECT'), []))).message,
    /^Creating BigQuery job, cannot decode HTTP response: /,
  )
  double.fault = (request) => (isPoll(request) ? { body: 'hello' } : null)
  assert.match(
    (await failureOf(source.query(namesOf('SELECT'), []))).message,
    /^Fetching BigQuery job status, cannot decode HTTP response; /,
  )
})

test('run_sql answers with a header and values, its errors have a code of their own', async (t) => {
  const double = await startRestDouble(t)
  const { source } = await openSource(double)
  const script = (sql: string) => ({ sql, readOnly: false, noTransaction: false })
  double.job = () => ({
    fields: [...fields, { name: 'n', type: 'INTEGER' }, { name: 'b', type: 'BOOLEAN' }],
    rows: [['a', '1', 'true']],
  })
  assert.deepEqual(await source.runSql?.(script('SELECT'), Path.root, null), {
    result_type: 'TuplesOk',
    result: [
      ['name', 'n', 'b'],
      ['a', '1', true],
    ],
  })
  double.job = () => ({})
  assert.deepEqual(await source.runSql?.(script('CREATE'), Path.root, null), { result_type: 'TuplesOk', result: [[]] })
  double.job = () => ({ failure: failure(400, 'Syntax error', 'invalidQuery') })
  const error = await failureOf(source.runSql?.(script('SELEC'), Path.root.at('args'), null))
  assert.deepEqual([error.code, error.status, error.path.toString()], ['bigquery-error', 400, '$.args'])
})

test('a dry run says what would be read, without a limit that could refuse it', async (t) => {
  const double = await startRestDouble(t)
  double.job = () => ({ bytes: 123 })
  const { source } = await openSource(double)
  assert.deepEqual(await source.dryRun?.(namesOf('SELECT'), []), { totalBytesProcessed: '123' })
  assert.equal(double.jobs.size, 0)
})

async function failureOf(work: Promise<unknown> | undefined): Promise<ApiError> {
  const error = await work?.then(
    () => assert.fail('nothing failed'),
    (reason) => reason,
  )
  assert.ok(error instanceof ApiError, String(error))
  return error
}
