import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPgBouncerInstalled, startPgBouncer } from '../../../../../test/pgbouncer.ts'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { unless } from '../../../../../test/requirement.ts'
import { Path } from '../../../errors.ts'
import type { Observation } from '../../../observe/index.ts'
import { PostgresSource } from './postgres-source.ts'
import { settingsFor } from './settings.fixture.ts'
import { administrator, openSource, plan, refusal } from './source.fixture.ts'

const skip = unless('pgbouncer', isPgBouncerInstalled, 'needs the package pgbouncer')

test('through PgBouncer in transaction mode every query is answered rightly', { skip }, async (t) => {
  const { url } = await createTestDatabase(t)
  const poolers = [
    await startPgBouncer(url, 3, t),
    // it throws away after each transaction what a session may hold
    await startPgBouncer(url, 3, t, ['server_reset_query_always = 1']),
  ]
  const plans = Array.from({ length: 5 }, (_, i) => plan(`SELECT '${i} ' || ($1)::text`, 1))
  for (const [pooler, usePreparedStatements] of poolers.flatMap((each) => [
    [each, true] as const,
    [each, false] as const,
  ])) {
    const reported: Observation[] = []
    const source = new PostgresSource(settingsFor(pooler.url, { usePreparedStatements }), (o) => reported.push(o))
    for (let round = 0; round < 8; round++) {
      const asked = Array.from({ length: 50 }, (_, i) => i)
      const answers = await Promise.all(
        asked.map((i) => source.query(plans[i % plans.length] ?? plan('SELECT $1', 1), [`${round} ${i}`])),
      )
      assert.deepEqual(
        answers.map(String),
        asked.map((i) => `${i % plans.length} ${round} ${i}`),
      )
    }
    // with statements prepared their loss is noticed, and reported once at most
    const off = { kind: 'prepared-statements-off', source: 'default' }
    assert.deepEqual(reported, usePreparedStatements ? reported.slice(0, 1).map(() => off) : [])
    await source.close()
  }
})

test('a pooler that takes fewer clients than a source may have connections is shared by all requests', {
  skip,
}, async (t) => {
  const pooler = await startPgBouncer((await createTestDatabase(t)).url, 3, t, ['max_client_conn = 2'])
  const settings = settingsFor(pooler.url, { usePreparedStatements: false, maxConnections: 10 })
  const source = new PostgresSource(settings, () => {})
  t.after(() => source.close())
  const slow = plan('SELECT pg_sleep(0.01)::text || $1', 1)
  const asked = Array.from({ length: 50 }, (_, i) => String(i))
  assert.equal((await source.query(slow, ['first'])).toString(), 'first')
  assert.deepEqual((await Promise.all(asked.map((i) => source.query(slow, [i])))).map(String), asked)
  // two of them are all it takes, and another source gets none
  const other = new PostgresSource(settings, () => {})
  t.after(() => other.close())
  const refused = {
    code: 'postgres-max-connections-error',
    status: 500,
    path: '$',
    message: 'max connections reached on postgres',
  }
  assert.deepEqual(await refusal(other.query(slow, ['x'])), refused)
})

test('a pooler that restarts under load is waited for', { skip }, async (t) => {
  const pooler = await startPgBouncer((await createTestDatabase(t)).url, 3, t)
  const source = new PostgresSource(settingsFor(pooler.url, { usePreparedStatements: false }), () => {})
  t.after(() => source.close())
  const echo = plan('SELECT $1', 1)
  let isOver = false
  const ask = async (client: number) => {
    for (let i = 0, isLast = false; !isLast; i++) {
      isLast = isOver
      assert.equal((await source.query(echo, [`${client} ${i}`])).toString(), `${client} ${i}`)
    }
  }
  await source.query(echo, ['there'])
  const clients = Promise.all(Array.from({ length: 20 }, (_, client) => ask(client)))
  try {
    for (let i = 0; i < 3; i++) await Promise.race([pooler.restart(), clients])
  } finally {
    isOver = true
  }
  await clients
})

test('what a source sets reaches all its statements, and no other client behind the pooler', { skip }, async (t) => {
  const { url } = await createTestDatabase(t)
  await administrator(
    url,
  )(`CREATE SCHEMA ext; CREATE FUNCTION ext.extra() RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT ''there''';
    DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET extra_float_digits = -5', current_database());
      EXECUTE format('ALTER DATABASE %I SET bytea_output = escape', current_database()); END $$`)
  const pooler = await startPgBouncer(url, 2, t)
  const shown = [
    ['jit', 'off', 'on'],
    ['extra_float_digits', '1', '-5'],
    ['bytea_output', 'hex', 'escape'],
  ] as const
  const show = plan(
    `SELECT json_build_array(current_setting('transaction_isolation'), ext.extra(), extra(), ${shown.map(([name]) => `current_setting('${name}')`)})::text WHERE $1 <> ''`,
    1,
  )
  for (const isolationLevel of ['read-committed', 'repeatable-read'] as const) {
    const { source } = await openSource(t, pooler.url, {
      isolationLevel,
      extensionsSchema: 'ext',
      usePreparedStatements: false,
    })
    const expected = [isolationLevel.replace('-', ' '), 'there', 'there', ...shown.map(([, value]) => value)]
    const found = async () => [
      ...(await Promise.all(Array.from({ length: 20 }, () => source.query(show, ['x'])))),
      (await source.queryRows(show, ['x']))[0]?.[0],
      (await source.runTransaction([{ plan: show, parameters: ['x'] }]))[0],
      await source.transaction((tx) => tx.query(show, ['x'])),
    ]
    for (let round = 0; round < 5; round++)
      for (const each of await found()) assert.deepEqual(JSON.parse(String(each)), expected)
    assert.equal(String(await source.query(show, [''])), 'null')
    await assert.rejects(source.query(plan('SELECT 1 / ($1)::int', 1), ['0']), { code: 'data-exception' })
    assert.ok((await source.introspect(null)).serverVersion > 0)
    assert.equal(
      (await source.checkQueries([{ parts: [{ kind: 'sql', text: 'SELECT extra()' }], arguments: {} }], () => null))[0]
        ?.status,
      'ok',
    )
    await source.runSql({ sql: 'SET work_mem = 12345', readOnly: false, noTransaction: false }, Path.root, null)
    await source.runSql({ sql: 'SET work_mem = 12345', readOnly: true, noTransaction: false }, Path.root, null)
    await source.runSql({ sql: 'SET work_mem = 12345', readOnly: false, noTransaction: true }, Path.root, null)
    // others find every session of the pooler as it was
    const other = `SELECT pg_sleep(0.05), current_setting('search_path') AS path, current_setting('work_mem') AS memory,
      current_setting('default_transaction_isolation') AS isolation, ${shown.map(([name]) => `current_setting('${name}') AS ${name}`)}`
    const seen = await Promise.all(Array.from({ length: 4 }, () => administrator(pooler.url)(other)))
    for (const [row] of seen) {
      const { path, memory, isolation, ...rest } = row ?? {}
      assert.deepEqual([path, isolation, memory === '12345kB'], ['"$user", public', 'read committed', false])
      for (const [name, , original] of shown) assert.equal(rest[name], original)
    }
  }
})
