/** Drafts (docs/drafts.md): proposed metadata next to what is served, over two instances. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { openSocket } from '../websocket-client.ts'

const tables = `
  CREATE TABLE invoice (id int PRIMARY KEY, owner text NOT NULL, total numeric);
  INSERT INTO invoice SELECT i, CASE WHEN i % 4 = 0 THEN 'mia' ELSE 'tom' END, i FROM generate_series(1, 12) i;
  CREATE FUNCTION spent() RETURNS SETOF invoice LANGUAGE sql VOLATILE AS 'SELECT * FROM invoice';`

const own = { owner: { _eq: 'X-Svc-User-Id' } }
const permission = (columns: readonly string[], filter: object) => ({
  type: 'pg_create_select_permission',
  args: { table: 'invoice', role: 'customer', permission: { columns, filter } },
})
const drop = { type: 'pg_drop_select_permission', args: { table: 'invoice', role: 'customer' } }
/** All rows, and totals. */
const wider = [drop, permission(['id', 'total'], {})]

const customer = { 'x-svc-role': 'customer', 'x-svc-user-id': 'mia' }
const ids = { query: '{ invoice(order_by: {id: asc}) { id } }' }

async function start(t: TestContext) {
  const { url } = await createTestDatabase(t)
  await runOnDatabase(url, tables)
  const one = await startEngine({ databaseUrl: url }, t)
  const made = await one.metadata('bulk', [
    { type: 'pg_track_table', args: { table: 'invoice' } },
    permission(['id'], own),
    {
      type: 'create_query_collection',
      args: { name: 'app', definition: { queries: [{ name: 'Ids', query: 'query Ids { invoice { id } }' }] } },
    },
    {
      type: 'create_rest_endpoint',
      args: {
        name: 'ids',
        url: 'ids',
        methods: ['GET'],
        definition: { query: { collection_name: 'app', query_name: 'Ids' } },
      },
    },
  ])
  assert.equal(made.status, 200, made.text)
  return { one, databaseUrl: url }
}

interface MadeDraft {
  readonly hash: string
  readonly key: string
  readonly url: string
  readonly open: boolean
  readonly on_apply: readonly string[]
}

async function draftOf(engine: Engine, members: readonly object[], headers = {}): Promise<MadeDraft> {
  const asked = { type: 'bulk_atomic', args: members, dry_run: { draft: true, preview: true } }
  const { status, body, text } = await engine.post('/v1/metadata', asked, headers)
  assert.equal(status, 200, text)
  assert.ok(body.draft, text)
  return body.draft
}

const introspection = { query: '{ __type(name: "invoice") { fields { name } } }' }
const errorOf = ({ body }: { readonly body: { readonly errors?: readonly { readonly message: string }[] } }) =>
  body.errors?.[0]?.message ?? ''

