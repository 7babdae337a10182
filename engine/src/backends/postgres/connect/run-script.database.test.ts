import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { ApiError, Path } from '../../../errors.ts'
import type { Introspection } from '../../backend.ts'
import { PostgresSource } from './postgres-source.ts'
import { settingsFor } from './settings.fixture.ts'

let source: PostgresSource
before(async () => {
  const { url } = await createTestDatabase()
  source = new PostgresSource(settingsFor(url), () => {})
})
after(() => source.close())

const path = Path.root.at('args')
const run = (
  sql: string,
  over: { readOnly?: boolean; noTransaction?: boolean } = {},
  inspect: Parameters<PostgresSource['runSql']>[2] = null,
) => source.runSql({ sql, readOnly: false, noTransaction: false, ...over }, path, inspect)

async function refusal(sql: string, over: { readOnly?: boolean; noTransaction?: boolean } = {}): Promise<ApiError> {
  const error: unknown = await run(sql, over).catch((caught: unknown) => caught)
  assert.ok(error instanceof ApiError, String(error))
  return error
}

const done = { result_type: 'CommandOk', result: null }

test('the last statement decides: rows with a header as text, NULL as a word, or that it is done', async () => {
  assert.deepEqual(
    await run(`CREATE TABLE a (i int, b bool, t timestamptz); INSERT INTO a VALUES (1, true, null); SELECT * FROM a`),
    {
      result_type: 'TuplesOk',
      result: [
        ['i', 'b', 't'],
        ['1', 't', 'NULL'],
      ],
    },
  )
  assert.deepEqual(await run('SELECT 1 AS x WHERE false'), { result_type: 'TuplesOk', result: [['x']] })
  assert.deepEqual(await run('SELECT 1; CREATE TABLE b ()'), done)
  assert.deepEqual(await run('SELECT 1; UPDATE a SET i = 2'), done)
  assert.deepEqual(await run('UPDATE a SET i = 3 RETURNING i'), { result_type: 'TuplesOk', result: [['i'], ['3']] })
  assert.deepEqual(await run('CREATE TABLE c AS SELECT * FROM a'), done)
  assert.deepEqual(await run('-- nothing'), done)
  assert.deepEqual(await run('SELECT 1 AS a, 2 AS a'), {
    result_type: 'TuplesOk',
    result: [
      ['a', 'a'],
      ['1', '2'],
    ],
  })
})

test('an error rolls everything back and says what the database said', async () => {
  const script = 'CREATE TABLE gone (id int); SELECT nonsense'
  const error = await refusal(script)
  assert.deepEqual(
    [error.code, error.status, error.path.toString(), error.message],
    ['postgres-error', 400, '$.args', 'query execution failed'],
  )
  assert.deepEqual(error.internal, {
    statement: script,
    prepared: false,
    arguments: [],
    error: {
      exec_status: 'PGRES_FATAL_ERROR',
      hint: null,
      message: 'column "nonsense" does not exist',
      status_code: '42703',
      description: null,
    },
  })
  assert.deepEqual(await run(`SELECT to_regclass('gone')`), {
    result_type: 'TuplesOk',
    result: [['to_regclass'], ['NULL']],
  })
})

test('an error that only shows at the end is reported too', async () => {
  await run('CREATE TABLE d (id int PRIMARY KEY, d int REFERENCES d DEFERRABLE INITIALLY DEFERRED)')
  assert.equal((await refusal('INSERT INTO d VALUES (1, 2)')).code, 'postgres-error')
  assert.deepEqual(await run('SELECT count(*) FROM d'), { result_type: 'TuplesOk', result: [['count'], ['0']] })
})

