import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect as connectTo, createServer } from 'node:net'
import { before, test } from 'node:test'
import { startDyingServer } from '../../../../../test/dying-server.ts'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { Path } from '../../../errors.ts'
import { SourceUnavailable } from '../../backend.ts'
import { connect } from './connect.ts'
import { PostgresSource } from './postgres-source.ts'
import { settingsFor } from './settings.fixture.ts'
import { administrator, openSource, plan, refusal, untilShared } from './source.fixture.ts'

let url: string
let administrate: (script: string) => Promise<readonly Record<string, unknown>[]>
before(async () => {
  url = (await createTestDatabase()).url
  administrate = administrator(url)
  await administrate('CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)')
})

test('the bytes come as the database sent them, however long, and NULL is null', async (t) => {
  const { source } = await openSource(t, url)
  const echo = plan('SELECT ($1)::text', 1)
  for (const text of ['{"a" : "é😀"}', '', 'x'.repeat(3_000_000)])
    assert.equal((await source.query(echo, [text])).toString(), text)
  // made bytes in pieces, which end inside of no character
  const long = `x${'é😀'.repeat(600_000)}`
  assert.equal((await source.query(plan('SELECT ($1)::text || ($2)::text', 2), [long, 'y'])).toString(), `${long}y`)
  const bound = { plan: plan('SELECT ($1)::text || ($2)::text', 2), parameters: ['y', long] }
  assert.equal((await source.runTransaction([bound]))[0]?.toString(), `y${long}`)
  assert.equal((await source.query(echo, [null])).toString(), 'null')
  assert.equal((await source.query(plan('SELECT 1 WHERE false'), [])).toString(), 'null')
})

test('an error of the database is reported with its code, and the statement works again afterwards', async (t) => {
  const { source } = await openSource(t, url, { maxConnections: 1 })
  const divide = plan('SELECT (1 / ($1)::int)::text', 1)
  const bad = { code: 'data-exception', status: 400, path: '$', message: 'division by zero' }
  for (let i = 0; i < 3; i++) {
    assert.deepEqual(await refusal(source.query(divide, ['0'])), bad)
    assert.equal((await source.query(divide, ['1'])).toString(), '1')
  }
})

test('the end of a refused statement is not taken for the end of the next one', async (t) => {
  const { source } = await openSource(t, url, { maxConnections: 1 })
  const echo = plan('SELECT ($1)::text', 1)
  for (let i = 0; i < 300; i++) {
    await assert.rejects(source.explain('SELECT nothing'))
    assert.equal((await source.query(echo, [String(i)])).toString(), String(i))
  }
})

test('small plans come to share one connection, and an error of one is no other one’s', async (t) => {
  const { source, connections } = await openSource(t, url)
  const divide = plan('SELECT (10 / ($1)::int)::text', 1)
  for (let i = 0; i < 50; i++) await source.query(divide, ['5'])
  await source.query(divide, ['5'])
  const answers = await Promise.allSettled(Array.from({ length: 300 }, (_, i) => source.query(divide, [String(i % 3)])))
  for (const [i, answer] of answers.entries()) {
    if (i % 3 === 0) assert.equal(answer.status, 'rejected')
    else assert.ok(answer.status === 'fulfilled' && answer.value.toString() === String(10 / (i % 3)))
  }
  assert.ok((await connections()).length <= 5)
})

test('connections that were lost are replaced, and what was under way is sent again', async (t) => {
  const { source, terminate, connections } = await openSource(t, url)
  const one = plan('SELECT id::text FROM t')
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 20; i++) assert.equal((await source.query(one, [])).toString(), '1')
    assert.ok((await connections()).length > 0)
    await terminate()
  }
  // in the middle of a statement that takes until it is terminated, once
  const marked = plan(`SELECT CASE WHEN nextval('runs') = 1 THEN pg_sleep(60)::text ELSE 'again' END`)
  await administrate('CREATE SEQUENCE runs')
  const answer = source.query(marked, [])
  while ((await administrate('SELECT is_called FROM runs'))[0]?.is_called === false);
  await terminate()
  assert.equal((await answer).toString(), 'again')
})

