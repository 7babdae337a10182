import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import mssql from 'mssql'
import { openSqlServerDouble, type SqlServerDouble, startSqlServerDouble } from './sql-server-double.ts'

const login = { server: '127.0.0.1', user: 'sa', password: 'Str0ng;{pass}word', database: 'svc' }

async function connect(t: TestContext, port: number, changes: object = {}): Promise<mssql.ConnectionPool> {
  const pool = new mssql.ConnectionPool({ ...login, port, options: { encrypt: false }, ...changes })
  // the sender of a statement gets its error
  pool.on('error', () => {})
  t.after(async () => void pool.close())
  return pool.connect()
}

/** A pool on a double with two authors and three articles. */
async function begin(t: TestContext): Promise<{ server: SqlServerDouble; pool: mssql.ConnectionPool }> {
  const server = await startSqlServerDouble(t, { isStrict: false })
  const pool = await connect(t, server.port)
  await pool.request().batch(`
    CREATE TABLE author (id int IDENTITY NOT NULL PRIMARY KEY, name nvarchar(450) UNIQUE);
    CREATE TABLE article (id int IDENTITY PRIMARY KEY, title text, author_id int CONSTRAINT fk REFERENCES author(id), created datetime);
    INSERT INTO author (name) VALUES ('Bob'), ('Alice');
    INSERT INTO article (title, author_id, created) VALUES ('A', 1, '2017-09-21T09:39:44'), ('B', 1, NULL), ('C', 2, NULL)`)
  return { server, pool }
}

const rowsOf = async (pool: mssql.ConnectionPool, sql: string): Promise<unknown> =>
  (await pool.request().batch(sql)).recordset

/** The number of the error that a batch ends with. */
async function errorOf(pool: mssql.ConnectionPool, sql: string): Promise<number | undefined> {
  const problem = await pool
    .request()
    .batch(sql)
    .then(
      () => null,
      (cause: unknown) => cause,
    )
  return problem instanceof mssql.RequestError ? problem.number : undefined
}

