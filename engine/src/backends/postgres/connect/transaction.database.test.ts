import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { ApiError } from '../../../errors.ts'
import type { BoundStatement, Statement } from '../../backend.ts'
import { administrator, openSource, plan } from './source.fixture.ts'
import { TransactionFailed } from './transaction-options.ts'

let url: string
let administrate: ReturnType<typeof administrator>
before(async () => {
  url = (await createTestDatabase()).url
  administrate = administrator(url)
  await administrate(`CREATE TABLE item (id int PRIMARY KEY, name text NOT NULL,
      twin int REFERENCES item DEFERRABLE INITIALLY DEFERRED);
    CREATE TABLE slow (id int);
    CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sleep();
    CREATE SEQUENCE calls`)
})

const writing = (text: string, slots = 0): Statement => ({ ...plan(text, slots), effects: 'writes' })
const insert = writing(
  `WITH i AS (INSERT INTO item (id, name) VALUES (($1)::int, $2) RETURNING *) SELECT json_agg(i)::text FROM i`,
  2,
)
const inserting = (id: number, name: string | null = 'x'): BoundStatement => ({
  plan: insert,
  parameters: [String(id), name],
})
const count: BoundStatement = { plan: plan('SELECT count(*)::text FROM item'), parameters: [] }
const bare = (plan: Statement): BoundStatement => ({ plan, parameters: [] })

const rows = async (from: number) =>
  (await administrate(`SELECT id FROM item WHERE id BETWEEN ${from} AND ${from + 99} ORDER BY id`)).map(({ id }) => id)

/** How it failed: index, outcome, code and message. */
async function failure(promise: Promise<unknown>) {
  try {
    await promise
  } catch (error) {
    assert.ok(error instanceof TransactionFailed, String(error))
    assert.ok(error.cause instanceof ApiError, String(error.cause))
    return [error.index, error.outcome, error.cause.code, error.cause.message]
  }
  assert.fail('it was answered')
}

test('a list runs in one transaction, each statement sees what those before it did, answers come in order', async (t) => {
  const { source, connections } = await openSource(t, url, { maxConnections: 3 })
  for (let round = 0; round < 3; round++) {
    const first = 100 + 10 * round
    const answers = await source.runTransaction([
      inserting(first),
      bare(plan(`SELECT count(*)::text FROM item WHERE id = ${first}`)),
      inserting(first + 1, 'ü'),
      bare(plan('SELECT NULL')),
      bare(plan('SELECT 1 WHERE false')),
    ])
    assert.deepEqual(answers.map(String), [
      `[{"id":${first},"name":"x","twin":null}]`,
      '1',
      `[{"id":${first + 1},"name":"ü","twin":null}]`,
      'null',
      'null',
    ])
  }
  assert.deepEqual(await rows(100), [100, 101, 110, 111, 120, 121])
  assert.equal((await connections()).length, 1)
})

test('what the database refuses rolls all of it back, and says which statement it was', async (t) => {
  const { source, connections } = await openSource(t, url, { maxConnections: 2 })
  const attempts: readonly (readonly [readonly BoundStatement[], readonly unknown[]])[] = [
    [
      [inserting(200), inserting(201), inserting(200), count],
      [
        2,
        'rolled-back',
        'constraint-violation',
        `Uniqueness violation. duplicate key value violates unique constraint "item_pkey"`,
      ],
    ],
    // while it is bound
    [
      [
        inserting(200),
        bare(plan(`SELECT ($1)::int::text`, 1)),
        { plan: plan(`SELECT ($1)::int::text`, 1), parameters: ['x'] },
      ].filter((_, i) => i !== 1),
      [1, 'rolled-back', 'data-exception', 'invalid input syntax for type integer: "x"'],
    ],
    // while it is parsed, before anything runs
    [
      [inserting(200), bare(plan('SELECT nothing'))],
      [1, 'rolled-back', 'unexpected', 'database query error'],
    ],
    // by COMMIT
    [
      [
        inserting(200),
        bare(writing(`WITH u AS (UPDATE item SET twin = 999 WHERE id = 200 RETURNING 1) SELECT 1`)),
        bare(writing(`INSERT INTO item VALUES (202, 'x', 998)`)),
      ],
      [
        null,
        'rolled-back',
        'constraint-violation',
        `Foreign key violation. insert or update on table "item" violates foreign key constraint "item_twin_fkey"`,
      ],
    ],
  ]
  for (const [statements, expected] of attempts) {
    assert.deepEqual(await failure(source.runTransaction(statements)), expected)
    assert.deepEqual(await rows(200), [])
    // the connection is fit for others
    assert.deepEqual((await source.runTransaction([bare(plan('SELECT 1'))])).map(String), ['1'])
  }
  assert.equal((await connections()).length, 1)
  // those whose parsing was skipped are parsed when they are wanted
  assert.deepEqual((await source.runTransaction([inserting(200), count])).length, 2)
})