test('what a volatile function was asked is not asked again when its connection is lost', async (t) => {
  const { source, terminate } = await openSource(t, url)
  await administrate('CREATE SEQUENCE calls')
  const slow = { ...plan(`SELECT nextval('calls')::text || pg_sleep(60)::text`), effects: 'unknown' as const }
  const answer = refusal(source.query(slow, []))
  while ((await administrate('SELECT is_called FROM calls'))[0]?.is_called === false);
  await terminate()
  assert.equal((await answer).message, 'connection error')
  const [{ last_value } = { last_value: null }] = await administrate('SELECT last_value::int FROM calls')
  assert.equal(last_value, 1)
})

test('a connection that ends right behind an answer spoils neither the answer nor the process', async (t) => {
  const server = await startDyingServer(url, t)
  // the pool alone, and the pool with the lane
  for (const maxConnections of [1, 2]) {
    const source = new PostgresSource(settingsFor(server.url, { maxConnections }), () => {})
    t.after(() => source.close())
    const one = plan('SELECT id::text FROM t')
    for (let i = 0; i < 50; i++) await source.query(one, [])
    for (let i = 0; i < 3; i++) {
      const struck = server.strike()
      assert.equal((await source.query(one, [])).toString(), '1')
      await struck
      assert.equal((await source.query(one, [])).toString(), '1')
    }
  }
})

test('an aborted query is cancelled in the database, and its neighbours are not', async (t) => {
  const { source, connections } = await openSource(t, url)
  const slow = plan('SELECT pg_sleep(60)::text')
  const patient = source.query(plan(`SELECT pg_sleep(0.5)::text || 'done'`), [])
  const controller = new AbortController()
  const started = performance.now()
  const cut = source.query(slow, [], controller.signal)
  while (!(await connections()).some(({ query }) => query === slow.text));
  controller.abort(new Error('the client left'))
  await assert.rejects(cut, { message: 'the client left' })
  assert.ok(performance.now() - started < 30_000)
  assert.equal((await patient).toString(), 'done')
  await assert.rejects(source.query(slow, [], AbortSignal.abort(new Error('left before'))), { message: 'left before' })
  assert.equal((await source.query(plan(`SELECT 'next'`), [])).toString(), 'next')
})

test('an aborted query is cancelled although the database did not receive it the first time', async (t) => {
  const { hostname, port } = new URL(url)
  let requests = 0
  // a server that has not begun with a statement forgets a request to cancel it
  const server = createServer((client) => {
    const database = connectTo(Number(port), hostname)
    client.once('data', (first) => {
      const isCancel = first.length === 16 && first.readInt32BE(4) === 80877102
      if (isCancel) requests += 1
      if (isCancel && requests === 1) return void client.end()
      database.write(first)
      client.pipe(database).pipe(client)
    })
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      one.on('error', () => {})
      one.on('close', () => other.destroy())
    }
  }).listen(0, '127.0.0.1')
  t.after(() => void server.close())
  await once(server, 'listening')
  const through = new URL(url)
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const { source, connections } = await openSource(t, through.href)
  const controller = new AbortController()
  const cut = source.query(plan('SELECT pg_sleep(60)::text'), [], controller.signal)
  while (!(await connections()).some(({ query }) => String(query).includes('pg_sleep')));
  controller.abort(new Error('the client left'))
  await assert.rejects(cut, { message: 'the client left' })
  assert.equal(
    (await connections()).some(({ query }) => String(query).includes('pg_sleep')),
    false,
  )
  assert.equal(requests, 2)
})