suite('the double of SQL Server', () => {
  test('refuses a login and an unknown database as the server does', async (t) => {
    const server = await startSqlServerDouble(t)
    await assert.rejects(connect(t, server.port, { user: 'x' }), { code: 'ELOGIN' })
    await assert.rejects(connect(t, server.port, { database: 'nope' }), { code: 'ELOGIN' })
    assert.deepEqual(
      server.logins.map(({ user, database }) => [user, database]),
      [
        ['x', 'svc'],
        ['sa', 'nope'],
      ],
    )
  })

  test('answers shapes of queries with the JSON of the server', async (t) => {
    const { server, pool } = await begin(t)
    const list = `SELECT ISNULL((SELECT [t].[id] AS [id], ISNULL(JSON_QUERY([ar].[json]), '[]') AS [articles] FROM [dbo].[author] AS [t]
      OUTER APPLY (SELECT [x].[title] AS [title], [x].[created] AS [at.created] FROM [dbo].[article] AS [x]
        WHERE ([x].[author_id]) = ([t].[id]) ORDER BY [x].[id] OFFSET 0 ROWS FOR JSON PATH, INCLUDE_NULL_VALUES) AS [ar]([json])
      WHERE [t].[name] = N'BOB ' FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root]`
    assert.deepEqual(await rowsOf(pool, list), [
      {
        root: '[{"id":1,"articles":[{"title":"A","at":{"created":"2017-09-21T09:39:44"}},{"title":"B","at":{"created":null}}]}]',
      },
    ])
    const aggregate = `SELECT ISNULL((SELECT COUNT(*) AS [count], AVG([s].[id]) AS [avg],
      JSON_QUERY((SELECT SUM([s].[id]) AS [id] FOR JSON PATH, INCLUDE_NULL_VALUES, WITHOUT_ARRAY_WRAPPER)) AS [sum],
      (SELECT 1 AS [x] FOR JSON PATH, WITHOUT_ARRAY_WRAPPER) AS [text] FROM (SELECT * FROM [dbo].[article] AS [t]) AS [s]
      FOR JSON PATH, INCLUDE_NULL_VALUES, WITHOUT_ARRAY_WRAPPER), 'null') AS [root]`
    // a subquery without array wrapper is text to the query around it
    assert.deepEqual(await rowsOf(pool, aggregate), [
      { root: '{"count":3,"avg":2,"sum":{"id":6},"text":"{\\"x\\":1}"}' },
    ])
    // the driver puts the pieces of a text together
    const [answer] = await server.run(`SELECT '${'y'.repeat(5000)}' AS [a] FOR JSON PATH`)
    assert.ok(answer?.kind === 'rows')
    assert.deepEqual(
      answer.rows.map(([piece]) => String(piece).length),
      [2033, 2033, 5000 + '[{"a":""}]'.length - 4066],
    )
  })

  test('prints each type in JSON as the server does', async (t) => {
    const { pool } = await begin(t)
    const values = [
      ['CAST(9223372036854775807 AS bigint)', '9223372036854775807'],
      ['CAST(1.5 AS decimal(38,10))', '1.5000000000'],
      ['CAST(123.45 AS money)', '123.4500'],
      ['CAST(16.0001220703125 AS float)', '1.600012207031250e+001'],
      ['CAST(0.00390625 AS real)', '3.9062500e-003'],
      ['CAST(1 AS bit)', 'true'],
      ["CAST('04-15-96 4am' AS datetime)", '"1996-04-15T04:00:00"'],
      ["CAST('2020-01-01 10:00:00.005' AS datetime)", '"2020-01-01T10:00:00.007"'],
      ["CAST('9999-12-31 23:59:59.9999999' AS datetime2)", '"9999-12-31T23:59:59.9999999"'],
      ["CAST('2007-05-08 12:35:29.1234567 +12:15' AS datetimeoffset)", '"2007-05-08T12:35:29.1234567+12:15"'],
      ["CAST('11:09:23' AS time)", '"11:09:23"'],
      ["CAST('0e984725-c51c-4bf4-9960-e1c80e27aba0' AS uniqueidentifier)", '"0E984725-C51C-4BF4-9960-E1C80E27ABA0"'],
      ['CAST(0x0001e240 AS varbinary(4))', '"AAHiQA=="'],
      ["CAST('ab' AS char(4))", '"ab  "'],
      ["N'a/b'", '"a\\/b"'],
    ] as const
    for (const [sql, json] of values)
      assert.deepEqual(
        await rowsOf(pool, `SELECT (SELECT ${sql} AS [v] FOR JSON PATH, WITHOUT_ARRAY_WRAPPER) AS [root]`),
        [{ root: `{"v":${json}}` }],
        sql,
      )
  })

  test('answers with the numbers of the server', async (t) => {
    const { pool } = await begin(t)
    const errors = [
      ["INSERT INTO author (name) VALUES ('bob ')", 2627],
      ["INSERT INTO article (title, author_id) VALUES ('x', 7)", 547],
      ['DELETE FROM author WHERE id = 1', 547],
      ['INSERT INTO author (id) VALUES (1)', 544],
      ['SELECT * FROM nope', 208],
      ['SELECT nope FROM author', 207],
      ['SELECT x.id FROM author', 4104],
      ['SELECT id FROM article WHERE title = 1', 402],
      ["SELECT id FROM author WHERE id = 'x'", 245],
      ['CREATE TABLE author (id int)', 2714],
      ['DROP TABLE author', 3726],
      ['ALTER TABLE author ADD name int', 2705],
      ['ALTER TABLE author DROP COLUMN x', 4924],
      ['SELECT 1/0 AS x', 8134],
      ['SELECT CAST(300 AS tinyint) AS x', 220],
      ['SELECT id, COUNT(*) AS n FROM author', 8120],
      ['SELECT 1 FROM', 102],
      ['COMMIT', 3902],
      ['SELECT id FROM author ORDER BY id OFFSET 0 ROWS FETCH NEXT 0 ROWS ONLY', 10744],
    ] as const
    for (const [sql, number] of errors) assert.equal(await errorOf(pool, sql), number, sql)
    assert.deepEqual(await rowsOf(pool, 'SELECT COUNT(*) AS n FROM author'), [{ n: 2 }])
  })

  test('keeps a transaction to its session and rolls it back', async (t) => {
    const { pool } = await begin(t)
    const transaction = new mssql.Transaction(pool)
    await transaction.begin(mssql.ISOLATION_LEVEL.SERIALIZABLE)
    const request = () => new mssql.Request(transaction)
    await request().batch(
      'SELECT [id], [name] INTO #inserted FROM author WHERE (1<>1) UNION ALL SELECT [id], [name] FROM author WHERE (1<>1)',
    )
    await request()
      .input('1', mssql.NVarChar(mssql.MAX), 'Carl')
      .query(
        'INSERT INTO author ([name]) OUTPUT INSERTED.[id], INSERTED.[name] INTO #inserted([id], [name]) VALUES (@1)',
      )
    assert.deepEqual((await request().query('SELECT [name] FROM #inserted')).recordset, [{ name: 'Carl' }])
    assert.deepEqual(await rowsOf(pool, 'SELECT COUNT(*) AS n FROM author'), [{ n: 2 }])
    await transaction.rollback()
    assert.deepEqual(await rowsOf(pool, 'SELECT COUNT(*) AS n FROM author'), [{ n: 2 }])
    // a temporary table of sp_executesql ends with it
    await pool.request().query('SELECT 1 AS x INTO #lost')
    assert.equal(await errorOf(pool, 'SELECT x FROM #lost'), 208)
  })

  test('ends a statement at an attention, and the connection serves on', async (t) => {
    const { server, pool } = await begin(t)
    const single = await connect(t, server.port, { pool: { max: 1 } })
    const met = server.when(/SELECT 1 AS slow/, { kind: 'wait', until: new Promise(() => {}) })
    const request = single.request()
    const slow = assert.rejects(request.query('SELECT 1 AS slow'), { code: 'ECANCEL' })
    await met
    request.cancel()
    await slow
    assert.equal(server.attentions, 1)
    assert.deepEqual(await rowsOf(single, 'SELECT 2 AS still'), [{ still: 2 }])
    assert.deepEqual(await rowsOf(pool, 'SELECT 3 AS other'), [{ other: 3 }])
  })

  test('fails on command: an error, a cut connection, a server that is gone and returns', async (t) => {
    const { server, pool } = await begin(t)
    server.when(/deadlock/, { kind: 'error', number: 1205, message: 'deadlocked' })
    assert.equal(await errorOf(pool, 'SELECT 1 AS deadlock'), 1205)
    server.when(/cut/, { kind: 'cut' })
    await assert.rejects(pool.request().query('SELECT 1 AS cut'))
    await server.stop()
    await assert.rejects(pool.request().query('SELECT 1 AS gone'))
    await server.start()
    assert.deepEqual(await rowsOf(pool, 'SELECT COUNT(*) AS n FROM author'), [{ n: 2 }])
  })

  test('refuses in strict mode what no server would take', async (t) => {
    const server = await openSqlServerDouble()
    t.after(() => server.stop())
    const pool = await connect(t, server.port)
    assert.equal(await errorOf(pool, "SELECT 'a' || 'b' AS x"), 50002)
    assert.deepEqual(await rowsOf(pool, 'SELECT 1 AS x'), [{ x: 1 }])
  })
})
