import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { ApiError, Path } from '../../../errors.ts'
import { fromSqlState, isConnectionError } from './from-sql-state.ts'

let client: pg.Client
before(async () => {
  const database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`
    CREATE TABLE p (id int PRIMARY KEY, u int UNIQUE, n int NOT NULL DEFAULT 1, c int CHECK (c > 0), EXCLUDE USING btree (c WITH =));
    CREATE TABLE f (id int REFERENCES p ON DELETE RESTRICT); INSERT INTO p VALUES (1, 1, 1, 1); INSERT INTO f VALUES (1)`)
})
after(() => client.end())

const path = Path.root.at('x')

async function answerTo(
  text: string,
): Promise<{ code: string; status: number; path: string; message: string; internal: unknown }> {
  try {
    await client.query(text)
  } catch (error) {
    const answer = fromSqlState(error, path, { text, parameters: ['v'], prepared: true, isAdmins: true })
    assert.ok(answer instanceof ApiError)
    const { code, status, message, internal } = answer
    return { code, status, path: answer.path.toString(), message, internal }
  }
  assert.fail('no error')
}

test('each SQLSTATE is answered as reference/mutations#errors-of-the-database has it', async () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    [
      `UPDATE p SET id = 2`,
      'constraint-violation',
      /^(Foreign key violation|Can not delete or update due to data being referred)\. /,
    ],
    ['INSERT INTO p VALUES (9, 9, NULL)', 'constraint-violation', /^Not-NULL violation\. null value in column "n"/],
    ['INSERT INTO f VALUES (99)', 'constraint-violation', /^Foreign key violation\. insert or update on table "f"/],
    [
      'INSERT INTO p VALUES (1)',
      'constraint-violation',
      /^Uniqueness violation\. duplicate key value violates unique constraint "p_pkey"$/,
    ],
    ['INSERT INTO p VALUES (9, 9, 1, -1)', 'permission-error', /^Check constraint violation\. new row/],
    ['INSERT INTO p VALUES (9, 9, 1, 1)', 'constraint-violation', /^Exclusion violation\. conflicting key value/],
    [
      `DO $$ BEGIN RAISE 'mine' USING ERRCODE = '23001'; END $$`,
      'constraint-violation',
      /^Can not delete or update due to data being referred\. mine$/,
    ],
    [`DO $$ BEGIN RAISE 'mine' USING ERRCODE = '23999'; END $$`, 'constraint-violation', /^mine$/],
    [`SELECT 'x'::int`, 'data-exception', /^invalid input syntax for type integer: "x"$/],
    [`SELECT 1/0`, 'data-exception', /^division by zero$/],
    [`SELECT 'ab' LIKE 'a\\'`, 'bad-request', /escape/],
    [`SELECT ${'1,'.repeat(1664)}1`, 'not-supported', /^target lists can have at most 1664 entries$/],
    [`DO $$ BEGIN RAISE 'again' USING ERRCODE = '40001'; END $$`, 'concurrent-update', /^again$/],
    [
      'INSERT INTO p VALUES (9) ON CONFLICT ON CONSTRAINT nope DO NOTHING',
      'constraint-error',
      /^constraint "nope" for table "p" does not exist$/,
    ],
    [
      'INSERT INTO p VALUES (9) ON CONFLICT (n) DO NOTHING',
      'constraint-error',
      /^there is no unique or exclusion constraint on target column\(s\)$/,
    ],
  ]
  for (const [text, code, message] of cases) {
    const answer = await answerTo(text)
    assert.deepEqual([answer.code, answer.status, answer.path, answer.internal], [code, 400, '$.x', undefined], text)
    assert.match(answer.message, message)
  }
})

test('every other error is unexpected with 500 and says all to the admin', async () => {
  const text = `DO $$ BEGIN RAISE 'mine' USING DETAIL = 'd', HINT = 'h'; END $$`
  assert.deepEqual(await answerTo(text), {
    code: 'unexpected',
    status: 500,
    path: '$.x',
    message: 'database query error',
    internal: {
      statement: text,
      prepared: true,
      arguments: ['v'],
      error: {
        exec_status: 'PGRES_FATAL_ERROR',
        hint: 'h',
        message: 'mine',
        status_code: 'P0001',
        description: 'd',
      },
    },
  })
})

test('of a long argument only the beginning is reported', async () => {
  const failed = await client.query(`DO $$ BEGIN RAISE 'mine'; END $$`).catch((error: unknown) => error)
  const parameters = ['x'.repeat(1_000_000), null, 'y']
  const answer = fromSqlState(failed, path, { text: '', parameters, prepared: true })
  assert.ok(answer instanceof ApiError)
  assert.deepEqual((answer.internal as { arguments: unknown }).arguments, [`${'x'.repeat(10_000)}…`, null, 'y'])
})

test('a lost connection is distinguished from an error of the statement', async () => {
  const shutdown = await client
    .query(`DO $$ BEGIN RAISE 'bye' USING ERRCODE = '57P01'; END $$`)
    .catch((error: unknown) => error)
  assert.equal(isConnectionError(shutdown), true)
  assert.equal(isConnectionError(new Error('Connection terminated unexpectedly')), true)
  assert.equal(isConnectionError(Object.assign(new Error('read'), { code: 'ECONNRESET' })), true)
  assert.equal(isConnectionError(await client.query('SELECT 1/0').catch((error: unknown) => error)), false)
  assert.equal(isConnectionError(new TypeError('a bug')), false)
  const lost = fromSqlState(shutdown, path, { text: '', parameters: [], prepared: false })
  assert.ok(lost instanceof ApiError)
  assert.deepEqual([lost.code, lost.status, lost.path.toString()], ['postgres-error', 500, '$'])
})
