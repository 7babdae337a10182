/**
 * Events of a source on SQL Server from a change to a webhook: on the double, or on the server of SVC_TEST_MSSQL_URL, which
 * alone says whether a real one runs the triggers as they are meant (docs/sql-server.md#what-no-server-has-confirmed).
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import mssql from 'mssql'
import { parseConnectionString } from '../../../engine/src/backends/mssql/connect/connection-string.ts'
import { type Receiver, startReceiver } from '../../events/receiver.ts'
import { type ServedSource, serveSource } from './served-source.ts'

const tables = ['ev_watched', 'ev_keyless', 'ev_dotted', 'ev_counted', 'ev_old', 'ev_place']
const setup = [
  `${tables.map((name) => `DROP TABLE IF EXISTS ${name}`).join(';\n')};
CREATE TABLE ev_watched (id int PRIMARY KEY, name nvarchar(50) NULL, price money NULL, big bigint NULL);
CREATE TABLE ev_keyless (n int NULL);
CREATE TABLE ev_dotted (id int PRIMARY KEY, [a.b] int NULL, [it's] nvarchar(20) NULL, [x]]y] int NULL);
CREATE TABLE ev_counted (id int IDENTITY(100, 1) PRIMARY KEY, name nvarchar(50) NULL);
CREATE TABLE ev_old (id int PRIMARY KEY, notes text NULL, name varchar(20) NULL);
CREATE TABLE ev_place (id int PRIMARY KEY, spot geography NULL)`,
]
const all = { columns: '*' }

suite('events of SQL Server', () => {
  let served: ServedSource
  let receiver: Receiver
  const ends: (() => Promise<void>)[] = []
  before(async () => {
    const t = { after: (end: () => Promise<void>) => void ends.push(end) }
    const env = { SVC_GRAPHQL_EVENTS_FETCH_INTERVAL: '20' }
    served = await serveSource(
      t,
      setup,
      tables.filter((name) => name !== 'ev_dotted'),
      {},
      { env },
    )
    receiver = await startReceiver(t)
    await take('mssql_track_table', {
      table: 'ev_dotted',
      configuration: {
        column_config: { 'a.b': { custom_name: 'a_b' }, "it's": { custom_name: 'its' }, 'x]y': { custom_name: 'xy' } },
      },
    })
  })
  after(async () => {
    for (const end of ends) await end()
  })

  const ask = async (type: string, args: object) => {
    const { status, body, text } = await served.engine.metadata(type, { source: 'ms', ...args })
    return { status, body, text }
  }
  const take = async (type: string, args: object) => {
    const { status, body, text } = await ask(type, args)
    assert.equal(status, 200, text)
    return body
  }
  const watch = (name: string, table: string, more: object = { insert: all, update: all, delete: all }) =>
    take('mssql_create_event_trigger', { name, table, webhook: `${receiver.url}/${name}`, ...more })
  const unwatch = (name: string) => take('mssql_delete_event_trigger', { name })
  /** What the next `count` events say, in no order. */
  const events = async (count: number) => {
    const found = []
    for (let i = 0; i < count; i++)
      found.push((await receiver.next()).text.replace(/^.*"event":(.*),"delivery_info".*$/s, '$1'))
    return found.sort()
  }
  const eventOf = (op: string, old: string, now: string) =>
    `{"op":"${op}","session_variables":null,"data":{"old":${old},"new":${now}},"trace_context":null}`

  test('of mutations and of other applications are delivered with every digit, and logged', async () => {
    await watch('watched', 'ev_watched')
    await served.graphql(
      'mutation { insert_ev_watched_one(object: {id: 1, name: "a", price: "0.0001", big: "9007199254740993"}) { id } }',
    )
    const { body, text } = await receiver.next()
    assert.match(body.id, /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/)
    assert.match(body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,7})?Z$/)
    assert.deepEqual(
      [body.trigger, body.table, body.delivery_info],
      [{ name: 'watched' }, { schema: 'dbo', name: 'ev_watched' }, { current_retry: 0, max_retries: 0 }],
    )
    const first = '{"id":1,"name":"a","price":0.0001,"big":9007199254740993}'
    assert.ok(text.includes(`"event":${eventOf('INSERT', 'null', first)}`), text)
    await served.graphql(
      'mutation { update_ev_watched(where: {}, _set: {big: "9223372036854775807"}) { affected_rows } }',
    )
    const second = '{"id":1,"name":"a","price":0.0001,"big":9223372036854775807}'
    assert.deepEqual(await events(1), [eventOf('UPDATE', first, second)])
    await served.runSql('DELETE FROM ev_watched')
    assert.deepEqual(await events(1), [eventOf('DELETE', second, 'null')])
    await served.engine.observed('event-attempted', (one) => one.event === body.id)
    for (;;) {
      const { event, invocations } = await take('mssql_get_event_by_id', { event_id: body.id })
      if (!event.delivered) continue
      assert.deepEqual([event.tries, event.error, event.locked, invocations.length], [1, false, null, 1])
      break
    }
    await unwatch('watched')
  })

  test('changes from NULL and to NULL are events, and those of nothing are not', async () => {
    await watch('watched', 'ev_watched', { update: { columns: ['name'], payload: ['name'] } })
    await served.runSql("INSERT INTO ev_watched (id, name) VALUES (1, NULL), (2, N'b'), (3, NULL), (4, N'd')")
    await served.runSql("UPDATE ev_watched SET name = N'a' WHERE id = 1")
    await served.runSql('UPDATE ev_watched SET name = NULL WHERE id = 2')
    await served.runSql('UPDATE ev_watched SET name = name, price = 1')
    // a collation may take these for the same
    await served.runSql("UPDATE ev_watched SET name = N'D' WHERE id = 4")
    await served.runSql("UPDATE ev_watched SET name = N'D ' WHERE id = 4")
    assert.deepEqual(await events(4), [
      eventOf('UPDATE', '{"name":"D"}', '{"name":"D "}'),
      eventOf('UPDATE', '{"name":"b"}', '{"name":null}'),
      eventOf('UPDATE', '{"name":"d"}', '{"name":"D"}'),
      eventOf('UPDATE', '{"name":null}', '{"name":"a"}'),
    ])
    await unwatch('watched')
    await served.runSql('DELETE FROM ev_watched')
  })

  test('a changed key is a new row, or the row that had it before in the same statement', async () => {
    await watch('watched', 'ev_watched', { update: { columns: ['id', 'name'], payload: ['id', 'name'] } })
    await served.runSql("INSERT INTO ev_watched (id, name) VALUES (1, N'a'), (2, N'b')")
    await served.runSql('UPDATE ev_watched SET id = id + 1')
    assert.deepEqual(await events(2), [
      eventOf('UPDATE', 'null', '{"id":3,"name":"b"}'),
      eventOf('UPDATE', '{"id":2,"name":"b"}', '{"id":2,"name":"a"}'),
    ])
    await unwatch('watched')
    await watch('watched', 'ev_watched', { update: { columns: ['name'], payload: ['id', 'name'] } })
    await served.runSql("UPDATE ev_watched SET id = 9, name = N'nobody listens to keys' WHERE id = 3")
    await served.runSql("UPDATE ev_watched SET name = N'c' WHERE id = 2")
    assert.deepEqual(await events(1), [eventOf('UPDATE', '{"id":2,"name":"a"}', '{"id":2,"name":"c"}')])
    await unwatch('watched')
    await served.runSql('DELETE FROM ev_watched')
  })

  test('a name with a dot is one name, and columns that are NULL are there', async () => {
    await watch('dotted', 'ev_dotted')
    await served.runSql(`INSERT INTO ev_dotted (id, [a.b], [it's]) VALUES (1, NULL, N'"q" \\ /'), (2, 7, NULL)`)
    const rows = (await events(2)).map((one) => JSON.parse(one).data.new)
    assert.deepEqual(rows, [
      { id: 1, 'a.b': null, "it's": '"q" \\ /', 'x]y': null },
      { id: 2, 'a.b': 7, "it's": null, 'x]y': null },
    ])
    await unwatch('dotted')
  })

  test('other applications feel nothing of a trigger: identities, row counts, results', async () => {
    const { server, port, user, password, database, encrypt, trustServerCertificate } = parseConnectionString(
      process.env.SVC_TEST_MSSQL_URL ?? served.double?.connectionString ?? '',
    )
    const options = { encrypt: encrypt === true, trustServerCertificate }
    const pool = new mssql.ConnectionPool({
      server,
      port: port ?? 1433,
      user,
      password,
      database: database ?? '',
      options,
    })
    await pool.connect()
    const seen = async () => {
      const { recordsets, rowsAffected } = await pool
        .request()
        .batch(`INSERT INTO ev_counted (name) VALUES (N'a'), (N'b'), (N'c');
SELECT @@ROWCOUNT AS [count], @@IDENTITY - IDENT_CURRENT('ev_counted') AS [behind], SCOPE_IDENTITY() - IDENT_CURRENT('ev_counted') AS [scope];
UPDATE ev_counted SET name = NULL;
SELECT @@ROWCOUNT AS [count];
UPDATE ev_counted SET name = N'x' WHERE name = N'nobody';
DELETE FROM ev_counted;
SELECT @@ROWCOUNT AS [count]`)
      return { recordsets, rowsAffected }
    }
    const without = await seen()
    assert.deepEqual(without.rowsAffected, [3, 1, 3, 1, 0, 3, 1])
    await watch('counted', 'ev_counted')
    assert.deepEqual(await seen(), without)
    assert.equal((await events(9)).length, 9)
    await pool.close()
    await unwatch('counted')
  })

  test('of a statement that is rolled back there are none', async () => {
    await watch('undone', 'ev_watched')
    await served.graphql('mutation { insert_ev_watched(objects: [{id: 5}, {id: 5}]) { affected_rows } }')
    const sql = 'INSERT INTO ev_watched (id) VALUES (1); INSERT INTO ev_watched (id) VALUES (2), (2)'
    await assert.rejects(() => served.runSql(sql), /PRIMARY KEY/)
    await served.runSql('INSERT INTO ev_watched (id) VALUES (3)')
    const logged: { payload: { data: { new: { id: number } } } }[] = await take('mssql_get_event_logs', {
      name: 'undone',
    })
    assert.deepEqual(
      logged.map(({ payload }) => payload.data.new.id),
      [3],
    )
    await events(1)
    await unwatch('undone')
    await served.runSql('DELETE FROM ev_watched')
  })

  test('columns that no trigger can read are left out; what cannot be watched is refused', async () => {
    await watch('old', 'ev_old')
    await served.runSql(
      "INSERT INTO ev_old (id, notes, name) VALUES (1, 'long', 'a'); UPDATE ev_old SET notes = 'longer', name = 'b'",
    )
    assert.deepEqual(await events(2), [
      eventOf('INSERT', 'null', '{"id":1,"name":"a"}'),
      eventOf('UPDATE', '{"id":1,"name":"a"}', '{"id":1,"name":"b"}'),
    ])
    await unwatch('old')
    for (const [table, operations, message] of [
      [
        'ev_place',
        { insert: all },
        /^Event triggers for MS-SQL sources are not supported on tables having Geometry or Geography/,
      ],
      [
        'ev_keyless',
        { update: all },
        /^Update event triggers for MS-SQL sources are only supported on tables with primary keys/,
      ],
    ] as const) {
      const { status, body } = await ask('mssql_create_event_trigger', {
        name: 'refused',
        table,
        webhook: receiver.url,
        ...operations,
      })
      assert.equal(status, 400)
      assert.match(JSON.stringify(body), new RegExp(message.source.slice(1)))
    }
    await watch('keyless', 'ev_keyless', { insert: all, delete: all })
    await served.runSql('INSERT INTO ev_keyless VALUES (1); DELETE FROM ev_keyless')
    assert.deepEqual(await events(2), [eventOf('DELETE', '{"n":1}', 'null'), eventOf('INSERT', 'null', '{"n":1}')])
    await unwatch('keyless')
  })

  test('that fail are tried again, then given up, and redelivered and cleaned on demand', async () => {
    await watch('tried', 'ev_watched', {
      insert: all,
      enable_manual: true,
      retry_conf: { num_retries: 1, interval_sec: 0 },
    })
    receiver.answer(() => ({ status: 500 }))
    const { event_id } = await take('mssql_invoke_event_trigger', { name: 'tried', payload: { by: 'hand' } })
    const tries = [await receiver.next(), await receiver.next()].map(({ body }) => body.delivery_info.current_retry)
    assert.deepEqual(tries, [0, 1])
    await served.engine.observed('event-attempted', (one) => one.event === event_id && one.outcome === 'failed')
    receiver.answer(() => ({ status: 200 }))
    for (;;) {
      const { status, body } = await ask('mssql_redeliver_event', { event_id })
      if (status === 200) break
      assert.equal(body.code, 'busy')
    }
    const again = (await receiver.next()).body
    assert.deepEqual(
      [again.id, again.event.op, again.event.data],
      [event_id, 'MANUAL', { old: null, new: { by: 'hand' } }],
    )
    await served.engine.observed('event-attempted', (one) => one.event === event_id && one.outcome === 'delivered')
    for (;;) {
      const { event } = await take('mssql_get_event_by_id', { event_id })
      if (event.delivered && event.locked === null) break
    }
    const logs = await take('mssql_get_event_invocation_logs', { name: 'tried' })
    assert.deepEqual(
      logs
        .filter((one: { event_id: string }) => one.event_id === event_id)
        .map((one: { http_status: number }) => one.http_status)
        .sort(),
      [200, 500, 500],
    )
    await served.runSql("UPDATE svc_catalog.event_log SET created_at = '2000-01-01T00:00:00+00:00'")
    const clean = { event_trigger_name: 'tried', clear_older_than: 1, clean_invocation_logs: true }
    await take('mssql_cleanup_event_trigger_logs', clean)
    assert.deepEqual(await take('mssql_get_event_logs', { name: 'tried' }), [])
    assert.deepEqual(await take('mssql_get_event_invocation_logs', { name: 'tried' }), [])
    await unwatch('tried')
  })
})
