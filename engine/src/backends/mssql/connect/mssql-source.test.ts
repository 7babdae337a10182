import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { type SqlServerDouble, startSqlServerDouble } from '../../../../../test/sql-server/sql-server-double.ts'
import { ApiError, Path } from '../../../errors.ts'
import { exactNumber } from '../../../exact-json/index.ts'
import { AnswerTooLarge, SourceUnavailable } from '../../backend.ts'
import { connect } from './connect.ts'
import { sourceSettings } from './source-settings.ts'

async function open(t: TestContext, server: SqlServerDouble, connection_info: object = {}) {
  const settings = sourceSettings(
    'ms',
    { connection_info: { connection_string: server.connectionString, ...connection_info } },
    { environment: {}, defaults: { usePreparedStatements: true, poolTimeout: 2 } },
  )
  const source = await connect(settings)
  t.after(() => source.close())
  return source
}

async function begin(t: TestContext, connection_info: object = {}) {
  const server = await startSqlServerDouble(t)
  await server.run(`
    CREATE TABLE author (id int IDENTITY NOT NULL PRIMARY KEY, name nvarchar(450) UNIQUE);
    CREATE TABLE article (id int IDENTITY PRIMARY KEY, title text, author_id int CONSTRAINT fk REFERENCES author(id));
    INSERT INTO author (name) VALUES ('Bob'), ('Alice')`)
  return { server, source: await open(t, server, connection_info) }
}

const plan = (text: string) => ({ text, slots: [], effects: 'none' as const })
const names = plan(
  "SELECT ISNULL((SELECT [t].[name] AS [name] FROM [dbo].[author] AS [t] FOR JSON PATH), N'[]') AS [root]",
)

