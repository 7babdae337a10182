/** Connection sets and templates (docs/routing.md): databases that differ in what they hold, through the real process. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { openSocket } from '../websocket-client.ts'

const template = `
{{ if $.request.headers?["x-fresh"] == "true" }}
  {{ $.primary }}
{{ elif $.request.query.operation_name == "Odd" }}
  {{ $.request.session }}
{{ elif $.request.query.operation_name == "Replicas" }}
  {{ $.read_replicas }}
{{ elif $.request.session?["x-svc-tenant"] != null }}
  {{ $.connection_set[$.request.session["x-svc-tenant"]] }}
{{ else }}
  {{ $.default }}
{{ end }}`

const table = { schema: 'public', name: 'note' }

describe('a connection template', () => {
  let primary: TestDatabase
  let member: TestDatabase
  let engine: Engine

  const run = async ({ url }: TestDatabase, script: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(script)
    await client.end()
  }
  const configuration = (more = {}) => ({
    connection_info: { database_url: { from_env: 'PRIMARY' } },
    connection_set: [{ name: 'acme', connection_info: { database_url: { from_env: 'MEMBER' } } }],
    connection_template: { template },
    ...more,
  })
  const user = { 'x-svc-role': 'user' }
  const acme = { ...user, 'x-svc-tenant': 'acme' }
  const post = async (query: string, headers = {}, more = {}) =>
    (await engine.post('/v1/graphql', { query, ...more }, headers)).body
  const note = async (headers = {}, query = '{ note { text } }') => (await post(query, headers)).data?.note[0]?.text

  before(async () => {
    primary = await createTestDatabase()
    member = await createTestDatabase()
    for (const [database, text] of [
      [primary, 'primary'],
      [member, 'member'],
    ] as const)
      await run(
        database,
        `CREATE TABLE note (id integer PRIMARY KEY, text text); INSERT INTO note VALUES (1, '${text}')`,
      )
    engine = await startEngine({
      databaseUrl: primary.url,
      env: {
        PRIMARY: primary.url,
        MEMBER: member.url,
        SVC_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE: 'false',
        SVC_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: '50',
        SVC_GRAPHQL_ENABLED_APIS: 'graphql,metadata,metrics,developer',
        SVC_GRAPHQL_ENABLED_LOG_TYPES: 'startup,health-check-log',
      },
    })
    const updated = await engine.metadata('pg_update_source', { name: 'default', configuration: configuration() })
    assert.equal(updated.status, 200, updated.text)
    await engine.metadata('pg_track_table', { table })
    const columns = { columns: '*', filter: {} }
    await engine.metadata('pg_create_select_permission', { table, role: 'user', permission: columns })
    const check = { columns: '*', check: {} }
    await engine.metadata('pg_create_insert_permission', { table, role: 'user', permission: check })
  })
  after(async () => {
    await engine.stop()
    await primary.drop()
    await member.drop()
  })

  test('sends each request where its session, headers and operation say; the admin to the primary', async () => {
    assert.equal(await note(user), 'primary')
    assert.equal(await note(acme), 'member')
    assert.equal(await note({ ...acme, 'X-Fresh': 'true' }), 'primary')
    const unknown = await post('{ note { text } }', { ...user, 'x-svc-tenant': 'nobody' })
    assert.equal(unknown.errors[0].message, 'the connection template of the source gives no connection')
    assert.equal(await note({ 'x-svc-tenant': 'acme' }), 'primary', 'the admin')
    assert.equal(await note(acme, 'query Replicas { note { text } }'), 'primary', 'there are no replicas')
  })

  test('sends mutations too, and what they return comes from where they wrote', async () => {
    const insert = (name: string) => `mutation ${name} { insert_note_one(object: {id: 7, text: "new"}) { text } }`
    assert.deepEqual(await post(insert('A'), acme), { data: { insert_note_one: { text: 'new' } } })
    const count = '{ note(where: {id: {_eq: 7}}) { id } }'
    assert.deepEqual((await post(count, acme)).data.note, [{ id: 7 }])
    assert.deepEqual((await post(count, user)).data.note, [])
    const refused = await post(insert('Replicas'), user)
    assert.equal(refused.errors[0].message, 'the connection template sends a mutation to read replicas')
    assert.equal(refused.errors[0].extensions.code, 'not-supported')
    await run(member, 'DELETE FROM note WHERE id = 7')
  })

  test('that gives no connection fails the request, and shows roles nothing of itself', async () => {
    const { errors } = await post('query Odd { note { text } }', user)
    assert.deepEqual(errors, [
      {
        message: 'the connection template of the source gives no connection',
        extensions: { path: '$', code: 'unexpected' },
      },
    ])
  })

  test('is asked for each subscriber: those of one connection are polled together', async () => {
    const admin = { 'x-svc-admin-secret': engine.secret }
    const payload = { query: 'subscription { note { text } }' }
    const sockets = await Promise.all(
      [user, acme, acme].map((headers) =>
        openSocket(engine, { protocol: 'graphql-transport-ws', init: { ...admin, ...headers } }),
      ),
    )
    const [, second] = sockets
    const answers: string[] = []
    for (const socket of sockets) {
      socket.send({ id: '1', type: 'subscribe', payload })
      answers.push((await socket.next()).payload.data.note[0].text)
    }
    assert.deepEqual(answers, ['primary', 'member', 'member'])
    const { body } = await engine.get('/dev/subscriptions')
    assert.deepEqual(
      body.live_queries_map.map(({ subscribers }: { subscribers: number }) => subscribers).toSorted(),
      [1, 2],
    )
    // who is sent elsewhere by a new template is planned again
    const moved = configuration({ connection_template: { template: '{{ $.primary }}' } })
    await engine.metadata('pg_update_source', { name: 'default', configuration: moved })
    assert.equal((await second?.next())?.payload.data.note[0].text, 'primary')
    await engine.metadata('pg_update_source', { name: 'default', configuration: configuration() })
    for (const socket of sockets) socket.close()
  })

  test('can be tried without a database', async () => {
    const asked = (args: object) => engine.metadata('pg_test_connection_template', { source_name: 'default', ...args })
    const request_context = { headers: {}, session: { 'X-Svc-Tenant': 'acme' }, query: { operation_type: 'query' } }
    assert.deepEqual((await asked({ request_context })).body, {
      result: { routing_to: 'connection_set', value: 'acme' },
    })
    const given = {
      template: '{{ if $.request.query.operation_type == "mutation" }}{{$.primary}}{{else}}{{$.read_replicas}}{{end}}',
    }
    const connection_template = given
    const routed = await asked({ request_context, connection_template })
    assert.deepEqual(routed.body, { result: { routing_to: 'read_replicas', value: null } })
    const odd = await asked({ connection_template: { template: '{{ $.nowhere }}' } })
    assert.deepEqual([odd.status, odd.body.code], [400, 'validation-failed'])
    const broken = await asked({ connection_template: { template: '{{ if }}' } })
    assert.deepEqual([broken.status, broken.body.code], [400, 'parse-failed'])
    assert.equal((await engine.metadata('pg_test_connection_template', { source_name: 'x' })).body.code, 'not-exists')
  })

  test('that cannot be parsed, a variable that is not set and members of one name are refused', async () => {
    const add = async (more: object) => {
      const { status, body, text } = await engine.metadata('pg_add_source', {
        name: 'odd',
        configuration: configuration(more),
      })
      return [status, body.code, /cannot be parsed, line 1|'NOT_SET' not set|different names/.exec(text)?.[0]]
    }
    const twice = configuration().connection_set.flatMap((one) => [one, one])
    const unset = [{ name: 'a', connection_info: { database_url: { from_env: 'NOT_SET' } } }]
    assert.deepEqual(await add({ connection_template: { template: '{{ if }}' } }), [
      400,
      'invalid-configuration',
      'cannot be parsed, line 1',
    ])
    assert.deepEqual(await add({ connection_set: unset }), [400, 'invalid-configuration', "'NOT_SET' not set"])
    assert.deepEqual(await add({ connection_set: twice }), [400, 'parse-failed', 'different names'])
  })

  test('health checks run at their intervals and are shown to the admin', async () => {
    const check = (sql: string, more = {}) => ({ test: { sql }, interval: 1, retries: 0, timeout: 1, ...more })
    const add = (name: string, sql: string, more = {}) =>
      engine.metadata('pg_add_source', {
        name,
        configuration: { connection_info: { database_url: { from_env: 'MEMBER' } } },
        health_check: check(sql, more),
      })
    for (const [name, sql, more] of [
      ['well', 'SELECT 1'],
      ['unwell', 'SELECT * FROM nowhere', { retries: 1, retry_interval: 0 }],
      ['late', 'SELECT pg_sleep(30)'],
    ] as const)
      assert.equal((await add(name, sql, more)).status, 200)
    const first = await engine.observed('health-checked', ({ source }) => source === 'unwell')
    assert.deepEqual([first.attempt, first.isFinal], [1, false])
    for (const source of ['well', 'unwell', 'late'])
      await engine.observed('health-checked', (o) => o.source === source && o.isFinal)
    const { body } = await engine.get('/healthz/sources')
    assert.deepEqual(Object.keys(body), ['well', 'unwell', 'late'])
    assert.deepEqual([body.well.status, body.well.error], ['OK', null])
    assert.ok(Math.abs(Date.parse(body.well.timestamp) - Date.now()) < 60_000)
    assert.equal(body.unwell.status, 'ERROR')
    assert.match(JSON.stringify(body.unwell.error), /relation \\"nowhere\\" does not exist/)
    assert.deepEqual([body.late.status, body.late.error], ['TIMEOUT', null])
    const { text } = await engine.get('/v1/metrics')
    assert.match(
      text,
      /svc_source_health{source="well"} 0\nsvc_source_health{source="unwell"} 3\nsvc_source_health{source="late"} 1/,
    )
    await engine.logged('"type":"health-check-log"', '"source_name":"late"')
    const refused = await engine.get('/healthz/sources', user)
    assert.equal(refused.body.code, 'access-denied')
    // one that is removed is shown no more
    await engine.metadata('pg_update_source', { name: 'well', health_check: null })
    assert.deepEqual(Object.keys((await engine.get('/healthz/sources')).body), ['unwell', 'late'])
  })
})
