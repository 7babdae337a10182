/** Event triggers from a change to a webhook, with the real engine (reference/event-triggers). */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { type Receiver, startReceiver } from './receiver.ts'

let engine: Engine
let receiver: Receiver

const all = { columns: '*' }

const ok = async (type: string, args: unknown) => {
  const answer = await engine.metadata(type, args)
  assert.equal(answer.status, 200, `${type}: ${answer.text}`)
  return answer.body
}

const refused = async (type: string, args: unknown) => {
  const { status, body } = await engine.metadata(type, args)
  assert.notEqual(status, 200)
  return { status, code: body.code, path: body.path }
}

const sql = async (text: string): Promise<string[][]> => {
  const { status, body, text: shown } = await engine.post('/v2/query', { type: 'run_sql', args: { sql: text } })
  assert.equal(status, 200, shown)
  return (body.result ?? []).slice(1)
}

/** A table of its own with a trigger on it. */
let tables = 0
async function watchedTable(trigger: object = {}, columns = 'id int PRIMARY KEY, name text') {
  tables += 1
  const table = `t${tables}`
  const name = `on_${table}`
  await sql(`CREATE TABLE ${table} (${columns})`)
  await ok('pg_track_table', { table })
  await ok('pg_create_event_trigger', {
    name,
    table,
    insert: all,
    update: all,
    delete: all,
    webhook: `${receiver.url}/${table}`,
    ...trigger,
  })
  return { table, name }
}

before(async () => {
  const { url } = await createTestDatabase()
  receiver = await startReceiver()
  engine = await startEngine({ databaseUrl: url, env: { WEBHOOK_BASE: receiver.url, WEBHOOK_TOKEN: 'token' } })
})
after(async () => {
  await engine.stop()
  await receiver.close()
})

