/** What an engine makes of the faults of a SQL Server: those that only a double has on command. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startEngine } from '../../engine.ts'
import { createTestDatabase } from '../../postgres.ts'
import { openSqlServerDouble } from '../sql-server-double.ts'
import { serveSource } from './served-source.ts'

const setup = `DROP TABLE IF EXISTS author; CREATE TABLE author (id int IDENTITY PRIMARY KEY, name nvarchar(100) NOT NULL UNIQUE);
  INSERT INTO author (name) VALUES ('Bob'), ('Alice')`
const query = '{ author(order_by: {id: asc}) { id name } }'
const both = '{"data":{"author":[{"id":1,"name":"Bob"},{"id":2,"name":"Alice"}]}}'
const codeOf = (text: string): unknown => JSON.parse(text).errors?.[0]?.extensions?.code

// a real server has no faults on command
suite('an engine on SQL Server with faults', { skip: process.env.SVC_TEST_MSSQL_URL !== undefined }, () => {
  test('says which login was refused and which database is unknown, and keeps such a source as inconsistent', async (t) => {
    const double = await openSqlServerDouble()
    t.after(() => double.stop())
    const engine = await startEngine({}, t)
    for (const [from, to, reason] of [
      ['Uid=sa', 'Uid=nobody', /Login failed for user 'nobody'/],
      ['Database=svc', 'Database=nope', /Login failed|Cannot open database/],
      [String(double.port), '1', /ECONNREFUSED|connect/],
    ] as const) {
      const connection_string = double.connectionString.replace(from, to)
      const { status, text } = await engine.metadata('mssql_add_source', {
        name: 'ms',
        configuration: { connection_info: { connection_string } },
      })
      assert.equal(status, 400, text)
      assert.match(text, reason)
      assert.doesNotMatch(text, /Str0ng/)
    }
  })

  test('serves while the server is away and when it has returned', async (t) => {
    const { double, graphql } = await serveSource(t, [setup], ['author'])
    assert.equal(await graphql(query), both)
    await double?.stop()
    const away = await graphql(query)
    assert.equal(codeOf(away), 'unexpected', away)
    assert.match(away, /mssql connection error/)
    await double?.start()
    assert.equal(await graphql(query), both)
  })

  test('serves a source whose server was away when it started, once the server is there', async (t) => {
    const double = await openSqlServerDouble()
    t.after(() => double.stop())
    const { url } = await createTestDatabase(t)
    const first = await startEngine({ databaseUrl: url }, t)
    for (const [type, args] of [
      [
        'mssql_add_source',
        { name: 'ms', configuration: { connection_info: { connection_string: double.connectionString } } },
      ],
      ['mssql_run_sql', { source: 'ms', sql: setup }],
      ['mssql_track_table', { source: 'ms', table: 'author' }],
    ] as const) {
      const { status, text } = await first.post(type === 'mssql_run_sql' ? '/v2/query' : '/v1/metadata', { type, args })
      assert.equal(status, 200, text)
    }
    await first.stop()
    await double.stop()
    const engine = await startEngine({ databaseUrl: url }, t)
    await engine.observed('model-updated')
    const ask = async () => (await engine.post('/v1/graphql', { query })).text
    const { body } = await engine.metadata('get_inconsistent_metadata', {})
    const [{ type, definition, message }] = body
    assert.deepEqual([type, definition], ['source', 'ms'])
    assert.match(message, /Failed to connect to 127\.0\.0\.1/)
    assert.equal(codeOf(await ask()), 'validation-failed')
    // without a request for it: it is tried again by itself
    await engine.observed('source-unavailable', ({ source, attempt }) => source === 'ms' && attempt === 2)
    await double.start()
    await engine.observed('source-connected', ({ source }) => source === 'ms')
    await engine.observed('model-updated')
    assert.equal(await ask(), both)
    assert.deepEqual((await engine.metadata('get_inconsistent_metadata', {})).body, [])
  })

  test('reads once more what a lost connection did not answer, and never a mutation', async (t) => {
    const { double, graphql } = await serveSource(t, [setup], ['author'])
    double?.when(/FROM \[dbo\]\.\[author\]/, { kind: 'cut' })
    assert.equal(await graphql(query), both)
    double?.when(/INSERT INTO \[dbo\]/, { kind: 'cut-after' })
    const lost = await graphql('mutation { insert_author(objects: [{name: "Carl"}]) { affected_rows } }')
    assert.equal(codeOf(lost), 'unexpected', lost)
    // the transaction went with its connection
    assert.equal(await graphql(query), both)
  })

  test('takes an answer that cannot be read for a lost connection, and serves on', async (t) => {
    const { double, graphql } = await serveSource(t, [setup], ['author'])
    double?.when(/INSERT INTO \[dbo\]/, { kind: 'garbage' })
    const lost = await graphql('mutation { insert_author(objects: [{name: "Carl"}]) { affected_rows } }')
    assert.equal(codeOf(lost), 'unexpected', lost)
    assert.equal(await graphql(query), both)
  })

  test('answers a deadlock once, and nothing is half done', async (t) => {
    const { double, graphql } = await serveSource(t, [setup], ['author'])
    double?.when(/INSERT INTO \[dbo\]/, { kind: 'error', number: 1205, message: 'Transaction was deadlocked' })
    const chosen = await graphql('mutation { insert_author(objects: [{name: "Carl"}]) { affected_rows } }')
    assert.equal(codeOf(chosen), 'unexpected', chosen)
    assert.equal(await graphql(query), both)
    const again = await graphql('mutation { insert_author(objects: [{name: "Carl"}]) { affected_rows } }')
    assert.equal(again, '{"data":{"insert_author":{"affected_rows":1}}}')
  })

  test('puts together answers of many pieces', async (t) => {
    const names = Array.from({ length: 400 }, (_, index) => `('${String(index).padStart(40, 'n')}')`).join(', ')
    const { graphql } = await serveSource(t, [setup, `INSERT INTO author (name) VALUES ${names}`], ['author'])
    const { data } = JSON.parse(
      await graphql('{ author { id name } author_aggregate { aggregate { count } nodes { name } } }'),
    )
    assert.equal(data.author.length, 402)
    assert.equal(data.author_aggregate.nodes.length, 402)
    const deleted = await graphql('mutation { delete_author(where: {}) { affected_rows returning { id name } } }')
    assert.equal(JSON.parse(deleted).data.delete_author.returning.length, 402)
  })

  test('reads no more of what a mutation answers than it may have, and writes nothing of that field', async (t) => {
    const env = { SVC_GRAPHQL_MAX_RESPONSE_SIZE: '100000' }
    const { double, graphql } = await serveSource(t, [setup], ['author'], {}, { env })
    assert.ok(double)
    const insert = (name: string) => `{ insert_author(objects: [{name: "${name}"}]) { returning { id name } } }`
    // 224,000 bytes, of 200,000 and a little that it may have: a client that reads on waits for ever
    const met = double.when(/\[mutation_response\]/, { kind: 'unfinished', characters: 112_000 })
    const refused = await graphql(`mutation ${insert('Carl')}`)
    await met
    assert.equal(codeOf(refused), 'bad-request', refused)
    assert.match(refused, /the answer is larger than 100000 bytes/)
    assert.equal(await graphql(query), both)
  })

  test('cancels on the server what its client has given up', async (t) => {
    const { double, engine, graphql } = await serveSource(t, [setup], ['author'])
    assert.ok(double)
    const met = double.when(/FROM \[dbo\]\.\[author\]/, { kind: 'wait', until: new Promise(() => {}) })
    const abort = new AbortController()
    const given = fetch(`${engine.url}/v1/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-svc-admin-secret': engine.secret },
      body: JSON.stringify({ query }),
      signal: abort.signal,
    })
    await met
    abort.abort()
    await assert.rejects(given)
    await double.attention(1)
    assert.equal(await graphql(query), both)
  })

  test('bounds its pool: a request waits for a connection that another has', async (t) => {
    const { double, graphql } = await serveSource(t, [setup], ['author'], { pool_settings: { max_connections: 1 } })
    assert.ok(double)
    let release = () => {}
    const met = double.when(/FROM \[dbo\]\.\[author\]/, {
      kind: 'wait',
      until: new Promise<void>((resolve) => {
        release = resolve
      }),
    })
    const first = graphql(query)
    await met
    const second = graphql('{ author_by_pk(id: 1) { name } }')
    release()
    assert.equal(await first, both)
    assert.equal(await second, '{"data":{"author_by_pk":{"name":"Bob"}}}')
  })
})