test('who leaves while small queries wait on their shared connection has none of them cancelled', async (t) => {
  const { source } = await openSource(t, url, { maxConnections: 2 })
  const echo = plan(`SELECT CASE $1 WHEN 'long' THEN pg_sleep(0.3)::text || $1 ELSE $1 END`, 1)
  await untilShared(source, 2, () => source.query(echo, ['x']))
  const controller = new AbortController()
  const ask = (mark: string, signal?: AbortSignal) => source.query(echo, [mark], signal).then(String)
  const patient = [ask('a'), ask('long'), ask('b')]
  const leaving = ask('leaving', controller.signal).catch(() => 'left')
  patient.push(ask('c'))
  controller.abort(new Error('the client left'))
  assert.deepEqual(await Promise.all(patient), ['a', 'long', 'b', 'c'])
  await leaving
})

test('who waits longer for a connection than pool_timeout is refused with 500', async (t) => {
  const { source } = await openSource(t, url, { maxConnections: 1, poolTimeout: 0.3 })
  const tooBusy = {
    code: 'postgres-max-connections-error',
    status: 500,
    path: '$',
    message: 'max connections reached on postgres',
  }
  // on a busy machine the making of the one connection may take that long too
  const isThere = () => source.query(plan('SELECT 1'), []).then(Boolean, () => false)
  while (!(await isThere()));
  const controller = new AbortController()
  const long = source.query(plan('SELECT pg_sleep(60)::text'), [], controller.signal)
  assert.deepEqual(await refusal(source.query(plan('SELECT 1'), [])), tooBusy)
  controller.abort(new Error('the client left'))
  await assert.rejects(long, { message: 'the client left' })
})

test('a connection that a request always waits for ends at its lifetime, too', async (t) => {
  const { source } = await openSource(t, url, { maxConnections: 1, connectionLifetime: 0.2 })
  const backend = plan('SELECT pg_backend_pid()::text')
  const seen = new Set<string>()
  const ask = async () => {
    for (const until = performance.now() + 30_000; seen.size < 2 && performance.now() < until; )
      seen.add((await source.query(backend, [])).toString())
  }
  // one asks while the other has the connection
  await Promise.all([ask(), ask()])
  assert.ok(seen.size >= 2)
})

test('when another client deallocates prepared statements they are not used any more, which is reported once', async (t) => {
  const { source, reported } = await openSource(t, url, { maxConnections: 1 })
  await administrate(
    `CREATE FUNCTION forget() RETURNS text LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'DEALLOCATE ALL'; RETURN 'gone'; END $$`,
  )
  const [one, two] = [plan(`SELECT 'one'`), plan(`SELECT 'two'`)]
  for (const each of [one, two]) await source.query(each, [])
  assert.equal((await source.query(plan('SELECT forget()'), [])).toString(), 'gone')
  for (const [each, text] of [
    [one, 'one'],
    [two, 'two'],
    [one, 'one'],
  ] as const)
    assert.equal((await source.query(each, [])).toString(), text)
  assert.deepEqual(reported, [{ kind: 'prepared-statements-off', source: 'default' }])
})

test('without prepared statements nothing is left prepared at the server', async (t) => {
  const prepared = plan('SELECT count(*)::text FROM pg_prepared_statements')
  const count = async (usePreparedStatements: boolean) => {
    const { source } = await openSource(t, url, { maxConnections: 1, usePreparedStatements })
    await source.query(plan('SELECT 1'), [])
    return (await source.query(prepared, [])).toString()
  }
  assert.equal(await count(false), '0')
  assert.equal(await count(true), '2')
})

test('statements run above read-committed when the source wants it', async (t) => {
  const level = plan(`SELECT current_setting('transaction_isolation')`)
  for (const [isolationLevel, text] of [
    ['read-committed', 'read committed'],
    ['repeatable-read', 'repeatable read'],
    ['serializable', 'serializable'],
  ] as const) {
    const { source } = await openSource(t, url, { isolationLevel })
    assert.equal((await source.query(level, [])).toString(), text)
  }
})

test('the schema of extensions is appended to the search path', async (t) => {
  const { source } = await openSource(t, url, { extensionsSchema: 'ext "x"' })
  assert.match((await source.query(plan('SHOW search_path'), [])).toString(), /public, "ext ""x"""$/)
})

