/**
 * Owned objects: another client that changes one is warned or refused, whatever the operation, and it is known who did.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { type Answer, type Engine, startEngine } from '../engine.ts'

const shop = { 'x-svc-owner': 'terraform shop' }
const blog = { 'x-svc-owner': 'pulumi blog/prod' }

type Headers = Readonly<Record<string, string | null>>

const permission = (table: string, role = 'user', columns: unknown = ['id']) => ({
  type: 'pg_create_select_permission',
  args: { table, role, permission: { columns, filter: {} } },
})
const track = (table: string) => ({ type: 'pg_track_table', args: { table } })

async function ownersIn(engine: Engine): Promise<readonly string[]> {
  const { body, text } = await engine.metadata('get_object_owners', {})
  assert.ok(Array.isArray(body.owners), text)
  return body.owners
    .map(({ object, owner }: { object: { name: string }; owner: string }) => `${object.name}: ${owner}`)
    .sort()
}

async function versionOf(engine: Engine): Promise<number> {
  return Number((await engine.metadata('export_metadata', {})).headers['x-svc-resource-version'])
}

/** The operations that would change what `terraform shop` owns: table `a` with a permission of `user`, in source `default`. */
function* waysRound(metadata: { readonly sources: readonly object[] }): Generator<{ path: string; body: object }> {
  const path = '/v1/metadata'
  const operations = [
    { type: 'pg_drop_select_permission', args: { table: 'a', role: 'user' } },
    { type: 'pg_untrack_table', args: { table: 'a', cascade: true } },
    { type: 'pg_drop_source', args: { name: 'default', cascade: true } },
    { type: 'pg_set_table_customization', args: { table: 'a', configuration: { custom_name: 'other' } } },
    { type: 'clear_metadata', args: {} },
    { type: 'replace_metadata', args: { version: 3, sources: [] } },
    {
      type: 'replace_metadata',
      version: 2,
      args: { allow_inconsistent_metadata: true, metadata: { version: 3, sources: [] } },
    },
    { type: 'rename_source', args: { name: 'default', new_name: 'other' } },
  ]
  for (const operation of operations) {
    yield { path, body: operation }
    yield { path, body: { type: 'bulk', args: [track('b'), { type: 'bulk', args: [operation] }] } }
    if (operation.type !== 'rename_source') yield { path, body: { type: 'bulk_atomic', args: [operation] } }
  }
  // in one request it is there again, and not the same
  yield {
    path,
    body: { type: 'bulk', args: [operations[0], permission('a', 'user', '*')] },
  }
  yield {
    path,
    body: { type: 'bulk_atomic', args: [operations[0], permission('a', 'user', '*')] },
  }
  const without = JSON.parse(JSON.stringify(metadata))
  without.sources[0].tables.find(({ table }: { table: { name: string } }) => table.name === 'a').select_permissions = []
  yield { path, body: { type: 'replace_metadata', args: without } }
  const sql = (text: string) => ({ type: 'run_sql', args: { sql: text, cascade: true } })
  for (const text of [
    'DROP TABLE a',
    'ALTER TABLE a RENAME TO c',
    'ALTER TABLE a RENAME COLUMN id TO key',
    'ALTER TABLE a DROP COLUMN id',
  ])
    for (const body of [sql(text), { type: 'bulk', args: [sql('SELECT 1'), sql(text)] }])
      yield { path: '/v2/query', body }
}

async function start(
  t: Parameters<typeof startEngine>[1],
  env: Readonly<Record<string, string>> = {},
): Promise<Engine> {
  const engine = await startEngine({ env }, t)
  const client = new pg.Client({ connectionString: engine.databaseUrl })
  await client.connect()
  await client.query('CREATE TABLE a (id int PRIMARY KEY, n int); CREATE TABLE b (id int PRIMARY KEY)')
  await client.end()
  for (const one of [track('a'), permission('a')]) {
    const { status, text } = await engine.post('/v1/metadata', one, shop)
    assert.equal(status, 200, text)
  }
  return engine
}

const owned = [
  'select_permission user in table a in source default: terraform shop',
  'table a in source default: terraform shop',
]

