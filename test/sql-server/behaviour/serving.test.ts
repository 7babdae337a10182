/**
 * What an engine serves of a SQL Server besides reads and writes: live queries, stored queries, logins that may only
 * read.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { contractOperations } from '../../admin/contract-operations.ts'
import { openSocket } from '../../websocket-client.ts'
import { type ServedSource, serveSource } from './served-source.ts'

const setup = [
  `DROP TABLE IF EXISTS sv_thing; DROP TABLE IF EXISTS sv_other; CREATE TABLE sv_other (id int PRIMARY KEY); CREATE TABLE sv_thing (id int PRIMARY KEY, name nvarchar(50) NULL);
INSERT INTO sv_thing (id, name) VALUES (1, N'a'), (2, N'b'), (3, N'c')`,
]
const isReal = process.env.SVC_TEST_MSSQL_URL !== undefined

suite('an engine on SQL Server', () => {
  let served: ServedSource
  const ends: (() => Promise<void>)[] = []
  before(async () => {
    const env = {
      SVC_GRAPHQL_ENABLE_ALLOWLIST: 'true',
      SVC_GRAPHQL_ENABLED_APIS: 'graphql,metadata,developer',
      SVC_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: '100',
    }
    served = await serveSource({ after: (end) => void ends.push(end) }, setup, ['sv_thing', 'sv_other'], {}, { env })
  })
  after(async () => {
    for (const end of ends) await end()
  })
  const take = async (type: string, args: object) => {
    const { status, body, text } = await served.engine.metadata(type, args)
    assert.equal(status, 200, `${type}: ${text}`)
    return body
  }

  test('polls a live query of 1,000 subscribers by one statement, one with other values by a statement for each batch', {
    skip: isReal,
  }, async () => {
    const { engine, double, runSql } = served
    const LIVE = /\[result_id\][\s\S]*\[sv_thing\]/
    const socket = await openSocket(engine, {
      protocol: 'graphql-transport-ws',
      init: { 'x-svc-admin-secret': engine.secret },
    })
    const query = 'subscription ($id: Int!) { sv_thing(where: {id: {_eq: $id}}) { name } }'
    const subscribe = async (ids: readonly string[], idOf: (at: number) => number) => {
      for (const [at, id] of ids.entries())
        socket.send({ id, type: 'subscribe', payload: { query, variables: { id: idOf(at) } } })
      for (const _ of ids) assert.equal((await socket.next()).type, 'next')
    }
    const equal = Array.from({ length: 1000 }, (_, at) => `e${at}`)
    await subscribe(equal, () => 1)
    const { body } = await engine.get('/dev/subscriptions/extended')
    const [poller] = body.live_queries_map
    assert.deepEqual([body.live_queries_map.length, poller.cohorts, poller.subscribers], [1, 1, 1000])
    const before = double?.statements.filter((sql) => LIVE.test(sql)).length ?? 0
    const polled = engine.log.filter((line) => line.includes('"kind":"subscriptions-polled"')).length
    await runSql("UPDATE sv_thing SET name = N'changed' WHERE id = 1")
    for (const _ of equal) assert.deepEqual((await socket.next()).payload.data, { sv_thing: [{ name: 'changed' }] })
    const statements = (double?.statements.filter((sql) => LIVE.test(sql)).length ?? 0) - before
    const after = engine.log.filter((line) => line.includes('"kind":"subscriptions-polled"')).length
    // a poll whose statement was sent may not be logged yet, at either end
    assert.ok(Math.abs(statements - (after - polled)) <= 1, `${statements} statements of ${after - polled} polls`)
    for (const id of equal) socket.send({ id, type: 'complete' })
    await subscribe(
      Array.from({ length: 250 }, (_, at) => `d${at}`),
      (at) => 10 + at,
    )
    // the batches of one poll: 100, 100 and 50
    for (const cohorts of [100, 100, 50])
      await engine.observed('subscriptions-polled', (one) => one.cohorts === cohorts)
    socket.close()
    await socket.closed
  })

  test('serves REST endpoints and the queries of the allow-list', async () => {
    const query = 'query thing($id: Int!) { sv_thing_by_pk(id: $id) { name } }'
    await take('create_query_collection', { name: 'stored', definition: { queries: [{ name: 'thing', query }] } })
    await take('create_rest_endpoint', {
      name: 'thing',
      url: 'thing/:id',
      methods: ['GET'],
      definition: { query: { collection_name: 'stored', query_name: 'thing' } },
    })
    await take('mssql_create_select_permission', {
      source: 'ms',
      table: 'sv_thing',
      role: 'reader',
      permission: { columns: ['id', 'name'], filter: {} },
    })
    const rest = await served.engine.get('/api/rest/thing/2')
    assert.deepEqual([rest.status, rest.body], [200, { sv_thing_by_pk: { name: 'b' } }])
    const bad = await served.engine.get('/api/rest/thing/two')
    assert.ok(bad.status >= 400 && bad.status < 500, bad.text)
    const asReader = (text: string, variables = {}) =>
      served.engine.post('/v1/graphql', { query: text, variables }, { 'x-svc-role': 'reader' })
    assert.match((await asReader(query, { id: 2 })).text, /query is not allowed/)
    await take('add_collection_to_allowlist', { collection: 'stored' })
    assert.deepEqual((await asReader(query, { id: 2 })).body, { data: { sv_thing_by_pk: { name: 'b' } } })
  })

  test('whose login may only read serves reads, and says what it may not do', { skip: isReal }, async () => {
    const { double, engine, graphql } = served
    assert.ok(double)
    const trigger = {
      source: 'ms',
      name: 'watch',
      table: 'sv_thing',
      insert: { columns: '*' },
      webhook: 'http://127.0.0.1:1',
    }
    for (const [pattern, number, message] of [
      [/CREATE SCHEMA/, 262, "CREATE SCHEMA permission denied in database 'svc'."],
      [/CREATE TABLE \[svc_catalog\]/, 262, "CREATE TABLE permission denied in database 'svc'."],
      [/CREATE TRIGGER/, 8197, "The object 'dbo.sv_thing' does not exist or is invalid for this operation."],
    ] as const) {
      const met = double.when(pattern, { kind: 'error', number, message })
      const { status, body, text } = await engine.metadata('mssql_create_event_trigger', trigger)
      await met
      assert.ok(status >= 400 && status < 500, `${status} ${text}`)
      assert.ok(text.includes(message), text)
      assert.equal(typeof body.code, 'string')
      const sent: number = double.statements.length
      assert.deepEqual((await engine.metadata('get_inconsistent_metadata', {})).body, [])
      assert.equal(double.statements.length, sent)
      assert.ok(!(await engine.metadata('export_metadata', {})).text.includes('"watch"'))
      assert.deepEqual(JSON.parse(await graphql('{ sv_thing(where: {id: {_eq: 3}}) { name } }')), {
        data: { sv_thing: [{ name: 'c' }] },
      })
    }
    const met = double.when(/INSERT INTO \[dbo\]/, {
      kind: 'error',
      number: 229,
      message: 'The INSERT permission was denied',
    })
    const { errors } = JSON.parse(await graphql('mutation { insert_sv_thing(objects: [{id: 9}]) { affected_rows } }'))
    await met
    assert.equal(errors.length, 1)
    assert.equal(JSON.parse(await graphql('{ sv_thing { id } }')).data.sv_thing.length, 3)
  })

  test('answers every operation of its kind, valid or not, without an error of its own', async () => {
    const { engine } = served
    const table = 'sv_other'
    const source = 'ms'
    const wrong: readonly unknown[] = [
      null,
      {},
      [],
      { source: 'nowhere', name: 'x', table: 'x', sql: 'x' },
      { source, name: 'x', table: 'nowhere', role: 'r', permission: {}, sql: 'nonsense' },
      { source, table: { name: 1 }, name: '' },
      { source, table, name: 'a]b', role: 'x', using: { foreign_key_constraint_on: 'nothing' } },
      { source, table, role: 'r', permission: { columns: ['nothing'], filter: { nothing: { _eq: 1 } }, check: {} } },
    ]
    const failed: string[] = []
    for (const { name, kinds, at } of contractOperations) {
      if (!kinds.includes('mssql')) continue
      for (const args of wrong) {
        const { status, text } = await engine.post(at, { type: `mssql_${name}`, args })
        if (status >= 500) failed.push(`mssql_${name} ${JSON.stringify(args)}: ${status} ${text.slice(0, 200)}`)
      }
    }
    assert.deepEqual(failed, [])
  })
})