test('settings hold for the transaction only', async (t) => {
  const { source } = await openSource(t, url, { maxConnections: 1 })
  const show = bare(plan(`SELECT current_setting('svc.user', true) || current_setting('svc.role', true)`))
  const settings = [
    ['svc.user', `{"x-svc-role": "it's"}`],
    ['svc.role', `{"x-svc-role": "it's"}`],
  ] as const
  const both = `{"x-svc-role": "it's"}`.repeat(2)
  assert.deepEqual((await source.runTransaction([show], { settings })).map(String), [both])
  assert.deepEqual((await source.runTransaction([show])).map(String), [''])
  assert.equal(String(await source.transaction((tx) => tx.query(show.plan, []), { settings })), both)
  assert.deepEqual((await source.runTransaction([show])).map(String), [''])
})

test('the isolation level is that of the source, and a serialization failure is answered and not tried again', async (t) => {
  for (const isolationLevel of ['read-committed', 'repeatable-read', 'serializable'] as const) {
    const { source } = await openSource(t, url, { isolationLevel })
    const level = bare(plan(`SELECT current_setting('transaction_isolation')`))
    const name = isolationLevel.replace('-', ' ')
    assert.deepEqual((await source.runTransaction([level])).map(String), [name])
    assert.equal(String(await source.transaction((tx) => tx.query(level.plan, []))), name)
  }
  const { source } = await openSource(t, url, { isolationLevel: 'repeatable-read' })
  await source.runTransaction([inserting(300)])
  let runs = 0
  const update = writing(`UPDATE item SET name = 'y' WHERE id = 300 RETURNING name`)
  const failed = await failure(
    source.transaction(async (tx) => {
      runs += 1
      await tx.queryAll([count])
      await administrate(`UPDATE item SET name = 'z' WHERE id = 300`)
      await tx.queryAll([count, bare(update)])
    }),
  )
  assert.deepEqual(failed, [
    1,
    'rolled-back',
    'concurrent-update',
    'could not serialize access due to concurrent update',
  ])
  assert.equal(runs, 1)
})

test('later statements may depend on earlier answers; a rejection rolls back, also one that was caught', async (t) => {
  const { source, connections } = await openSource(t, url, { maxConnections: 2 })
  const found = await source.transaction(async (tx) => {
    const [{ id }] = JSON.parse(String(await tx.query(insert, ['400', 'a'])))
    await tx.queryAll([inserting(id + 1, 'b'), inserting(id + 2, 'c')])
    return tx.queryRows(
      plan(`SELECT id::text, NULL, name FROM item WHERE id >= ($1)::int AND id < 500 ORDER BY id`, 1),
      [String(id)],
    )
  })
  assert.deepEqual(
    found.map((row) => row.map((cell) => cell && String(cell))),
    [
      ['400', null, 'a'],
      ['401', null, 'b'],
      ['402', null, 'c'],
    ],
  )
  const own = new Error('own')
  await assert.rejects(
    source.transaction(async (tx) => {
      await tx.query(insert, ['410', 'a'])
      throw own
    }),
    own,
  )
  const caught = source.transaction(async (tx) => {
    await tx.query(insert, ['410', 'a'])
    await assert.rejects(tx.query(insert, ['410', 'a']), { code: 'constraint-violation' })
  })
  assert.deepEqual((await failure(caught)).slice(0, 3), [null, 'rolled-back', 'postgres-error'])
  assert.deepEqual(await rows(400), [400, 401, 402])
  // nothing was asked: nothing is sent
  assert.equal(await source.transaction(async () => 1), 1)
  assert.equal((await connections()).length, 1)
})