test('an object that a stack declares', async (t) => {
  const engine = await start(t)
  const ask = (body: object, headers: Headers = {}) => engine.post('/v1/metadata', body, headers)

  await t.test('is owned by it, at every instance and after a restart', async (t) => {
    const other = await startEngine({ databaseUrl: engine.databaseUrl }, t)
    assert.deepEqual(await ownersIn(engine), owned)
    assert.deepEqual(await ownersIn(other), await ownersIn(engine))
    await engine.post('/v1/metadata', permission('a', 'late'), blog)
    await engine.metadata('export_metadata', {})
    assert.equal((await other.metadata('export_metadata', {})).status, 200)
    assert.deepEqual(await ownersIn(other), await ownersIn(engine))
    await engine.post('/v1/metadata', { type: 'pg_drop_select_permission', args: { table: 'a', role: 'late' } }, blog)
    assert.equal((await other.metadata('export_metadata', {})).status, 200)
    assert.deepEqual(await ownersIn(other), owned)
  })

  await t.test(
    'is changed by its owner without a word, and by others with a warning, a line of the log and an entry',
    async () => {
      const comment = (text: string) => ({
        type: 'pg_set_table_customization',
        args: { table: 'a', configuration: { comment: text } },
      })
      assert.deepEqual((await ask(comment('own'), shop)).body, { message: 'success' })
      const since = await versionOf(engine)
      for (const headers of [{ 'x-svc-actor': 'mia' }, blog]) {
        const { status, body, text } = await ask(comment(JSON.stringify(headers)), headers)
        assert.equal(status, 200, text)
        assert.deepEqual(body.warnings, [
          {
            code: 'owned-by-another',
            type: 'table',
            name: 'table a in source default',
            message: 'table a in source default is owned by "terraform shop"',
          },
        ])
      }
      await engine.observed('owned-changed')
      const { body } = await engine.metadata('get_metadata_changes', { since_resource_version: since })
      assert.deepEqual(
        body.changes.map(({ owner, by }: { owner: string; by: { actor: string; owner?: string } }) => [
          owner,
          by.actor,
          by.owner,
        ]),
        [
          ['terraform shop', 'mia', undefined],
          ['terraform shop', null, 'pulumi blog/prod'],
        ],
      )
      const { body: audit } = await engine.metadata('get_audit_log', { limit: 1 })
      assert.deepEqual(audit.entries[0].overruled, [{ owner: 'terraform shop', objects: 1 }])
      // the owner stays, and a dry run warns as well
      assert.deepEqual((await ask(comment('own'), shop)).body, { message: 'success' })
      const dry = await ask({ ...comment('dry'), dry_run: true })
      assert.match(dry.text, /owned by \\"terraform shop\\"/)
      const members = [track('b'), comment('dry')]
      const { body: bulk } = await ask({ type: 'bulk_atomic', args: members, dry_run: true })
      assert.deepEqual(
        bulk.results.map(({ result }: { result: { warnings?: readonly { code: string }[] } }) =>
          result.warnings?.map(({ code }) => code),
        ),
        [undefined, ['owned-by-another']],
      )
    },
  )

  await t.test('is handed over, released and taken on purpose', async () => {
    const only = [{ type: 'select_permission', key: { role: 'user' } }]
    const set = (args: object, headers: Headers = {}) => ask({ type: 'set_object_owners', args }, headers)
    assert.deepEqual((await set({ owner: 'pulumi blog/prod', from: 'terraform shop', objects: only })).body, {
      changed: 1,
    })
    assert.deepEqual((await set({ owner: 'pulumi blog/prod', from: 'terraform shop', objects: only })).body, {
      changed: 0,
    })
    assert.deepEqual(
      (await ownersIn(engine)).filter((one) => one.includes('permission')),
      ['select_permission user in table a in source default: pulumi blog/prod'],
    )
    assert.deepEqual((await set({ owner: null, objects: only })).body, { changed: 1 })
    // what has no owner belongs to the stack that writes it
    const changed = {
      type: 'bulk',
      args: [{ type: 'pg_drop_select_permission', args: { table: 'a', role: 'user' } }, permission('a')],
    }
    assert.equal((await ask(changed)).status, 200)
    assert.ok(!(await ownersIn(engine)).some((one) => one.includes('permission')))
    assert.deepEqual((await set({ owner: 'terraform shop', from: null, objects: only })).body, { changed: 1 })
    // again and again in a request that changes metadata
    const to = (owner: string, from: string) => ({ type: 'set_object_owners', args: { owner, from, objects: only } })
    const handed = [to('x', 'terraform shop'), to('terraform shop', 'x')]
    const { body: answers } = await ask({
      type: 'bulk',
      args: [...handed, track('b'), { ...track('b'), type: 'pg_untrack_table' }],
    })
    assert.deepEqual(answers, [{ changed: 1 }, { changed: 1 }, { message: 'success' }, { message: 'success' }])
    for (const args of [
      {},
      { owner: '' },
      { owner: 'x'.repeat(201) },
      { owner: 'x', objects: [1] },
      { owner: 'x', to: 'y' },
    ])
      assert.equal((await set(args)).body.code, 'parse-failed')
    assert.equal((await ask(track('b'), { 'x-svc-owner': 'x'.repeat(201) })).status, 400)
  })

  await t.test('is owned no more once it is dropped, and is its owner’s again where that is reverted', async () => {
    const drop = { type: 'pg_untrack_table', args: { table: 'b' } }
    await ask(track('b'), blog)
    await ask(drop, blog)
    await ask(track('b'))
    assert.ok(!(await ownersIn(engine)).some((one) => one.startsWith('table b in')))
    await ask(drop)
    const before = await ownersIn(engine)
    // the source refuses at COMMIT what the catalogue has stored
    const client = new pg.Client({ connectionString: engine.databaseUrl })
    await client.connect()
    await client.query(
      'CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE q (id int REFERENCES p DEFERRABLE INITIALLY DEFERRED)',
    )
    await client.end()
    const failing = 'DROP TABLE a; INSERT INTO q VALUES (1)'
    const { status, text } = await engine.post('/v2/query', { type: 'run_sql', args: { sql: failing, cascade: true } })
    assert.ok(status >= 400, text)
    assert.deepEqual(await ownersIn(engine), before)
  })
})