suite('a source of SQL Server', () => {
  test('answers with JSON as it comes', async (t) => {
    const { source } = await begin(t)
    assert.equal(String(await source.query(names, [])), '[{"name":"Bob"},{"name":"Alice"}]')
    await assert.rejects(source.query(names, [], undefined, 5), AnswerTooLarge)
  })

  test('reads no more of an answer than it may have', async (t) => {
    const { server, source } = await begin(t)
    // a million bytes of UTF-16 and a little more: a client that reads on waits for ever
    server.when(/author/, { kind: 'unfinished', characters: 512_000 })
    await assert.rejects(source.query(names, [], undefined, 500_000), AnswerTooLarge)
    assert.equal(String(await source.query(names, [], undefined, 500_000)), '[{"name":"Bob"},{"name":"Alice"}]')
    assert.equal(source.connections().open, 1)
  })

  test('sends the values beyond 2,000 as one parameter', async (t) => {
    const { source } = await begin(t)
    const values = Array.from({ length: 3_500 }, (_, i) => (i === 2_999 ? null : `v${i + 1}`))
    const shown = [1, 2_000, 2_001, 3_000, 3_500].map((i) => `@p${i} AS [p${i}]`).join(', ')
    const text = `SELECT (SELECT ${shown} FOR JSON PATH, INCLUDE_NULL_VALUES, WITHOUT_ARRAY_WRAPPER) AS [root]`
    assert.equal(
      String(await source.query(plan(text), values)),
      '{"p1":"v1","p2000":"v2000","p2001":"v2001","p3000":null,"p3500":"v3500"}',
    )
  })

  test('describes its tables, and keeps those that did not change', async (t) => {
    const { server, source } = await begin(t)
    const first = await source.introspect(null)
    assert.deepEqual([...first.tables.values()].map(({ table }) => table.name).sort(), ['article', 'author'])
    assert.equal(await source.introspect(first), first)
    await server.run('ALTER TABLE author ADD age int')
    const second = await source.introspect(first)
    const of = (introspection: typeof first, name: string) =>
      [...introspection.tables.values()].find(({ table }) => table.name === name)
    assert.equal(of(second, 'article'), of(first, 'article'))
    assert.deepEqual(
      of(second, 'author')?.columns.map(({ name, generated }) => [name, generated]),
      [
        ['id', 'identity-always'],
        ['name', 'never'],
        ['age', 'never'],
      ],
    )
    assert.deepEqual(
      of(second, 'article')?.foreignKeys.map(({ constraint, columns }) => [constraint, columns]),
      [['fk', [{ from: 'author_id', to: 'id' }]]],
    )
    const { server: one } = { server }
    assert.equal(one.statements.filter((text) => text.includes('[sys].[foreign_key_columns]')).length, 3)
  })

  test('has keys in their own order, which is not that of the columns', async (t) => {
    const { server, source } = await begin(t)
    await server.run('CREATE TABLE line (a int NOT NULL, b int NOT NULL, c int NULL, PRIMARY KEY (b, a))')
    const line = [...(await source.introspect(null)).tables.values()].find(({ table }) => table.name === 'line')
    assert.deepEqual(line?.primaryKey?.columns, ['b', 'a'])
  })

  test('has the isolation of the source in every statement, also after one that failed', async (t) => {
    const { server, source } = await begin(t, {
      isolation_level: 'serializable',
      pool_settings: { max_connections: 1 },
    })
    const failing = server.when(/\[author\]/, { kind: 'error', number: 208 })
    await assert.rejects(source.query(names, []))
    await failing
    await source.events?.isPrepared()
    await source.query(names, [])
    assert.deepEqual(
      server.statements.flatMap((text, i) => (/\[author\]|svc_catalog/.test(text) ? [server.levels[i]] : [])),
      ['SERIALIZABLE', 'SERIALIZABLE', 'SERIALIZABLE'],
    )
  })

  test('says why it cannot be opened', async (t) => {
    const server = await startSqlServerDouble(t)
    const refused = async (connection_string: string) =>
      open(t, server, { connection_string }).then(
        () => 'opened',
        (error: unknown) => error instanceof SourceUnavailable && error.message,
      )
    assert.match(String(await refused(server.connectionString.replace(/Uid=[^;]*/, 'Uid=x'))), /Login failed/)
    assert.match(
      String(await refused(server.connectionString.replace(/Database=[^;]*/, 'Database=x'))),
      /Cannot open database/,
    )
    await server.stop()
    assert.match(String(await refused(server.connectionString)), /ECONNREFUSED|connect/)
  })

  test('is there again when its database is', async (t) => {
    const { server, source } = await begin(t)
    await source.query(names, [])
    await server.stop()
    await assert.rejects(source.query(names, []), (error) => {
      assert.ok(error instanceof ApiError)
      assert.deepEqual([error.code, error.status, error.message], ['unexpected', 500, 'mssql connection error'])
      return true
    })
    await server.start()
    assert.equal(String(await source.query(names, [])), '[{"name":"Bob"},{"name":"Alice"}]')
  })

  test('sends a read again whose connection was lost, and what may write but once', async (t) => {
    const { server, source } = await begin(t)
    void server.when(/SELECT ISNULL/, { kind: 'cut' })
    assert.equal(String(await source.query(names, [])), '[{"name":"Bob"},{"name":"Alice"}]')
    void server.when(/SELECT ISNULL/, { kind: 'cut' })
    await assert.rejects(source.query({ ...names, effects: 'unknown' }, []), { message: 'mssql connection error' })
  })

  test('cancels on the server what its client gives up, and uses the connection again', async (t) => {
    const { server, source } = await begin(t, { pool_settings: { max_connections: 1 } })
    const abort = new AbortController()
    const met = server.when(/SELECT ISNULL/, { kind: 'wait', until: new Promise(() => {}) })
    const answer = source.query(names, [], abort.signal)
    await met
    abort.abort(new Error('given up'))
    await assert.rejects(answer, { message: 'given up' })
    assert.equal(server.attentions, 1)
    const connections = server.connections
    assert.equal(String(await source.query(names, [])), '[{"name":"Bob"},{"name":"Alice"}]')
    assert.equal(server.connections, connections)
  })

  test('lets other statements through while one waits for a lock', async (t) => {
    const { server, source } = await begin(t, { pool_settings: { max_connections: 2 } })
    const released = Promise.withResolvers<void>()
    const met = server.when(/SELECT ISNULL/, { kind: 'wait', until: released.promise })
    const blocked = [source.query(names, []), source.query(names, []), source.query(names, [])]
    await met
    assert.equal(String(await source.query(plan("SELECT N'1' AS [root]"), [])), '1')
    released.resolve()
    for (const answer of blocked) assert.equal(String(await answer), '[{"name":"Bob"},{"name":"Alice"}]')
  })

  test('says what a client can do about a deadlock', async (t) => {
    const { server, source } = await begin(t)
    void server.when(/SELECT ISNULL/, { kind: 'error', number: 1205 })
    await assert.rejects(source.query(names, []), /may be tried again/)
  })

  test('runs scripts of which cells are typed', async (t) => {
    const { source } = await begin(t)
    const run = (sql: string) => source.runSql?.({ sql, readOnly: false, noTransaction: false }, Path.root, null)
    assert.deepEqual(
      await run(
        'SELECT id, name, CAST(9007199254740993 AS bigint) AS big, CAST(1 AS bit) AS b FROM author WHERE id = 1',
      ),
      {
        result_type: 'TuplesOk',
        result: [
          ['id', 'name', 'big', 'b'],
          [1, 'Bob', JSON.rawJSON('9007199254740993'), true],
        ],
      },
    )
    const numbers = [
      ['decimal(38,18)', '12345678901234567890.123456789012345678'],
      ['decimal(38,0)', '-99999999999999999999999999999999999999'],
      ['numeric(4,3)', '-0.001'],
      ['decimal(18,2)', '1.10'],
      ['money', '-922337203685477.5808'],
      ['money', '922337203685477.5807'],
      ['smallmoney', '-0.0001'],
      ['bigint', '-9223372036854775808'],
    ]
    const cells = numbers.map(
      ([type, text], i) => `CAST('${text}' AS ${type}) AS c${i}, CAST(NULL AS ${type}) AS n${i}`,
    )
    const shown = await run(`SELECT ${cells.join(', ')}`)
    assert.deepEqual(
      shown?.result?.[1],
      numbers.flatMap(([, text]) => [exactNumber(String(text)), null]),
    )
    assert.deepEqual(await run('SELECT id FROM author WHERE id = 9'), { result_type: 'CommandOk', result: null })
    assert.deepEqual(await run("INSERT INTO author (name) VALUES ('Carol')"), {
      result_type: 'CommandOk',
      result: null,
    })
  })

  test('rolls a script back that an inspection refuses, and one that is to read only', async (t) => {
    const { source } = await begin(t)
    const run = (readOnly: boolean, inspect: (() => Promise<void>) | null) =>
      source.runSql?.(
        { sql: "INSERT INTO author (name) VALUES ('Carol')", readOnly, noTransaction: false },
        Path.root,
        inspect,
      )
    await assert.rejects(
      async () => run(false, async () => Promise.reject(new ApiError('dependency-error', Path.root, 'no'))),
      { message: 'no' },
    )
    await run(true, null)
    assert.equal(String(await source.query(names, [])), '[{"name":"Bob"},{"name":"Alice"}]')
  })

  test('classes errors of scripts by their numbers', async (t) => {
    const { source } = await begin(t)
    await assert.rejects(
      async () =>
        source.runSql?.({ sql: 'SELECT * FROM nope', readOnly: false, noTransaction: false }, Path.root, null),
      {
        code: 'not-found',
        message: "Syntax error or access violation. Table or view not found. Invalid object name 'nope'.",
      },
    )
  })

  test('switches SHOWPLAN off again, also after an error', async (t) => {
    const { server, source } = await begin(t)
    await source.explain('SELECT 1 AS [x]').catch(() => {})
    const modes = server.statements.filter((text) => text.includes('SHOWPLAN'))
    assert.deepEqual(modes, ['SET SHOWPLAN_TEXT ON', 'SET SHOWPLAN_TEXT OFF'])
  })
})
