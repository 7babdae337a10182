/** Access tokens: what each scope allows and nothing else does, over every endpoint and transport. */
import assert from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { contractOperations } from '../admin/contract-operations.ts'
import { createSvcFolder } from '../cli/svc.ts'
import { type Answer, type Engine, type RequestHeaders, startEngine } from '../engine.ts'
import { openSocket } from '../websocket-client.ts'
import { adminsOnly, allowed, ofEvents, type Scope, scopes } from './scopes.ts'

/** They name no source. */
const ofSchedules = new Set(
  'create_scheduled_event delete_scheduled_event get_scheduled_events get_scheduled_event_invocations'.split(' '),
)

async function create(engine: Engine, name: string, scopes: readonly object[], more: object = {}): Promise<string> {
  const { status, body, text } = await engine.metadata('create_access_token', { name, scopes, ...more })
  assert.equal(status, 200, text)
  return body.token
}

const by = (token: string) => ({ 'x-svc-admin-secret': null, 'x-svc-access-token': token })

const ask = (engine: Engine, token: string, type: string, args: unknown, more: object = {}): Promise<Answer> =>
  engine.post('/v1/metadata', { type, args, ...more }, by(token))

function refused({ status, body, text }: Answer, expected = /does not allow this/): void {
  assert.deepEqual([status, body.code], [403, 'access-denied'], text)
  assert.match(body.error, expected)
}

async function start(t: TestContext): Promise<Engine> {
  const env = {
    SVC_GRAPHQL_ENABLED_APIS: 'metadata,graphql,pgdump,config,developer,metrics',
    SVC_GRAPHQL_ENABLE_RELAY: 'true',
  }
  const engine = await startEngine({ env }, t)
  const client = new pg.Client({ connectionString: engine.databaseUrl })
  await client.connect()
  await client.query('CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY)')
  await client.end()
  for (const table of ['a', 'b']) await engine.metadata('pg_track_table', { table })
  return engine
}