test('read_only writes nothing, no_transaction runs what refuses a transaction', async () => {
  const error = await refusal('CREATE TABLE e (id int)', { readOnly: true })
  assert.match(JSON.stringify(error.internal), /read-only transaction/)
  assert.match(
    JSON.stringify((await refusal('CREATE TABLE e (id int)', { readOnly: true, noTransaction: true })).internal),
    /read-only/,
  )
  assert.match(JSON.stringify((await refusal('VACUUM')).internal), /25001/)
  assert.deepEqual(await run('VACUUM', { noTransaction: true }), done)
  const indexed = 'CREATE TABLE n (i int); CREATE INDEX CONCURRENTLY n_i ON n (i)'
  assert.match(JSON.stringify((await refusal(indexed)).internal), /25001/)
  assert.deepEqual(await run(indexed, { noTransaction: true }), done)
})

test('no script gets out of read_only', async () => {
  await run(
    'CREATE TABLE kept (id int); CREATE PROCEDURE leave() LANGUAGE plpgsql AS $$ BEGIN COMMIT; CREATE TABLE left_behind (); END $$',
  )
  const write = 'INSERT INTO kept VALUES (1)'
  const scripts = [
    `COMMIT; ${write}`,
    `ROLLBACK; ${write}`,
    `COMMIT; BEGIN READ WRITE; ${write}; COMMIT`,
    `COMMIT AND CHAIN; SET TRANSACTION READ WRITE; ${write}; COMMIT`,
    `SET TRANSACTION READ WRITE; ${write}`,
    `SET transaction_read_only = off; ${write}`,
    `SET default_transaction_read_only = off; COMMIT; ${write}`,
    `SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE; COMMIT; ${write}`,
    `SELECT set_config('transaction_read_only', 'off', false); ${write}`,
    `SAVEPOINT a; SET TRANSACTION READ WRITE; ${write}`,
    `/* a */ COMMIT /* ; */; ${write}`,
    `DO $$ BEGIN COMMIT; ${write}; END $$`,
    'CALL leave()',
    // what is taken for one statement here and for two there
    `SELECT U&'\\' ; COMMIT; ${write} --'`,
    `SELECT $a$;$a$; CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; END; COMMIT; ${write}`,
  ]
  for (const script of scripts)
    for (const noTransaction of [false, true]) {
      const outcome = await run(script, { readOnly: true, noTransaction }).catch((error: unknown) => error)
      assert.ok(outcome instanceof ApiError || script.includes('U&'), script)
      assert.deepEqual(
        await run('SELECT count(*) FROM kept'),
        { result_type: 'TuplesOk', result: [['count'], ['0']] },
        script,
      )
    }
  assert.deepEqual(
    await run(`BEGIN; SELECT 1 AS a; COMMIT; SELECT id, 2 AS b FROM kept; SELECT NULL AS c -- last`, {
      readOnly: true,
    }),
    {
      result_type: 'TuplesOk',
      result: [['c'], ['NULL']],
    },
  )
  assert.deepEqual(await run(`SELECT 1; SET work_mem = '5MB'`, { readOnly: true }), done)
  assert.deepEqual(await run(`-- nothing`, { readOnly: true }), done)
})

test('whatever a script leaves behind touches no later one', async () => {
  for (const script of [
    'BEGIN',
    'COMMIT',
    'ROLLBACK; BEGIN; BEGIN',
    `SET search_path = nowhere`,
    'SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY',
    'LISTEN x',
    'PREPARE p AS SELECT 1',
    'DEALLOCATE ALL',
    'CREATE TEMPORARY TABLE f (other int)',
    'SELECT pg_advisory_lock(7)',
    'SET ROLE pg_read_all_data',
    `SELECT set_config('svc.other', 'x', false)`,
  ])
    await run(script)
  assert.deepEqual(await run('CREATE TABLE f (id int); SELECT * FROM f'), { result_type: 'TuplesOk', result: [['id']] })
  assert.ok((await source.introspect(null)).tables.has('public.f'))
  const left = `SELECT current_user, coalesce(current_setting('svc.other', true), ''), count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`
  const { result } = await run(left)
  assert.deepEqual(result?.[1], ['postgres', '', '0'])
})