test('a change is delivered with its row before and after, and the answer is kept', async () => {
  const { table, name } = await watchedTable({
    webhook: `{{WEBHOOK_BASE}}/hook`,
    headers: [
      { name: 'X-Token', value_from_env: 'WEBHOOK_TOKEN' },
      { name: 'User-Agent', value: 'mine' },
    ],
    retry_conf: { num_retries: 3, interval_sec: 1 },
  })
  await sql(`INSERT INTO ${table} VALUES (1, 'a')`)
  const inserted = await receiver.next()
  const { id, created_at } = inserted.body
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?$/)
  assert.deepEqual(inserted.body, {
    id,
    created_at,
    trigger: { name },
    table: { schema: 'public', name: table },
    event: {
      op: 'INSERT',
      session_variables: { 'x-svc-role': 'admin' },
      data: { old: null, new: { id: 1, name: 'a' } },
      trace_context: inserted.body.event.trace_context,
    },
    delivery_info: { current_retry: 0, max_retries: 3 },
  })
  assert.equal(inserted.path, '/hook')
  assert.equal(inserted.method, 'POST')
  assert.equal(inserted.headers['content-type'], 'application/json')
  assert.match(inserted.headers['user-agent'] ?? '', /^svc-graphql-engine\//)
  assert.equal(inserted.headers['x-token'], 'token')
  assert.match(String(inserted.headers['x-b3-traceid']), /^[0-9a-f]{32}$/)
  await engine.observed('event-attempted', (o) => o.event === id)
  await sql(`UPDATE ${table} SET name = 'b'`)
  assert.deepEqual((await receiver.next()).body.event.data, { old: { id: 1, name: 'a' }, new: { id: 1, name: 'b' } })
  await sql(`DELETE FROM ${table}`)
  assert.deepEqual((await receiver.next()).body.event.data, { old: { id: 1, name: 'b' }, new: null })

  const found = await until(
    () => ok('pg_get_event_by_id', { event_id: id }),
    ({ event }) => event.delivered,
  )
  assert.deepEqual(
    { tries: found.event.tries, error: found.event.error, locked: found.event.locked },
    { tries: 1, error: false, locked: null },
  )
  const [invocation] = found.invocations
  assert.equal(invocation.http_status, 200)
  assert.deepEqual(invocation.request.payload, inserted.body)
  assert.deepEqual(
    invocation.request.headers.map(({ name: header }: { name: string }) => header),
    ['Content-Type', 'User-Agent', 'X-Token'],
  )
  assert.equal(invocation.request.version, '2')
  assert.equal(invocation.response.type, 'webhook_response')
  assert.equal(invocation.response.data.body, '{}')
  assert.doesNotMatch(JSON.stringify(invocation.request.headers), /token"/)
})

test('headers that a transform removes are not sent, the engine’s own among them', async () => {
  const request_headers = { remove_headers: ['User-Agent', 'content-type'], add_headers: { 'x-own': 'a' } }
  const { table } = await watchedTable({ request_transform: { version: 2, request_headers } })
  await sql(`INSERT INTO ${table} VALUES (1, 'a')`)
  const { headers } = await receiver.next()
  assert.deepEqual([headers['user-agent'], headers['content-type'], headers['x-own']], [undefined, undefined, 'a'])
})

test('an event names the trace of the request that wrote, and its delivery belongs to it', async () => {
  const { table } = await watchedTable()
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  const w3c = { traceparent: `00-${traceId}-${spanId}-01` }
  const b3 = { b3: `${traceId}-${spanId}-0` }
  const graphql = (id: number, headers: Record<string, string>) =>
    engine.post('/v1/graphql', { query: `mutation { insert_${table}_one(object: {id: ${id}}) { id } }` }, headers)
  const writes: readonly (readonly [string, () => Promise<Answer>, string | undefined])[] = [
    ['graphql, W3C', () => graphql(1, w3c), '1'],
    ['graphql, B3', () => graphql(2, b3), '0'],
    ['graphql, undecided', () => graphql(3, { 'x-b3-traceid': traceId, 'x-b3-spanid': spanId }), undefined],
    ['rows', () => engine.post('/v1/query', { type: 'insert', args: { table, objects: [{ id: 4 }] } }, w3c), '1'],
    ['SQL', () => engine.post('/v2/query', { type: 'run_sql', args: { sql: `DELETE FROM ${table}` } }, b3), '0'],
  ]
  for (const [name, write, sampling] of writes) {
    const answer = await write()
    assert.ok(answer.status === 200 && !answer.body.errors, `${name}: ${answer.text}`)
    const { body, headers } = await receiver.next()
    const { trace_id, span_id, ...rest } = body.event.trace_context
    assert.equal(trace_id, traceId, name)
    assert.match(span_id, /^[0-9a-f]{16}$/)
    assert.notEqual(span_id, spanId)
    assert.deepEqual(rest, sampling === undefined ? {} : { sampling_state: sampling }, name)
    assert.equal(headers['x-b3-traceid'], traceId)
    assert.equal(headers['x-b3-parentspanid'], span_id)
  }
  // the other rows that the SQL deleted
  for (let more = 0; more < 3; more++) assert.equal((await receiver.next()).body.event.op, 'DELETE')
  assert.equal((await graphql(5, {})).status, 200)
  assert.match((await receiver.next()).body.event.trace_context.trace_id, /^[0-9a-f]{32}$/)
})

test('a failure is tried again as often as asked, then the event is an error; redelivery starts again', async () => {
  receiver.answer(() => ({ status: 500, body: 'no' }))
  const { table, name } = await watchedTable({ retry_conf: { num_retries: 1, interval_sec: 0 } })
  await sql(`INSERT INTO ${table} VALUES (1, 'a')`)
  const [first, second] = [await receiver.next(), await receiver.next()]
  assert.deepEqual(
    [first.body.delivery_info, second.body.delivery_info],
    [
      { current_retry: 0, max_retries: 1 },
      { current_retry: 1, max_retries: 1 },
    ],
  )
  const { id } = first.body
  const event = (await until(
    () => ok('pg_get_event_by_id', { event_id: id }),
    (found) => found.event.error,
  )) as { event: object; invocations: { response: object }[] }
  assert.equal(event.invocations.length, 2)
  assert.deepEqual(event.invocations[0]?.response, { type: 'client_error', version: '2', data: { message: 'no' } })
  receiver.answer(() => ({ status: 200 }))
  assert.deepEqual(await ok('pg_redeliver_event', { event_id: id }), { message: 'success' })
  const again = await receiver.next()
  assert.deepEqual([again.body.id, again.body.delivery_info.current_retry], [id, 0])
  await until(
    () => ok('pg_get_event_logs', { name, status: 'processed' }),
    ([row]) => row?.delivered,
  )
  assert.deepEqual(await ok('pg_get_event_logs', { name, status: 'pending' }), [])
})

test('a receiver that asks to wait is waited for, however many attempts were allowed', async () => {
  receiver.answer(({ body }) =>
    body.delivery_info.current_retry < 1 ? { status: 429, headers: { 'retry-after': '1' } } : { status: 200 },
  )
  const { table } = await watchedTable()
  await sql(`INSERT INTO ${table} VALUES (1, 'a')`)
  const [first, second] = [await receiver.next(), await receiver.next()]
  assert.ok(second.at - first.at >= 950, String(second.at - first.at))
  assert.equal(second.body.delivery_info.current_retry, 1)
  receiver.answer(() => ({ status: 200 }))
})

test('an event of a mutation has the session of its request', async () => {
  const { table } = await watchedTable()
  const permission = { check: {}, columns: '*' }
  await ok('pg_create_insert_permission', { table, role: 'user', permission })
  const query = `mutation { insert_${table}(objects: { id: 1, name: "a" }) { affected_rows } }`
  const answer = await engine.post('/v1/graphql', { query }, { 'x-svc-role': 'user', 'x-svc-user-id': '7' })
  assert.equal(answer.body.errors, undefined, answer.text)
  const { body } = await receiver.next()
  assert.deepEqual(body.event.session_variables, { 'x-svc-role': 'user', 'x-svc-user-id': '7' })
})

test('a trigger that allows it is invoked by hand; what it sends remains exact', async () => {
  const { table, name } = await watchedTable({ enable_manual: true }, 'id bigint, n numeric')
  const { event_id } = await ok('pg_invoke_event_trigger', { name, payload: { any: ['thing'] } })
  const { body } = await receiver.next()
  assert.equal(body.id, event_id)
  assert.deepEqual(body.event, {
    op: 'MANUAL',
    session_variables: { 'x-svc-role': 'admin' },
    data: { old: null, new: { any: ['thing'] } },
    trace_context: null,
  })
  await sql(`INSERT INTO ${table} VALUES (9007199254740993, 0.12345678901234567890)`)
  const { text } = await receiver.next()
  assert.match(text, /"id": ?9007199254740993/)
  assert.match(text, /"n": ?0\.12345678901234567890/)
  const other = await watchedTable()
  assert.deepEqual(await refused('pg_invoke_event_trigger', { name: other.name, payload: {} }), {
    status: 400,
    code: 'not-supported',
    path: '$.args',
  })
})

test('what cannot be is refused at its place', async () => {
  const { table, name } = await watchedTable()
  const webhook = receiver.url
  const create = (args: object) =>
    refused('pg_create_event_trigger', { name: 'x', table, insert: all, webhook, ...args })
  assert.deepEqual(await create({ name }), { status: 400, code: 'already-exists', path: '$.args' })
  const other = await watchedTable()
  assert.deepEqual(await create({ name, table: other.table, replace: true }), {
    status: 400,
    code: 'not-supported',
    path: '$.args',
  })
  assert.deepEqual(await create({ name: '1x' }), { status: 400, code: 'parse-failed', path: '$.args' })
  assert.deepEqual(await create({ name: 'x'.repeat(43) }), { status: 400, code: 'parse-failed', path: '$.args' })
  assert.deepEqual(await create({ insert: null }), { status: 400, code: 'parse-failed', path: '$.args' })
  assert.deepEqual(await create({ webhook_from_env: 'X' }), { status: 400, code: 'parse-failed', path: '$.args' })
  assert.deepEqual(await create({ insert: { columns: [] } }), { status: 400, code: 'parse-failed', path: '$.args' })
  assert.deepEqual(await create({ insert: { columns: ['none'] } }), {
    status: 400,
    code: 'not-exists',
    path: '$.args',
  })
  assert.deepEqual(await create({ table: 'none' }), { status: 400, code: 'not-exists', path: '$.args' })
  for (const type of ['pg_delete_event_trigger', 'pg_get_event_logs', 'pg_get_event_invocation_logs'])
    assert.deepEqual(await refused(type, { name: 'none' }), { status: 400, code: 'not-exists', path: '$.args' })
  for (const type of ['pg_redeliver_event', 'pg_get_event_by_id'])
    assert.deepEqual(await refused(type, { event_id: 'none' }), { status: 400, code: 'not-exists', path: '$.args' })
})

test('an event is redelivered from whichever source has it', async () => {
  const { url } = await createTestDatabase()
  await ok('add_source', { name: 'elsewhere', configuration: { connection_info: { database_url: url } } })
  const run = (text: string) => engine.post('/v2/query', { type: 'run_sql', args: { source: 'elsewhere', sql: text } })
  assert.equal((await run('CREATE TABLE far (id int PRIMARY KEY)')).status, 200)
  const table = { source: 'elsewhere', table: 'far' }
  await ok('pg_track_table', table)
  await ok('pg_create_event_trigger', { ...table, name: 'on_far', insert: all, webhook: `${receiver.url}/far` })
  assert.equal((await run('INSERT INTO far VALUES (1)')).status, 200)
  const { id } = (await receiver.next()).body
  await until(
    () => ok('pg_get_event_logs', { name: 'on_far', source: 'elsewhere', status: 'processed' }),
    ([row]) => row?.delivered,
  )
  assert.deepEqual(await ok('pg_redeliver_event', { event_id: id }), { message: 'success' })
  assert.equal((await receiver.next()).body.id, id)
  await ok('drop_source', { name: 'elsewhere', cascade: true })
})

test('a webhook that is not in the environment, and a payload of no column, make the trigger inconsistent', async () => {
  const { table } = await watchedTable()
  const create = (args: object) => refused('pg_create_event_trigger', { name: 'x', table, insert: all, ...args })
  const inconsistent = { status: 400, code: 'invalid-configuration', path: '$.args' }
  assert.deepEqual(await create({ webhook: '{{NO_SUCH_VARIABLE}}' }), inconsistent)
  assert.deepEqual(await create({ webhook_from_env: 'NO_SUCH_VARIABLE' }), inconsistent)
  const headers = [{ name: 'a', value_from_env: 'NO_SUCH_VARIABLE' }]
  assert.deepEqual(await create({ webhook: receiver.url, headers }), inconsistent)
  assert.deepEqual(await create({ webhook: receiver.url, insert: { columns: '*', payload: ['none'] } }), inconsistent)
})

test('a column that a trigger listens to is not dropped without it', async () => {
  const { table, name } = await watchedTable({ insert: undefined, update: { columns: ['name'] }, delete: undefined })
  const drop = (cascade: boolean) =>
    engine.post('/v2/query', { type: 'run_sql', args: { sql: `ALTER TABLE ${table} DROP COLUMN name`, cascade } })
  assert.equal((await drop(false)).body.code, 'dependency-error')
  assert.equal((await drop(true)).status, 200)
  assert.equal((await refused('pg_get_event_logs', { name })).code, 'not-exists')
})

test('renamed tables and columns are followed, dropped ones forgotten', async () => {
  const { table, name } = await watchedTable({ update: { columns: ['name'], payload: ['id', 'name'] } })
  await sql(`ALTER TABLE ${table} RENAME COLUMN name TO title`)
  await sql(`ALTER TABLE ${table} RENAME TO renamed`)
  await sql(`INSERT INTO renamed VALUES (1, 'a')`)
  const inserted = await receiver.next()
  assert.deepEqual([inserted.body.table.name, inserted.body.event.data.new], ['renamed', { id: 1, title: 'a' }])
  await sql(`UPDATE renamed SET title = 'b'`)
  assert.deepEqual((await receiver.next()).body.event.data.new, { id: 1, title: 'b' })
  await sql('DROP TABLE renamed')
  assert.deepEqual(await refused('pg_get_event_logs', { name }), { status: 400, code: 'not-exists', path: '$.args' })
  assert.deepEqual(await sql(`SELECT count(*) FROM pg_proc WHERE proname LIKE 'notify_svc_${name}_%'`), [['0']])
})

test('a trigger that is deleted captures nothing, and what waited is archived', async () => {
  receiver.answer(() => ({ status: 500 }))
  const { table, name } = await watchedTable({ retry_conf: { num_retries: 5, interval_sec: 60 } })
  await sql(`INSERT INTO ${table} VALUES (1, 'a')`)
  const { body } = await receiver.next()
  await ok('pg_delete_event_trigger', { name })
  await sql(`INSERT INTO ${table} VALUES (2, 'a')`)
  const rows = await sql(`SELECT id, archived::text FROM svc_catalog.event_log WHERE trigger_name = '${name}'`)
  assert.deepEqual(rows, [[body.id, 'true']])
  receiver.answer(() => ({ status: 200 }))
})

test('logs are cleaned on demand and by schedule', async () => {
  const { table, name } = await watchedTable()
  await sql(`INSERT INTO ${table} VALUES (1, 'a')`)
  await receiver.next()
  await until(
    () => ok('pg_get_event_logs', { name, status: 'processed' }),
    ([row]) => row?.delivered,
  )
  const clean = { event_trigger_name: name, clear_older_than: 1, clean_invocation_logs: true }
  await ok('pg_cleanup_event_trigger_logs', clean)
  assert.equal((await ok('pg_get_event_logs', { name })).length, 1)
  await sql(`UPDATE svc_catalog.event_log SET created_at = now() - interval '2 hours' WHERE trigger_name = '${name}'`)
  await ok('pg_cleanup_event_trigger_logs', clean)
  assert.deepEqual(await ok('pg_get_event_logs', { name }), [])
  assert.deepEqual(await ok('pg_get_event_invocation_logs', { name }), [])
  const named = [{ event_triggers: [name] }]
  assert.equal((await refused('pause_event_trigger_cleanups', { event_triggers: named })).code, 'not-exists')
  await ok('pg_create_event_trigger', {
    name,
    table,
    insert: all,
    webhook: receiver.url,
    replace: true,
    cleanup_config: { schedule: '*/5 * * * *', clear_older_than: 1 },
  })
  await ok('pause_event_trigger_cleanups', { event_triggers: { sources: '*' } })
  const exported = (await ok('export_metadata', {})).sources[0].tables
    .flatMap((one: { event_triggers?: object[] }) => one.event_triggers ?? [])
    .find((one: { name: string }) => one.name === name)
  assert.equal(exported.cleanup_config.paused, true)
})

/** Asks until the answer fits. */
async function until<T>(ask: () => Promise<T>, fits: (answer: T) => unknown): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (fits(answer)) return answer
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