test('an object that a stack declares and that is protected', async (t) => {
  const engine = await start(t, { SVC_GRAPHQL_PROTECT_OWNED: 'true' })
  const metadata = (await engine.metadata('export_metadata', {})).body
  const tokenOf = async (name: string, scopes: readonly object[]): Promise<Headers> => {
    const { body, text } = await engine.metadata('create_access_token', { name, scopes })
    assert.ok(body.token, text)
    return { 'x-svc-admin-secret': null, 'x-svc-access-token': body.token }
  }
  const refused = ({ status, body, text }: Answer, what: object) => {
    assert.deepEqual([status, body.code], [403, 'access-denied'], `${JSON.stringify(what)} ${text}`)
    assert.match(body.error, /owned by "terraform shop"/)
  }

  await t.test('is changed by no other client, whatever the operation, in dry runs too', async () => {
    const before = await versionOf(engine)
    const owners = await ownersIn(engine)
    const change = await tokenOf('change', [{ allow: 'change' }, { allow: 'sql' }])
    let ways = 0
    for (const { path, body } of waysRound(metadata)) {
      ways += 1
      for (const headers of [{}, blog, change]) refused(await engine.post(path, body, headers), body)
      if (path !== '/v1/metadata') continue
      const dry = await engine.post(path, { ...body, dry_run: true })
      assert.equal(dry.status, 200, dry.text)
      assert.match(dry.text, /owned by \\"terraform shop\\"/, JSON.stringify(body))
      assert.ok(
        dry.body.results.some(({ verdict }: { verdict: string }) => verdict === 'error'),
        dry.text,
      )
    }
    assert.ok(ways > 30, String(ways))
    const { body: kept } = await engine.post('/v1/metadata', {
      type: 'bulk_keep_going',
      args: [track('b'), { type: 'pg_untrack_table', args: { table: 'a', cascade: true } }],
    })
    assert.deepEqual([kept[0], kept[1].code], [{ message: 'success' }, 'access-denied'])
    await engine.post('/v1/metadata', { type: 'pg_untrack_table', args: { table: 'b' } })
    for (const args of [{ owner: null }, { owner: 'pulumi blog/prod', from: 'terraform shop' }])
      for (const headers of [{}, blog, change])
        assert.equal((await engine.post('/v1/metadata', { type: 'set_object_owners', args }, headers)).status, 403)
    assert.deepEqual(await ownersIn(engine), owners)
    assert.deepEqual((await engine.metadata('export_metadata', {})).body, metadata)
    assert.ok((await versionOf(engine)) >= before)
  })

  await t.test('is changed by its owner, and by those who break the glass, which is recorded', async () => {
    const to = (role: string) => permission('a', role)
    const comment = (text: string) => ({
      type: 'pg_set_table_customization',
      args: { table: 'a', configuration: { comment: text } },
    })
    assert.equal((await engine.post('/v1/metadata', comment('own'), shop)).status, 200)
    // what has no owner is not protected, nor is it inside an owned object
    assert.equal((await engine.post('/v1/metadata', to('extra'))).status, 200)
    const glass = await tokenOf('on-call', [{ allow: 'change' }, { allow: 'break_glass' }])
    for (const [headers, reason] of [
      [glass, ''],
      [{ ...glass, 'x-svc-break-glass': 'incident 7' }, 'incident 7'],
      [{ 'x-svc-break-glass': 'incident 8' }, 'incident 8'],
    ] as const) {
      const { status, body, text } = await engine.post(
        '/v1/metadata',
        comment(`${reason} ${JSON.stringify(headers).length}`),
        headers,
      )
      assert.equal(status, 200, text)
      assert.equal(body.warnings[0].code, 'owned-by-another')
      const { body: audit } = await engine.metadata('get_audit_log', { limit: 1 })
      assert.deepEqual([audit.entries[0].break_glass, audit.entries[0].overruled.length], [reason, 1])
    }
    // who takes it with the glass broken leaves the same record
    const taken = { type: 'set_object_owners', args: { owner: 'mine', from: 'terraform shop' } }
    const done = await engine.post('/v1/metadata', taken, { 'x-svc-break-glass': 'incident 9' })
    assert.deepEqual([done.status, done.body.changed], [200, 2], done.text)
    const { body: kept } = await engine.metadata('get_audit_log', { limit: 1 })
    const [{ overruled, break_glass }] = kept.entries
    assert.deepEqual([overruled, break_glass], [[{ owner: 'terraform shop', objects: 2 }], 'incident 9'])
    const back = { type: 'set_object_owners', args: { owner: 'terraform shop', from: 'mine' } }
    assert.equal((await engine.post('/v1/metadata', back, { 'x-svc-break-glass': 'incident 9' })).status, 200)
    // so does SQL whose metadata is stored with a second try, after a change of another instance
    const sql = (text: string) => ({ type: 'run_sql', args: { sql: text } })
    const outrun = sql('UPDATE svc_catalog.metadata SET resource_version = resource_version + 1')
    const renamed = { type: 'bulk', args: [sql('ALTER TABLE a RENAME id TO key'), outrun] }
    const ran = await engine.post('/v2/query', renamed, { 'x-svc-break-glass': 'incident 10' })
    assert.equal(ran.status, 200, ran.text)
    const { body: log } = await engine.metadata('get_audit_log', { limit: 1 })
    assert.deepEqual(
      [log.entries[0].overruled?.[0]?.owner, log.entries[0].break_glass],
      ['terraform shop', 'incident 10'],
    )
    const undo = sql('ALTER TABLE a RENAME key TO id')
    assert.equal((await engine.post('/v2/query', undo, { 'x-svc-break-glass': 'incident 10' })).status, 200)
    // the scope alone changes nothing, and a header of a token without it neither
    const alone = await tokenOf('alone', [{ allow: 'break_glass' }])
    assert.equal((await engine.post('/v1/metadata', comment('x'), alone)).status, 403)
    const change = await tokenOf('no-glass', [{ allow: 'change' }])
    refused(await engine.post('/v1/metadata', comment('x'), { ...change, 'x-svc-break-glass': 'please' }), {})
  })

  await t.test('is not changed by a token that may write only for other owners', async () => {
    const ofBlog = await tokenOf('blog', [{ allow: 'change', owners: ['pulumi blog/prod'] }])
    const comment = { type: 'pg_set_table_customization', args: { table: 'a', configuration: { comment: 'posing' } } }
    for (const headers of [ofBlog, { ...ofBlog, ...shop }])
      assert.equal((await engine.post('/v1/metadata', comment, headers)).status, 403)
    assert.equal((await engine.post('/v1/metadata', track('b'), { ...ofBlog, ...blog })).status, 200)
  })
})