test('an access token', async (t) => {
  const engine = await start(t)
  const tokens = new Map<Scope, string>()
  for (const allow of scopes) tokens.set(allow, await create(engine, allow, [{ allow }]))
  const tokenOf = (scope: Scope) => tokens.get(scope) ?? ''

  await t.test('of each scope may call what the scope names and nothing else, in bulks and dry runs too', async () => {
    const names = new Map(contractOperations.map((operation) => [operation.name, operation]))
    const typeOf = (name: string) => {
      const operation = names.get(name)
      return operation && !operation.unprefixed
        ? `${operation.kinds[0] ?? ''}_${name}`.replace(/^postgres_/, 'pg_')
        : name
    }
    const operations = [
      ...names.keys(),
      ...adminsOnly,
      'get_metadata_changes',
      'get_object_owners',
      'set_object_owners',
      'list_drafts',
      'apply_draft',
      'restore_metadata',
    ].filter((name) => !/^(bulk|concurrent_bulk|dc_)/.test(name))
    assert.ok(operations.length > 120)
    for (const scope of scopes) {
      const cells = operations.flatMap((name) => {
        const operation = names.get(name)
        const type = typeOf(name)
        const bad = { type, args: 0 }
        const isSql = name === 'run_sql' || operation?.at === '/v2/query'
        const path = isSql ? '/v2/query' : '/v1/metadata'
        return [
          { path, body: bad, may: allowed(scope, name, false) },
          { path, body: { type: 'bulk', args: [{ type: 'bulk', args: [bad] }] }, may: allowed(scope, name, false) },
          ...(isSql
            ? []
            : [
                { path, body: { ...bad, dry_run: true }, may: allowed(scope, name, true) },
                ...(scope === 'plan' || scope === 'read'
                  ? [{ path, body: { ...bad, dry_run: { draft: true } }, may: allowed(scope, name, true) }]
                  : []),
                { path, body: { ...bad, dry_run: false }, may: allowed(scope, name, false) },
                { path, body: { type: 'bulk_atomic', args: [bad], dry_run: true }, may: allowed(scope, name, true) },
              ]),
          ...(operation?.onQuery && operation.unprefixed
            ? [{ path: '/v1/query', body: bad, may: allowed(scope, name, false) }]
            : []),
        ]
      })
      const answers = await Promise.all(cells.map(({ path, body }) => engine.post(path, body, by(tokenOf(scope)))))
      for (const [i, { path, body, may }] of cells.entries()) {
        const { status, text } = answers[i] as Answer
        assert.equal(status !== 403, may, `${scope} ${path} ${JSON.stringify(body)}: ${status} ${text}`)
        assert.ok(status < 500, text)
      }
    }
    // limited to a source: what names it, and nothing that lies in none
    const some = await create(engine, 'some events', [{ allow: 'events', sources: ['default'] }])
    await Promise.all(
      operations.flatMap((name) => {
        const type = typeOf(name)
        const given = ofEvents.has(name) ? ['default', 'other', 0, undefined] : ['default']
        return given.map(async (source) => {
          const may = source === 'default' && ofEvents.has(name) && !ofSchedules.has(name)
          const body = { type: 'bulk', args: [{ type, args: { source } }] }
          const { status, text } = await engine.post('/v1/metadata', body, by(some))
          assert.equal(status !== 403, may, `${JSON.stringify(body)}: ${status} ${text}`)
        })
      }),
    )
    // some of them take any arguments
    for (const table of ['a', 'b']) await engine.metadata('pg_track_table', { table })
  })

  await t.test('opens nothing but the metadata API', async () => {
    const token = await create(
      engine,
      'everything',
      scopes.map((allow) => ({ allow })),
    )
    const query = '{ a { id } }'
    for (const headers of [by(token), { 'x-svc-admin-secret': null, authorization: `Bearer ${token}` }]) {
      for (const path of ['/v1/graphql', '/v1alpha1/graphql', '/v1beta1/relay']) {
        const { text } = await engine.post(path, { query }, headers)
        assert.match(text, /access tokens count for the metadata API alone/)
      }
      const gets =
        '/v1alpha1/config /healthz/sources /svc/healthz/sources /hasura/healthz/sources /api/rest/none /api/swagger/json /v1/metrics /dev/subscriptions /dev/subscriptions/extended /dev/plan_cache'
      for (const path of gets.split(' ')) refused(await engine.get(path, headers), /count for the metadata API alone/)
      for (const path of ['/v1/graphql', '/v1alpha1/graphql', '/v1beta1/relay', '/v1/drafts/KEY/v1/graphql'])
        assert.match((await engine.get(`${path}?query={a{id}}`, headers)).text, /count for the metadata API alone/)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        refused(await engine.send(method, '/api/rest/none', null, headers), /count for the metadata API alone/)
      for (const path of ['/v1/drafts/KEY/v1/metadata', '/v1/drafts/KEY/v2/query'])
        assert.equal(
          (await engine.post(path, { type: 'export_metadata', args: {} }, headers)).body.code,
          'not-supported',
        )
      refused(await engine.post('/v1alpha1/pg_dump', { opts: [] }, headers), /count for the metadata API alone/)
      const explained = await engine.post('/v1/graphql/explain', { query: { query } }, headers)
      assert.equal(explained.status, 200, explained.text)
    }
    refused(await engine.post('/v1/graphql/explain', { query: { query } }, by(tokenOf('change'))))
    const asUser = await create(engine, 'explains', [{ allow: 'explain', roles: ['user'] }])
    for (const user of [
      undefined,
      {},
      { 'x-svc-role': 'admin' },
      { 'X-Svc-Role': 'other' },
      { 'x-svc-role': 'user' },
    ]) {
      const { status, text } = await engine.post('/v1/graphql/explain', { query: { query }, user }, by(asUser))
      // the user has no permission on the table
      assert.equal(status, user?.['x-svc-role'] === 'user' ? 400 : 403, text)
    }
    for (const protocol of ['graphql-transport-ws', 'graphql-ws'])
      for (const path of ['/v1/graphql', '/v1alpha1/graphql', '/v1beta1/relay', '/v1/drafts/KEY/v1/graphql'])
        for (const options of [
          { init: { 'x-svc-access-token': token } },
          { init: { Authorization: `Bearer ${token}` } },
          { init: {}, headers: { 'x-svc-access-token': token } },
        ]) {
          const error = await openSocket(engine, { protocol, path, ...options }).catch((refused: Error) => refused)
          assert.ok(error instanceof Error, `${protocol} ${path}`)
          // drafts have no websockets, the older protocol says so by a message
          assert.match(
            error.message,
            /socket closed: (4403|1000|1011)|connection_error|Unexpected server response: 40\d/,
          )
        }
  })

  await t.test('is refused when it is forged, expired, rotated or revoked, and shown once', async () => {
    const token = await create(engine, 'ci', [{ allow: 'read' }])
    assert.equal((await ask(engine, token, 'export_metadata', {})).status, 200)
    for (let i = 0; i < 100; i++) {
      const at = 5 + ((i * 7) % (token.length - 5))
      const other = token[at] === 'A' ? 'B' : 'A'
      const forged = token.slice(0, at) + other + token.slice(at + 1)
      const { status, body } = await ask(engine, forged, 'export_metadata', {})
      assert.deepEqual([status, body.code], [401, 'access-denied'])
    }
    for (const wrong of ['', 'svct_', `${token}x`, token.slice(0, -1), 'x'.repeat(5000)])
      assert.equal((await ask(engine, wrong, 'export_metadata', {})).status, 401)
    // two hold while the new one is spread
    const rotated = await engine.metadata('rotate_access_token', { name: 'ci', overlap: 1000 })
    for (const one of [token, rotated.body.token])
      assert.equal((await ask(engine, one, 'export_metadata', {})).status, 200)
    const again = await engine.metadata('rotate_access_token', { name: 'ci' })
    for (const one of [token, rotated.body.token])
      assert.equal((await ask(engine, one, 'export_metadata', {})).status, 401)
    assert.equal((await ask(engine, again.body.token, 'export_metadata', {})).status, 200)
    const { text, body } = await engine.metadata('list_access_tokens', {})
    for (const one of [token, rotated.body.token, again.body.token]) {
      assert.ok(!text.includes(one))
      assert.ok(!engine.log.some((line) => line.includes(one)))
    }
    const listed = body.access_tokens.find(({ name }: { name: string }) => name === 'ci')
    assert.deepEqual([listed.scopes, listed.superseded], [[{ allow: 'read' }], false])
    assert.ok(listed.last_used_at)
    assert.equal(
      (await engine.metadata('create_access_token', { name: 'ci', scopes: [{ allow: 'read' }] })).body.code,
      'already-exists',
    )
    assert.equal((await engine.metadata('revoke_access_token', { name: 'ci' })).status, 200)
    assert.equal((await ask(engine, again.body.token, 'export_metadata', {})).status, 401)
    assert.equal((await engine.metadata('revoke_access_token', { name: 'ci' })).body.code, 'not-exists')
    const client = new pg.Client({ connectionString: engine.databaseUrl })
    await client.connect()
    // a rotation makes none hold for ever that was to expire: the new value holds as long as the one before did
    await create(engine, 'bounded', [{ allow: 'read' }], { expires_in: 600 })
    const made = Date.now()
    for (const [args, seconds] of [
      [{}, 600],
      [{ expires_in: 60 }, 60],
      [{}, 60],
    ] as const) {
      const { body: bounded } = await engine.metadata('rotate_access_token', { name: 'bounded', ...args })
      const holds = (Date.parse(bounded.expires_at) - made) / 1000
      assert.ok(holds >= seconds - 1 && holds < seconds + 30, `${holds} of ${seconds}`)
    }
    // all values before the newest, and whatever has expired
    const former: string[] = []
    const rotate = async (args: object) => (await engine.metadata('rotate_access_token', args)).body.token
    for (let i = 0; i < 30; i++) former.push(await rotate({ name: 'bounded' }))
    const newest = await rotate({ name: 'bounded', expires_in: 600 })
    for (let i = 0; i < 30; i++)
      former.push(await create(engine, `over ${i}`, [{ allow: 'change' }], { expires_in: 60 }))
    await client.query(`UPDATE svc_catalog.access_tokens SET expires_at = now() WHERE name LIKE 'over %'`)
    const answers = await Promise.all(former.map((one) => ask(engine, one, 'export_metadata', {})))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([401]))
    const held = await ask(engine, newest, 'export_metadata', {})
    assert.deepEqual(
      [held.status, Date.parse(String(held.headers['x-svc-token-expires-at'])) > Date.now()],
      [200, true],
    )
    const short = await create(engine, 'short', [{ allow: 'read' }], { expires_in: 60 })
    assert.equal((await ask(engine, short, 'export_metadata', {})).status, 200)
    await client.query(`UPDATE svc_catalog.access_tokens SET expires_at = now() WHERE name = 'short'`)
    await client.end()
    assert.equal((await ask(engine, short, 'export_metadata', {})).status, 401)
    // its name is free again
    await create(engine, 'short', [{ allow: 'read' }])
  })

  await t.test('that is revoked at one instance is refused at another at once', async (t) => {
    const other = await startEngine({ databaseUrl: engine.databaseUrl }, t)
    const token = await create(engine, 'two', [{ allow: 'read' }])
    assert.equal((await ask(other, token, 'export_metadata', {})).status, 200)
    await engine.metadata('revoke_access_token', { name: 'two' })
    assert.equal((await ask(other, token, 'export_metadata', {})).status, 401)
  })

  await t.test(
    'whose scope is limited changes what the limits name, also by what an operation takes along',
    async () => {
      const permission = (table: string, role: string) => ({
        table,
        role,
        permission: { columns: ['id'], filter: {} },
      })
      const roles = await create(engine, 'roles', [{ allow: 'change', sources: ['default'], roles: ['user'] }])
      const made = await ask(engine, roles, 'pg_create_select_permission', permission('a', 'user'))
      assert.equal(made.status, 200, made.text)
      refused(
        await ask(engine, roles, 'pg_create_select_permission', permission('a', 'other')),
        /no change of this select permission/,
      )
      refused(await ask(engine, roles, 'pg_untrack_table', { table: 'a', cascade: true }), /no change of this/)
      refused(await ask(engine, roles, 'clear_metadata', {}), /no change of this/)
      const both = ['user', 'other'].map((role) => ({
        type: 'pg_create_select_permission',
        args: permission('b', role),
      }))
      for (const type of ['bulk', 'bulk_atomic']) refused(await ask(engine, roles, type, both))
      const kinds = await create(engine, 'kinds', [{ allow: 'change', kinds: ['object_relation', 'array_relation'] }])
      refused(await ask(engine, kinds, 'pg_drop_select_permission', { table: 'a', role: 'user' }))
      const elsewhere = await create(engine, 'elsewhere', [
        { allow: 'change', sources: ['other'] },
        { allow: 'sql', sources: ['other'] },
      ])
      refused(await ask(engine, elsewhere, 'pg_untrack_table', { table: 'a' }))
      refused(
        await engine.post('/v2/query', { type: 'run_sql', args: { sql: 'SELECT 1' } }, by(elsewhere)),
        /other sources/,
      )
      const { body } = await engine.metadata('export_metadata', {})
      const tables = body.sources[0].tables
      assert.deepEqual(
        tables.map((table: { table: { name: string }; select_permissions?: unknown[] }) => [
          table.table.name,
          table.select_permissions?.length ?? 0,
        ]),
        [
          ['a', 1],
          ['b', 0],
        ],
      )
    },
  )

  await t.test('names who changed something, whatever the request says of itself', async () => {
    const version = (await engine.metadata('export_metadata', {})).headers['x-svc-resource-version']
    const since = { since_resource_version: Number(version) }
    const comment = (text: string) => ({
      type: 'pg_set_table_customization',
      args: { table: 'a', configuration: { comment: text } },
    })
    await engine.post('/v1/metadata', comment('one'), { ...by(tokenOf('change')), 'x-svc-actor': 'run 77' })
    await engine.post('/v1/metadata', comment('two'), { 'x-svc-actor': 'token change' })
    const { body } = await engine.metadata('get_metadata_changes', since)
    assert.deepEqual(
      body.changes.map(({ by }: { by: { actor: string } }) => by.actor),
      ['token change: run 77', '"token" change'],
    )
  })

  await t.test('sends no secret of the engine anywhere, by a dry run neither', async () => {
    for (const header of [
      { name: 'x', value_from_env: 'SVC_GRAPHQL_ADMIN_SECRET' },
      { name: 'x', value: '{{SVC_GRAPHQL_ADMIN_SECRET}}' },
    ]) {
      const args = { name: 'r', definition: { url: 'http://127.0.0.1:1', headers: [header] } }
      for (const more of [{}, { dry_run: true }])
        refused(await ask(engine, tokenOf('change'), 'add_remote_schema', args, more), /secret of the engine/)
    }
  })

  await t.test('gains nothing by how a request is written', async () => {
    const change = '"type":"clear_metadata"'
    const read = '"type":"export_metadata"'
    const before = (await engine.metadata('export_metadata', {})).text
    const send = (body: string | Buffer, headers: RequestHeaders, path = '/v1/metadata') =>
      engine.send('POST', path, body, headers)
    for (const body of [
      `{${read},${change},"args":{}}`,
      `{${change},"args":{},"dry_run":true,"dry_run":false}`,
      `{${change},"args":{},"dry_run":{"plan":1},"dry_run":null}`,
      '{"\\u0074ype":"clear_\\u006detadata","args":{},"dry_run":false}',
      `{"type":"bulk","args":[],"args":[{"type":"bulk","args":[{${read},${change},"args":{}}]}]}`,
      `{"type":"bulk","args":[{${change},"args":{},"dry_run":true}]}`,
      `{"type":"bulk_keep_going","dry_run":false,"args":[{${read},"args":{}},{"type":"bulk_atomic","dry_run":true,"args":[{${change},"args":{}}]}]}`,
    ])
      refused(await send(body, by(tokenOf('plan'))), /needs the scope "change"/)
    // the last one counts, in what is required too
    assert.equal((await send(`{${change},${read},"args":{}}`, by(tokenOf('read')))).status, 200)
    const text = `{${change},"args":{}}`
    for (const body of [
      `\ufeff${text}`,
      Buffer.from(text, 'utf16le'),
      `${text}${text}`,
      `[${text}]`,
      JSON.stringify(text),
    ])
      assert.ok([400, 403].includes((await send(body, by(tokenOf('plan')))).status))
    for (const path of ['/v1/metadata/', '/V1/METADATA', '/v1/metadata%20', '/v1/%6detadata'])
      assert.equal((await send(text, by(tokenOf('plan')), path)).status, 404, path)

    const elsewhere: RequestHeaders = {
      'x-svc-role': 'admin',
      'x-svc-use-backend-only-permissions': 'true',
      'X-Svc-User-Id': '1',
    }
    for (const headers of [
      { ...by(tokenOf('read')), ...elsewhere },
      { 'x-svc-admin-secret': null, 'X-SVC-Access-TOKEN': tokenOf('read') },
      { 'x-svc-admin-secret': null, authorization: `bEARER  ${tokenOf('read')}` },
    ])
      refused(await send(text, headers))
    // two of a header are one that is no token, and a wrong secret is not mended by a token
    const wrong: readonly RequestHeaders[] = [
      { 'x-svc-admin-secret': null, 'x-svc-access-token': [tokenOf('read'), tokenOf('change')] },
      { 'x-svc-admin-secret': null, 'x-svc-access-token': `${tokenOf('change')}, ${tokenOf('change')}` },
      { 'x-svc-admin-secret': null, 'x-hasura-access-token': tokenOf('change') },
      { 'x-svc-admin-secret': null, cookie: `x-svc-access-token=${tokenOf('change')}` },
      { ...by(tokenOf('change')), 'x-svc-admin-secret': 'wrong' },
    ]
    for (const headers of wrong) assert.equal((await send(text, headers)).status, 401)
    assert.equal((await engine.metadata('export_metadata', {})).text, before)
  })

  await t.test('gains nothing by what a granted operation reaches', async () => {
    const sql = (text: string) => ({ type: 'run_sql', args: { sql: text, cascade: true } })
    const before = (await engine.metadata('export_metadata', {})).text
    const native = {
      root_field_name: 'tokens',
      code: 'SELECT id FROM svc_catalog.access_tokens',
      returns: 'row',
    }
    const model = { name: 'row', fields: [{ name: 'id', type: { scalar: 'text', nullable: true } }] }
    assert.equal((await engine.metadata('pg_track_logical_model', model)).status, 200)
    // SQL that takes along what metadata has is a change of metadata
    for (const text of ['DROP TABLE b', 'ALTER TABLE b RENAME TO c', 'ALTER TABLE b RENAME id TO key; DROP TABLE b'])
      for (const body of [sql(text), { type: 'bulk', args: [sql('SELECT 1'), sql(text)] }])
        refused(await engine.post('/v2/query', body, by(tokenOf('sql'))), /no change of this table/)
    assert.equal((await engine.post('/v2/query', sql('SELECT id FROM b'), by(tokenOf('sql')))).status, 200)
    // a native query is SQL, of whatever its source reaches
    const here = { allow: 'change', sources: ['default'] }
    const limited = await create(engine, 'limited', [here])
    refused(await ask(engine, limited, 'pg_track_native_query', native), /no change of this native query/)
    const named = await create(engine, 'named', [here, { ...here, kinds: ['native_query'] }])
    assert.equal((await ask(engine, named, 'pg_track_native_query', native)).status, 200)
    assert.equal((await ask(engine, named, 'pg_untrack_native_query', { root_field_name: 'tokens' })).status, 200)
    await engine.metadata('pg_untrack_logical_model', { name: 'row' })
    // nor may a source become another database
    const configuration = { connection_info: { database_url: { from_env: 'SVC_GRAPHQL_DATABASE_URL' } } }
    const other = {
      name: 'default',
      configuration,
      replace_configuration: true,
      customization: { naming_convention: 'graphql-default' },
    }
    refused(await ask(engine, limited, 'pg_add_source', other), /no change of this source/)
    // the catalogue's own tables are no tables of a source
    const own = { table: { schema: 'svc_catalog', name: 'access_tokens' } }
    assert.equal((await ask(engine, tokenOf('change'), 'pg_track_table', own)).status, 400)
    // what is there in between counts: a later member could use it
    const users = await create(engine, 'users', [{ allow: 'change', roles: ['user'] }])
    const permission = { table: 'b', role: 'other', permission: { columns: ['id'], filter: {} } }
    const between = [
      { type: 'pg_create_select_permission', args: permission },
      { type: 'export_metadata', args: {} },
      { type: 'pg_drop_select_permission', args: { table: 'b', role: 'other' } },
    ]
    refused(await ask(engine, users, 'bulk', between), /no change of this select permission/)
    const { body: kept } = await ask(engine, users, 'bulk_keep_going', between)
    assert.deepEqual(
      kept.map(({ code }: { code?: string }) => code ?? null),
      ['access-denied', null, 'permission-denied'],
    )
    // a file that never ends, and one that is no address
    for (const path of ['/dev/zero', '/etc/passwd', '/proc/self/environ']) {
      const configuration = { connection_info: { database_url: { dynamic_from_file: path } } }
      const { status, text } = await ask(
        engine,
        tokenOf('plan'),
        'pg_add_source',
        { name: 'x', configuration },
        { dry_run: true },
      )
      assert.equal(status, 200, text)
      assert.ok(/"verdict":"error"/.test(text) && !/root:|ADMIN_SECRET/.test(text), text)
    }
    assert.equal((await engine.metadata('export_metadata', {})).text, before)
  })

  await t.test('of the least scope serves each command of svc where the admin secret would stand', async (t) => {
    const folderOf = (secret: string) => createSvcFolder({ url: engine.url, secret }, t)
    const folder = await folderOf(engine.secret)
    const exported = await folder.svc('metadata', 'export')
    assert.equal(exported.code, 0, exported.stderr)
    await engine.metadata('pg_untrack_table', { table: 'b', cascade: true })
    const run = async (scope: Scope, ...args: readonly string[]) => {
      const other = await folderOf(tokenOf(scope))
      await cp(folder.path, other.path, { recursive: true, force: false })
      return other.svc(...args)
    }
    for (const scope of ['read', 'plan'] as const) {
      const { code, stdout, stderr } = await run(scope, 'metadata', 'diff', '--exit-code')
      assert.ok(code !== 0 && /public_b|table/.test(stdout), stdout + stderr)
    }
    const planned = await run('plan', 'plan')
    assert.equal(planned.code, 0, planned.stderr)
    assert.match(planned.stdout, /1 to (add|create)|\+.*b/)
    const refusedApply = await run('plan', 'metadata', 'apply')
    assert.notEqual(refusedApply.code, 0)
    assert.match(refusedApply.stdout + refusedApply.stderr, /needs the scope "change"/)
    const applied = await run('change', 'metadata', 'apply')
    assert.equal(applied.code, 0, applied.stdout + applied.stderr)
    assert.equal((await run('read', 'metadata', 'diff', '--exit-code')).code, 0)
  })

  await t.test('with unknown scopes, limits or names is not made', async () => {
    for (const args of [
      { name: 'x', scopes: [] },
      { name: 'x', scopes: [{ allow: 'all' }] },
      { name: 'x', scopes: [{ allow: 'change', source: 'default' }] },
      { name: 'x', scopes: [{ allow: 'read', sources: ['default'] }] },
      { name: 'x', scopes: [{ allow: 'sql', roles: ['user'] }] },
      { name: 'x', scopes: [{ allow: 'explain', sources: ['default'] }] },
      { name: 'x', scopes: [{ allow: 'events', roles: ['user'] }] },
      { name: 'x', scopes: [{ allow: 'change', kinds: ['tables'] }] },
      { name: '', scopes: [{ allow: 'read' }] },
      { name: 'x', scopes: [{ allow: 'read' }], expires_in: 0 },
      { name: 'x', scopes: [{ allow: 'read' }], expires: 60 },
    ]) {
      const { status, body, text } = await engine.metadata('create_access_token', args)
      assert.deepEqual([status, body.code], [400, 'parse-failed'], text)
    }
  })
})