test('a client that leaves before COMMIT rolls back', async (t) => {
  const { source } = await openSource(t, url, { maxConnections: 2 })
  const gone = new Error('gone')
  await assert.rejects(source.runTransaction([inserting(500)], { signal: AbortSignal.abort(gone) }), gone)
  for (const leaveIn of ['a statement', 'between']) {
    const client = new AbortController()
    const run = source.transaction(
      async (tx) => {
        await tx.query(insert, ['500', 'x'])
        if (leaveIn === 'between') client.abort(gone)
        const sleeping = tx.query(plan('SELECT pg_sleep(60)::text'), [])
        setImmediate(() => client.abort(gone))
        await sleeping
      },
      { signal: client.signal },
    )
    await assert.rejects(run, gone)
    assert.deepEqual(await rows(500), [])
  }
  // as the last thing that work does
  const late = new AbortController()
  const run = source.transaction(
    async (tx) => {
      await tx.query(insert, ['500', 'x'])
      late.abort(gone)
    },
    { signal: late.signal },
  )
  await assert.rejects(run, gone)
  assert.deepEqual(await rows(500), [])
})

test('a transaction whose connection is lost while it is committed has an unknown outcome, and is not sent again', async (t) => {
  const { source, connections } = await openSource(t, url, { maxConnections: 2 })
  const call = bare(writing(`SELECT nextval('calls')::text`))
  const run = failure(source.runTransaction([call, bare(writing(`INSERT INTO slow VALUES (1) RETURNING id::text`))]))
  const sleeps = async () =>
    (await administrate(`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`))
      .length === 1
  while (!(await sleeps()));
  await administrate(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid = ${(await connections())[0]?.pid}`,
  )
  assert.deepEqual(await run, [null, 'unknown', 'postgres-error', 'connection error'])
  assert.deepEqual(await administrate(`SELECT last_value::int AS calls FROM calls`), [{ calls: 1 }])
})

test('idle connections that the server ended cost no transaction, no native query and no rows', async (t) => {
  const { source, terminate } = await openSource(t, url, { maxConnections: 3 })
  const call: Statement = { ...plan(`SELECT nextval('calls')::text`), effects: 'unknown' }
  const called = async () => Number((await administrate(`SELECT last_value FROM calls`))[0]?.last_value)
  for (let round = 0; round < 5; round++) {
    const before = await called()
    await Promise.all([source.query(call, []), source.query(call, [])])
    await terminate()
    await source.runTransaction([bare(call), count])
    await terminate()
    await source.transaction((tx) => tx.query(call, []))
    await terminate()
    await source.query(call, [])
    await terminate()
    assert.equal((await source.queryRows(call, [])).length, 1)
    assert.equal(await called(), before + 6)
  }
})

test('transactions count among the connections of the source', async (t) => {
  const { source, connections } = await openSource(t, url, { maxConnections: 4 })
  const sleeping = bare(plan('SELECT pg_sleep(0.01)::text'))
  await Promise.all(Array.from({ length: 30 }, () => source.runTransaction([sleeping])))
  assert.ok((await connections()).length <= 4)
})

test('rows are given whole', async (t) => {
  const { source } = await openSource(t, url)
  const found = await source.queryRows(
    plan(`SELECT n::text, CASE WHEN n < 3 THEN repeat('x', n * 100000) END FROM generate_series(1, ($1)::int) n`, 1),
    ['3'],
  )
  assert.deepEqual(
    found.map(([key, text]) => [String(key), text?.length]),
    [
      ['1', 100_000],
      ['2', 200_000],
      ['3', undefined],
    ],
  )
  await assert.rejects(source.queryRows(plan('SELECT 1 / ($1)::int', 1), ['0']), { code: 'data-exception' })
})