test('explain gives the lines of the plan', async (t) => {
  const { source } = await openSource(t, url)
  const lines = await source.explain('SELECT id FROM t WHERE id = 1')
  assert.match(lines[0] ?? '', /^(Index|Seq|Bitmap)/)
  assert.deepEqual((await refusal(source.explain('SELECT nothing'))).code, 'unexpected')
})

test('what cannot be connected is a SourceUnavailable that says why', async () => {
  const wrong = new URL(url)
  wrong.password = 'wrong'
  const nowhere = new URL(url)
  nowhere.pathname = '/not_there'
  const closed = new URL(url)
  closed.port = '1'
  for (const [bad, reason] of [
    [wrong, /password authentication failed/],
    [nowhere, /database "not_there" does not exist/],
    [closed, /ECONNREFUSED/],
  ] as const)
    await assert.rejects(
      connect(settingsFor(bad.href), () => {}),
      (error) => {
        assert.ok(error instanceof SourceUnavailable)
        assert.match(error.message, reason)
        return true
      },
    )
})

test('closing waits for what runs', async (t) => {
  const { source } = await openSource(t, url)
  const running = source.query(plan(`SELECT pg_sleep(0.3)::text || 'done'`), [])
  await source.query(plan('SELECT 1'), [])
  await source.close()
  assert.equal((await running).toString(), 'done')
})

test('statements lost in the lane are sent again, and no more prepared', async (t) => {
  const { source, reported } = await openSource(t, url, { maxConnections: 2 })
  await administrate(
    `CREATE FUNCTION forget(at text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN IF at = 'now' THEN EXECUTE 'DEALLOCATE ALL'; END IF; RETURN at; END $$`,
  )
  const [one, forget] = [plan(`SELECT 'one'`), plan('SELECT forget($1)', 1)]
  // both in the lane, unless a busy machine makes one of them leave it again before it is asked
  while (reported.length === 0) {
    for (const ask of [() => source.query(one, []), () => source.query(forget, ['later'])])
      await untilShared(source, 2, ask)
    const asked = [source.query(forget, ['now']), ...[1, 2, 3].map(() => source.query(one, []))]
    assert.deepEqual((await Promise.all(asked)).map(String), ['now', 'one', 'one', 'one'])
  }
  assert.deepEqual(reported, [{ kind: 'prepared-statements-off', source: 'default' }])
})

test('the grants that docs/postgresql.md names suffice', async (t) => {
  const role = `svc_least_${process.pid}`
  await administrate(`CREATE TABLE granted (id serial PRIMARY KEY, a int); INSERT INTO granted (a) VALUES (5);
    CREATE TABLE other (id int); CREATE ROLE ${role} LOGIN PASSWORD 'p'; GRANT USAGE ON SCHEMA public TO ${role};
    GRANT SELECT, INSERT ON granted TO ${role}; GRANT USAGE ON SEQUENCE granted_id_seq TO ${role}`)
  const asRole = new URL(url)
  asRole.username = role
  asRole.password = 'p'
  const source = new PostgresSource(settingsFor(asRole.href), () => {})
  t.after(async () => {
    await source.close()
    await administrate(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
  })
  const { tables } = await source.introspect(null)
  assert.ok(tables.has('public.other'))
  assert.equal((await source.query(plan('SELECT sum(a)::text FROM granted'), [])).toString(), '5')
  assert.equal((await refusal(source.query(plan('SELECT id::text FROM other'), []))).message, 'database query error')
  const insert = plan('INSERT INTO granted (a) VALUES (6) RETURNING id::text')
  assert.deepEqual(
    (await source.runTransaction([{ plan: { ...insert, effects: 'writes' }, parameters: [] }])).map(String),
    ['2'],
  )
  const script = { sql: 'SELECT count(*) FROM granted', readOnly: false, noTransaction: false }
  assert.deepEqual(await source.runSql(script, Path.root, null), {
    result_type: 'TuplesOk',
    result: [['count'], ['2']],
  })
})