test('a session that a script leaves clean is used again, one that it has loaded libraries into is not', async () => {
  const process = async (more = '') => (await run(`${more}SELECT pg_backend_pid()`)).result?.[1]?.[0]
  const first = await process()
  await source.introspect(null)
  assert.equal(await process(), first)
  assert.equal(await process(`LOAD 'plpgsql'; `), first)
  const second = await process()
  assert.notEqual(second, first)
  assert.equal(await process('SELECT setseed(0.5); '), second)
  assert.notEqual(await process(), second, 'others would be given the same random numbers each time')
})

for (const [left, script, look, clean] of [
  ['a role', 'SET ROLE pg_read_all_data', 'SELECT current_user', 'postgres'],
  ['an authorization', 'SET SESSION AUTHORIZATION pg_read_all_data', 'SELECT session_user', 'postgres'],
  ['a temporary table', 'CREATE TEMPORARY TABLE gone ()', `SELECT coalesce(to_regclass('gone')::text, '')`, ''],
  [
    'a lock',
    'SELECT pg_advisory_lock(9)',
    `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`,
    '0',
  ],
  ['a channel', 'LISTEN gone', 'SELECT count(*) FROM pg_listening_channels()', '0'],
  ['a statement', 'PREPARE gone AS SELECT 1', 'SELECT count(*) FROM pg_prepared_statements', '0'],
  ['a cursor', 'DECLARE gone CURSOR WITH HOLD FOR SELECT 1', 'SELECT count(*) FROM pg_cursors', '0'],
  ['a setting of ours', 'SET jit = on; SET extra_float_digits = 0', `SELECT current_setting('jit')`, 'off'],
] as const)
  test(`a session is used again without ${left} that a script left there`, async () => {
    const process = async (more: string) => (await run(`${more}; SELECT pg_backend_pid()`)).result?.[1]?.[0]
    const first = await process(script)
    assert.equal(await process('SELECT 1'), first)
    assert.equal((await run(look)).result?.[1]?.[0], clean)
  })

test('statements that the engine has prepared outlast a script, unless the script deallocates them or uses their names', async () => {
  const look = () =>
    run('ALTER TABLE f ALTER id SET STATISTICS 10', {}, async (transaction) => {
      await transaction.introspect(await source.introspect(null))
    })
  const held = async () =>
    Number((await run(`SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'svc_%'`)).result?.[1]?.[0])
  await look()
  const known = await held()
  assert.ok(known > 0)
  for (const script of [
    'DEALLOCATE ALL',
    'DEALLOCATE ALL; PREPARE svc_changes_within AS SELECT 1',
    `DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; END $$`,
  ]) {
    await run(script, {}, async (transaction) => {
      await transaction.introspect(await source.introspect(null))
    })
    await look()
    assert.ok((await held()) >= known, script)
  }
})

test('COPY from the client fails at once instead of waiting for data', async () => {
  assert.match(
    JSON.stringify((await refusal('SELECT 1; COPY f FROM STDIN; SELECT 2')).internal),
    /COPY from stdin failed/,
  )
  assert.deepEqual(await run('COPY f TO STDOUT'), done)
})

test('inspect sees what the script did before anybody else does, and undoes it by throwing', async () => {
  const before = await source.introspect(null)
  let inside: Introspection | undefined
  const inspected = run('ALTER TABLE f ADD extra int', {}, async (transaction) => {
    inside = await transaction.introspect(before)
    throw new Error('not like this')
  })
  await assert.rejects(inspected, { message: 'not like this' })
  assert.equal(inside?.tables.get('public.f')?.columns.length, 2)
  assert.equal(inside?.tables.get('public.a'), before.tables.get('public.a'))
  assert.equal(await source.introspect(before), before)
  await run('ALTER TABLE f ADD extra int', {}, async (transaction) => {
    inside = await transaction.introspect(before)
  })
  const after = await source.introspect(inside ?? null)
  assert.equal(after, inside, 'what was seen inside is what was committed')
})