test('a draft is served next to the live metadata by every instance, reads only, and is applied by its hash', async (t) => {
  const { one, databaseUrl } = await start(t)
  const two = await startEngine({ databaseUrl }, t)
  const draft = await draftOf(one, wider)
  assert.match(draft.hash, /^[0-9a-f]{64}$/)
  assert.deepEqual([draft.open, draft.on_apply, draft.url], [true, [], `/v1/drafts/${draft.key}`])
  const through = { ...customer, 'x-svc-draft': draft.key }

  await t.test('what is served remains, and the draft has its own rows and introspection', async () => {
    for (const engine of [one, two]) {
      const live = await engine.post('/v1/graphql', ids, customer)
      assert.deepEqual(
        live.body.data.invoice.map(({ id }: { id: number }) => id),
        [4, 8, 12],
      )
      for (const answer of [
        await engine.post('/v1/graphql', ids, through),
        await engine.post(`${draft.url}/v1/graphql`, ids, customer),
      ])
        assert.equal(answer.body.data?.invoice.length, 12, answer.text)
      const shown = await engine.post('/v1/graphql', introspection, through)
      assert.deepEqual(shown.body.data.__type.fields, [{ name: 'id' }, { name: 'total' }])
      const rest = await engine.get(`${draft.url}/api/rest/ids`, customer)
      assert.equal(rest.body.invoice.length, 12, rest.text)
      const explained = await engine.post(
        '/v1/graphql/explain',
        { query: ids, user: customer },
        { 'x-svc-draft': draft.key },
      )
      assert.doesNotMatch(explained.body[0].sql, /owner/)
    }
  })

  await t.test('who asks through it needs what the live engine asks for', async () => {
    const nobody = { 'x-svc-admin-secret': null, 'x-svc-draft': draft.key }
    const answer = await one.post('/v1/graphql', ids, nobody)
    assert.match(errorOf(answer), /x-svc-admin-secret|authentication|required/i, answer.text)
    const other = await one.post('/v1/graphql', ids, { ...customer, 'x-svc-role': 'guest', 'x-svc-draft': draft.key })
    assert.match(errorOf(other), /not found in type: 'query_root'|no queries/, other.text)
    for (const key of ['', 'svcd_unknown', draft.hash])
      assert.match(
        errorOf(await one.post('/v1/graphql', ids, { ...customer, 'x-svc-draft': key })),
        /the draft is unknown or has expired/,
      )
  })

  await t.test('nothing is written through it, and other endpoints refuse it', async () => {
    const insert = { query: 'mutation { insert_invoice_one(object: {id: 99, owner: "x"}) { id } }' }
    const written = await one.post('/v1/graphql', insert, { 'x-svc-draft': draft.key })
    assert.match(errorOf(written), /a draft only reads: mutations/)
    for (const [path, body] of [
      ['/v1/metadata', { type: 'export_metadata', args: {} }],
      ['/v2/query', { type: 'run_sql', args: { sql: 'DELETE FROM invoice' } }],
      ['/v1/query', { type: 'insert', args: { table: 'invoice', objects: [{ id: 99, owner: 'x' }] } }],
    ] as const) {
      const { status, body: answer } = await one.post(path, body, { 'x-svc-draft': draft.key })
      assert.deepEqual([status, answer.code], [400, 'not-supported'], path)
      assert.equal((await one.post(`${draft.url}${path}`, body)).body.code, 'not-supported')
    }
    const { body } = await one.post('/v1/graphql', { query: '{ invoice_aggregate { aggregate { count } } }' })
    assert.equal(body.data.invoice_aggregate.aggregate.count, 12)
  })

  await t.test('a websocket answers queries through it, and refuses mutations and subscriptions', async (t) => {
    for (const at of [{ path: `${draft.url}/v1/graphql` }, { headers: { 'x-svc-draft': draft.key } }]) {
      const init = { 'x-svc-admin-secret': one.secret, ...customer }
      const socket = await openSocket(one, { ...at, protocol: 'graphql-transport-ws', init })
      t.after(() => socket.close())
      const answers: string[] = []
      for (const query of [
        ids.query,
        'subscription { invoice { id } }',
        'mutation { delete_invoice(where: {}) { affected_rows } }',
      ]) {
        socket.send({ type: 'subscribe', id: String(answers.length), payload: { query } })
        let message = await socket.next()
        while (message.type === 'complete') message = await socket.next()
        answers.push(JSON.stringify(message))
      }
      assert.match(answers[0] ?? '', /"id":1\b/)
      assert.match(answers[1] ?? '', /a draft only reads: subscriptions/)
      assert.match(answers[2] ?? '', /mutation|mutations/)
    }
  })

  await t.test('functions that may write are not run through it', async () => {
    const track = {
      type: 'pg_track_function',
      args: { function: 'spent', configuration: { exposed_as: 'query' } },
    }
    const { key } = await draftOf(two, [track])
    const answer = await one.post('/v1/graphql', { query: '{ spent { id } }' }, { 'x-svc-draft': key })
    assert.match(errorOf(answer), /volatile functions/, answer.text)
  })

  await t.test('rows are counted that a role sees more and fewer', async () => {
    const counted = await one.metadata('count_draft_rows', { hash: draft.hash, session: { 'X-Svc-User-Id': 'mia' } })
    const of = { role: 'customer', source: 'default', table: { schema: 'public', name: 'invoice' } }
    assert.deepEqual(counted.body, {
      rows: [{ ...of, before: 3, after: 12, more: 9, fewer: 0 }],
      complete: true,
    })
    const missing = await two.metadata('count_draft_rows', { hash: draft.hash })
    assert.deepEqual(missing.body, { rows: [{ ...of, needs: ['x-svc-user-id'] }], complete: true })
  })

  await t.test('an apply is refused once metadata has changed, and so is the draft', async () => {
    const changed = await two.metadata('pg_set_table_customization', {
      table: 'invoice',
      configuration: { comment: 'changed in between' },
    })
    assert.equal(changed.status, 200, changed.text)
    for (const engine of [one, two]) {
      const refused = await engine.metadata('apply_draft', { hash: draft.hash })
      assert.deepEqual([refused.status, refused.body.code], [409, 'conflict'], refused.text)
      assert.match(errorOf(await engine.post('/v1/graphql', ids, through)), /make it again/)
    }
    const again = await draftOf(two, wider)
    assert.notEqual(again.hash, draft.hash)
    const before = await two.post('/v1/graphql', introspection, { ...customer, 'x-svc-draft': again.key })
    const applied = await one.metadata('apply_draft', { hash: again.hash })
    assert.deepEqual(applied.body, { message: 'success' }, applied.text)
    assert.deepEqual((await one.post('/v1/graphql', introspection, customer)).body, before.body)
    assert.equal((await one.metadata('apply_draft', { hash: again.hash })).body.code, 'conflict')
  })

  await t.test('an earlier version of the change log is restored by the same act', async () => {
    const { body } = await one.metadata('export_metadata', {}, { version: 2 })
    await one.metadata('drop_rest_endpoint', { name: 'ids' })
    const args = { resource_version: body.resource_version }
    const planned = await one.metadata('restore_metadata', args, { dry_run: { draft: true } })
    const { hash } = planned.body.draft
    assert.equal((await one.metadata('apply_draft', { hash })).status, 200)
    const after = await one.metadata('export_metadata', {}, { version: 2 })
    assert.deepEqual(after.body.metadata, body.metadata)
    const unknown = await one.metadata('restore_metadata', { resource_version: 99_999 })
    assert.equal(unknown.body.code, 'not-exists')
  })

  await t.test('the draft of an access token shows its schema, and rows once an admin has opened it', async () => {
    const { body } = await one.metadata('create_access_token', { name: 'ci', scopes: [{ allow: 'plan' }] })
    const by = { 'x-svc-admin-secret': null, 'x-svc-access-token': body.token }
    const made = await draftOf(one, [drop], by)
    const { hash, key } = await draftOf(one, [{ ...drop }, permission(['id', 'owner'], {})], by)
    assert.notEqual(made.hash, hash)
    const asked = { ...customer, 'x-svc-draft': key }
    assert.equal((await one.post('/v1/graphql', introspection, asked)).body.data.__type.fields.length, 2)
    assert.match(errorOf(await one.post('/v1/graphql', ids, asked)), /an access token made this draft/)
    const explained = await one.post('/v1/graphql/explain', { query: ids, user: customer }, { 'x-svc-draft': key })
    assert.equal(explained.body.code, 'access-denied')
    for (const type of ['open_draft', 'drop_draft', 'count_draft_rows', 'apply_draft'])
      assert.equal((await one.post('/v1/metadata', { type, args: { hash } }, by)).status, 403, type)
    const listed = await one.post('/v1/metadata', { type: 'list_drafts', args: {} }, by)
    const drafts: readonly { hash: string; access_token: string; open: boolean }[] = listed.body.drafts
    assert.deepEqual(
      drafts.filter(({ access_token }) => access_token === 'ci').map(({ hash, open }) => [hash, open]),
      [
        [made.hash, false],
        [hash, false],
      ],
    )
    assert.doesNotMatch(listed.text, new RegExp(key))
    assert.equal((await two.metadata('open_draft', { hash })).status, 200)
    assert.equal((await one.post('/v1/graphql', ids, asked)).body.data.invoice.length, 12)
    assert.equal((await one.metadata('drop_draft', { hash })).status, 200)
    assert.match(errorOf(await two.post('/v1/graphql', ids, asked)), /unknown or has expired/)
  })
})
