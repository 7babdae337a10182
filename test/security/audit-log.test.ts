/** The audit log: who changed what, or was refused what, from where; and no secret of any request. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'

interface Entry {
  readonly id: number
  readonly request_id: string
  readonly actor: string | null
  readonly credential: string | null
  readonly address: string
  readonly endpoint: string
  readonly operations: readonly { readonly type: string; readonly object: object; readonly code?: string }[]
  readonly operation_count: number
  readonly dry_run: boolean
  readonly outcome: string
  readonly status: number
  readonly code: string | null
  readonly resource_version: number | null
  readonly failed_operations?: number
  readonly ran_operations?: number
}

const entriesOf = async (engine: Engine, args: object = { limit: 1000 }): Promise<readonly Entry[]> =>
  (await engine.metadata('get_audit_log', args)).body.entries

const canary = 'c4nary-9d1f'

test('the audit log', async (t) => {
  const engine = await startEngine({ env: { SVC_GRAPHQL_AUDIT_LOG_SIZE: '200' } }, t)
  const client = new pg.Client({ connectionString: engine.databaseUrl })
  await client.connect()
  t.after(() => client.end())
  await client.query('CREATE TABLE a (id int PRIMARY KEY)')
  const scopes = [{ allow: 'plan' }]
  const { body } = await engine.metadata('create_access_token', { name: 'ci', scopes })
  const by = { 'x-svc-admin-secret': null, 'x-svc-access-token': String(body.token), 'x-svc-actor': 'run 7' }
  const stranger = { 'x-svc-admin-secret': 'wrong', 'x-forwarded-for': '203.0.113.9' }

  await t.test('has each request that changed something or was refused, and no other', async () => {
    const before = (await entriesOf(engine))[0]?.id ?? 0
    const track = { type: 'pg_track_table', args: { source: 'default', table: { schema: 'public', name: 'a' } } }
    await engine.metadata('export_metadata', {})
    await engine.post('/v1/metadata', track, { 'x-svc-actor': 'mia' })
    await engine.post('/v1/metadata', { type: 'bulk', args: [track, { type: 'run_nothing', args: {} }] }, by)
    await engine.post('/v1/metadata', { type: 'clear_metadata', args: {} }, by)
    await engine.post('/v1/metadata', { type: 'clear_metadata', args: {}, dry_run: true }, by)
    await engine.post('/v1/metadata', track, stranger)
    await engine.post('/v2/query', { type: 'run_sql', args: { sql: 'SELECT 1' } })
    await engine.post('/v1/metadata', track)
    await engine.post('/v1/graphql/explain', { query: { query: '{ a { id } }' } }, by)
    await engine.post('/v1alpha1/pg_dump', { opts: ['--schema-only'] }, by)
    await engine.post('/v1/metadata', 'no request', by)
    await engine.metadata('revoke_access_token', { name: 'none' })
    const found = (await entriesOf(engine)).filter(({ id }) => id > before).reverse()
    assert.deepEqual(
      found.map(({ actor, credential, endpoint, operations, outcome, status, code }) => [
        actor,
        credential,
        endpoint,
        operations.map(({ type }) => type).join(),
        outcome,
        status,
        code,
      ]),
      [
        ['mia', 'admin', '/v1/metadata', 'pg_track_table', 'done', 200, null],
        ['token ci: run 7', 'token', '/v1/metadata', 'pg_track_table,run_nothing', 'refused', 403, 'access-denied'],
        ['token ci: run 7', 'token', '/v1/metadata', 'clear_metadata', 'refused', 403, 'access-denied'],
        [null, null, '/v1/metadata', '', 'refused', 401, 'access-denied'],
        [null, 'admin', '/v2/query', 'run_sql', 'done', 200, null],
        [null, 'admin', '/v1/metadata', 'pg_track_table', 'refused', 400, 'already-tracked'],
        ['token ci: run 7', 'token', '/v1/graphql/explain', '', 'refused', 403, 'access-denied'],
        [null, null, '/v1alpha1/pg_dump', '', 'refused', 403, 'access-denied'],
        ['token ci: run 7', 'token', '/v1/metadata', '', 'refused', 403, 'access-denied'],
        [null, 'admin', '/v1/metadata', 'revoke_access_token', 'refused', 400, 'not-exists'],
      ],
    )
    assert.deepEqual(found[0]?.operations, [
      { type: 'pg_track_table', object: { source: 'default', table: 'public.a' } },
    ])
    assert.deepEqual([found[3]?.address, found[0]?.address.replace('::ffff:', '')], ['203.0.113.9', '127.0.0.1'])
    // the change log has what became of the objects
    const changes = await engine.metadata('get_metadata_changes', { since_resource_version: 1 })
    const change = changes.body.changes.find(
      (one: { by: { request_id: string } }) => one.by.request_id === found[0]?.request_id,
    )
    assert.equal(change.resource_version, found[0]?.resource_version)
    // and lines of the log have the same
    for (const { request_id } of found) await engine.logged('"type":"audit"', request_id)
  })

  await t.test('has the entry of a change in the transaction of the change', async () => {
    const before = (await entriesOf(engine))[0]?.id ?? 0
    await engine.metadata('create_query_collection', { name: 'one', definition: { queries: [] } })
    // more changes than are stored with one statement
    const many = Array.from({ length: 501 }, (_, i) => ({
      type: 'create_query_collection',
      args: { name: `c${i}`, definition: { queries: [] } },
    }))
    assert.equal((await engine.metadata('bulk', many)).status, 200)
    const { rows } = await client.query(
      `SELECT a.xmin = l.xmin AS together, count(*)::int AS changes, (a.entry->>'resource_version')::int = l.resource_version AS same
       FROM svc_catalog.audit_log a
       JOIN svc_catalog.change_log l ON l.author->>'request_id' = a.entry->>'request_id'
       WHERE a.id > $1 GROUP BY a.id, 1, 3 ORDER BY a.id`,
      [before],
    )
    assert.deepEqual(rows, [
      { together: true, changes: 1, same: true },
      { together: true, changes: 501, same: true },
    ])
  })

  await t.test('has two entries of a change that was stored and reverted', async () => {
    const before = (await entriesOf(engine))[0]?.id ?? 0
    await client.query(
      'CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE c (p int REFERENCES p DEFERRABLE INITIALLY DEFERRED)',
    )
    // its commit is refused after metadata knows that the table is gone
    const answer = await engine.post('/v2/query', {
      type: 'run_sql',
      args: { sql: 'DROP TABLE a; INSERT INTO c VALUES (1)', cascade: true },
    })
    assert.notEqual(answer.status, 200, answer.text)
    const found = (await entriesOf(engine)).filter(({ id }) => id > before).reverse()
    assert.deepEqual(
      found.map(({ outcome, code }) => [outcome, code]),
      [
        ['done', null],
        ['refused', 'postgres-error'],
      ],
    )
    assert.equal(found[0]?.request_id, found[1]?.request_id)
    const { body: metadata } = await engine.metadata('export_metadata', {})
    assert.deepEqual(
      metadata.sources[0].tables.map(({ table }: { table: { name: string } }) => table.name),
      ['a'],
    )
  })

  await t.test('has a bulk that went on after failures as partially failed', async () => {
    const track = (table: string) => ({ type: 'pg_track_table', args: { table } })
    const ran = async (type: string, args: readonly object[]) => {
      await engine.post('/v1/metadata', { type, args })
      const [entry] = await entriesOf(engine, { limit: 1 })
      const line = await engine.logged('"type":"audit"', `${entry?.request_id}`)
      assert.equal(JSON.parse(line).detail.outcome, entry?.outcome)
      assert.deepEqual(JSON.parse(line).detail.operations, entry?.operations)
      const codes = entry?.operations.map(({ code = null }) => code)
      return codes?.some((code) => code !== null)
        ? [entry?.outcome, entry?.status, entry?.failed_operations, codes]
        : [entry?.outcome, entry?.status, entry?.failed_operations]
    }
    await engine.metadata('pg_untrack_table', { table: 'a' })
    assert.deepEqual(await ran('bulk_keep_going', [track('a'), track('none'), track('none')]), [
      'partially-failed',
      200,
      2,
      [null, 'invalid-configuration', 'invalid-configuration'],
    ])
    // of a bulk inside it that failed, what ran before the failure too, since it was undone
    await engine.metadata('pg_untrack_table', { table: 'a' })
    assert.deepEqual(
      await ran('bulk_keep_going', [
        { type: 'bulk', args: [track('a'), track('none')] },
        { type: 'bulk_keep_going', args: [track('none'), track('a')] },
        { type: 'create_query_collection', args: { name: 'kept', definition: { queries: [] } } },
      ]),
      [
        'partially-failed',
        200,
        2,
        [null, 'invalid-configuration', 'invalid-configuration', 'invalid-configuration', null],
      ],
    )
    await engine.metadata('drop_query_collection', { collection: 'kept' })
    // nothing of it was stored, and of what only has effects elsewhere
    assert.deepEqual(await ran('bulk_keep_going', [track('none')]), [
      'partially-failed',
      200,
      1,
      ['invalid-configuration'],
    ])
    const revoke = { type: 'revoke_access_token', args: { name: 'none' } }
    assert.deepEqual(await ran('bulk_keep_going', [revoke]), ['partially-failed', 200, 1, ['not-exists']])
    assert.deepEqual(await ran('bulk_keep_going', [{ type: 'pg_untrack_table', args: { table: 'a' } }]), [
      'done',
      200,
      undefined,
    ])
    await engine.metadata('pg_track_table', { table: 'a' })
  })

  await t.test('has a bulk that failed after something in it had its effect as partially failed', async () => {
    const last = async () => {
      const [entry] = await entriesOf(engine, { limit: 1 })
      return [entry?.outcome, entry?.status, entry?.ran_operations]
    }
    const value = `svct_${'v'.repeat(40)}`
    const token = { type: 'create_access_token', args: { name: 'hidden', scopes, value } }
    const none = { type: 'pg_track_table', args: { table: 'none' } }
    const refused = { type: 'revoke_access_token', args: { name: 'none' } }
    for (const after of [none, refused]) {
      assert.equal((await engine.post('/v1/metadata', { type: 'bulk', args: [token, after] })).status, 400)
      assert.deepEqual(await last(), ['partially-failed', 400, 1])
      assert.equal((await engine.metadata('revoke_access_token', { name: 'hidden' })).status, 200)
    }
    const sql = (text: string) => ({ type: 'run_sql', args: { sql: text } })
    await engine.post('/v2/query', { type: 'bulk', args: [sql('CREATE TABLE stays (id int)'), sql('fail')] })
    assert.deepEqual(await last(), ['partially-failed', 400, 1])
    await engine.post('/v1/metadata', { type: 'bulk', args: [none, token] })
    assert.deepEqual(await last(), ['refused', 400, undefined])
  })

  await t.test('has an entry of a bound size, however much a request says', async () => {
    const name = 'n'.repeat(5000)
    const object = { source: name, table: { schema: name, name }, function: name, name, role: name, action: name }
    const many = Array.from({ length: 1000 }, () => ({ type: 'run_nothing', args: { ...object, trigger_name: name } }))
    assert.notEqual((await engine.post('/v1/metadata', { type: 'bulk', args: many })).status, 200)
    const [entry] = await entriesOf(engine, { limit: 1 })
    assert.equal(entry?.operation_count, 1000)
    assert.ok(JSON.stringify(entry).length < 25_000, String(JSON.stringify(entry).length))
  })

  await t.test('is read by pages, and only with the admin secret', async () => {
    const all = await entriesOf(engine)
    const [first, second] = [
      await entriesOf(engine, { limit: 2 }),
      await entriesOf(engine, { limit: 2, before: all[1]?.id }),
    ]
    assert.deepEqual([...first, ...second], all.slice(0, 4))
    for (const args of [{ limit: 0 }, { before: 'x' }, { after: 1 }])
      assert.equal((await engine.metadata('get_audit_log', args)).body.code, 'parse-failed')
    assert.equal((await engine.post('/v1/metadata', { type: 'get_audit_log', args: {} }, by)).status, 403)
  })

  await t.test('has no secret of any request, nor has its line', async () => {
    const secret = (what: string) => `${canary}-${what}`
    const requests: readonly object[] = [
      {
        type: 'pg_add_source',
        args: {
          name: 'x',
          configuration: { connection_info: { database_url: `postgres://u:${secret('password')}@127.0.0.1:1/x` } },
        },
      },
      {
        type: 'add_remote_schema',
        args: {
          name: 'r',
          definition: {
            url: `http://u:${secret('url')}@127.0.0.1:1/?token=${secret('query')}`,
            headers: [{ name: 'authorization', value: secret('header') }],
          },
        },
      },
      {
        type: 'create_action',
        args: {
          name: 'act',
          definition: { handler: 'http://127.0.0.1:1', headers: [{ name: 'x', value: secret('action') }] },
        },
      },
      { type: 'run_sql', args: { sql: `SELECT '${secret('sql')}'; fail` } },
      { type: 'create_access_token', args: { name: 't', scopes, value: `svct_${secret('token').padEnd(43, 'x')}` } },
      { type: 'set_catalog_state', args: { type: 'cli', state: { key: secret('state') } } },
      { type: secret('type'), args: { password: secret('unknown') } },
      { type: 'replace_metadata', args: { version: 3, sources: [], secret: secret('document') } },
      {
        type: 'bulk',
        args: [{ type: 'pg_track_table', args: { table: 'none', configuration: { comment: secret('member') } } }],
      },
      { [secret('key')]: secret('value') },
    ]
    const before = engine.log.length
    for (const request of requests) {
      await engine.post('/v1/metadata', request)
      await engine.post('/v1/metadata', request, by)
      await engine.post('/v1/metadata', request, { 'x-svc-admin-secret': secret('admin') })
      await engine.post('/v2/query', request, {
        'x-svc-admin-secret': null,
        'x-svc-access-token': secret('credential'),
      })
    }
    const entries = JSON.stringify(await entriesOf(engine))
    assert.ok(!entries.includes(canary), entries.slice(Math.max(0, entries.indexOf(canary) - 200)).slice(0, 400))
    const lines = engine.log.slice(before).filter((line) => line.includes('"type":"audit"'))
    assert.ok(lines.length >= 30, String(lines.length))
    for (const line of lines) assert.ok(!line.includes(canary), line)
    const { rows } = await client.query('SELECT entry::text FROM svc_catalog.audit_log')
    assert.ok(!JSON.stringify(rows).includes(canary))
  })

  await t.test('keeps so many entries, and what strangers send displaces nothing else', async () => {
    const kept = async () =>
      (
        await client.query<{ is_known: boolean; count: number }>(
          'SELECT is_known, count(*)::int FROM svc_catalog.audit_log GROUP BY 1 ORDER BY 1',
        )
      ).rows
    for (let i = 0; i < 60; i++)
      await Promise.all(Array.from({ length: 5 }, () => engine.post('/v1/metadata', { type: 'x', args: {} }, stranger)))
    const [strangers] = await kept()
    assert.ok(strangers && !strangers.is_known && strangers.count <= 21, JSON.stringify(strangers))
    for (let i = 0; i < 50; i++)
      await Promise.all(Array.from({ length: 5 }, () => engine.metadata('revoke_access_token', { name: 'none' })))
    const [, known] = await kept()
    assert.ok(known && known.count >= 200 && known.count <= 210, JSON.stringify(known))
  })
})

test('a change is answered although the audit log cannot be written, and the log says so', async (t) => {
  const engine = await startEngine({}, t)
  const client = new pg.Client({ connectionString: engine.databaseUrl })
  await client.connect()
  await client.query('DROP TABLE svc_catalog.audit_log; CREATE TABLE a (id int PRIMARY KEY)')
  await client.end()
  assert.equal((await engine.metadata('pg_track_table', { table: 'a' })).status, 200)
  await engine.observed('audit-log-failed')
})
