/** --header-prefix (docs/migration.md): X-Hasura- in addition to X-Svc-, in the real process. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { openSocket } from '../websocket-client.ts'

interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown> & { event?: { session_variables?: unknown } }
}

/** A webhook of every kind: of actions, events, and authentication. */
async function startWebhook() {
  const received: Received[] = []
  const waiting: { path: string; take(one: Received): void }[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const one = {
      path: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(Buffer.concat(parts).toString() || '{}'),
    }
    received.push(one)
    for (const waiter of waiting) if (waiter.path === one.path) waiter.take(one)
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify(request.url === '/auth' ? { 'X-Hasura-Role': 'user', 'x-svc-user-id': '2' } : { ok: true }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    to: (path: string) =>
      received.find((one) => one.path === path) ?? new Promise<Received>((take) => waiting.push({ path, take })),
    close: () => server.close(),
  }
}

function token(claims: object): string {
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')
  const signed = `${part({ alg: 'HS256' })}.${part(claims)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

const key = 'a-key-of-at-least-thirty-two-bytes'
const admin = { 'x-svc-admin-secret': null, 'X-Hasura-Admin-Secret': 'test-secret' }

describe('with --header-prefix X-Hasura-', () => {
  let engine: Engine
  let hooks: Awaited<ReturnType<typeof startWebhook>>

  const ok = async (type: string, args: unknown) => {
    const { status, text, body } = await engine.post('/v1/metadata', { type, args }, admin)
    assert.equal(status, 200, text)
    return body
  }
  const ask = async (query: string, headers: Record<string, string | null>) =>
    (await engine.post('/v1/graphql', { query }, headers)).body

  before(async () => {
    hooks = await startWebhook()
    const database = await createTestDatabase()
    await runOnDatabase(
      database.url,
      `CREATE TABLE item (id int PRIMARY KEY, owner text, note text, by text);
       INSERT INTO item VALUES (1, '1', 'one'), (2, '2', 'two');
       CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         NEW.by = current_setting('hasura.user', true)::json ->> 'x-hasura-user-id'; RETURN NEW; END $$;
       CREATE TRIGGER stamp BEFORE INSERT ON item FOR EACH ROW EXECUTE FUNCTION stamp();
       CREATE FUNCTION mine(session json) RETURNS SETOF item LANGUAGE sql STABLE AS
         $$ SELECT * FROM item WHERE owner = session ->> 'x-hasura-user-id' $$;`,
    )
    engine = await startEngine({
      databaseUrl: database.url,
      env: {
        SVC_GRAPHQL_HEADER_PREFIX: 'X-Hasura-',
        SVC_GRAPHQL_JWT_SECRET: JSON.stringify({
          type: 'HS256',
          key,
        }),
      },
    })
    const table = { schema: 'public', name: 'item' }
    const filter = { owner: { _eq: 'X-Hasura-User-Id' } }
    await ok('pg_track_table', { table })
    await ok('pg_create_select_permission', { table, role: 'user', permission: { columns: '*', filter } })
    await ok('pg_create_insert_permission', {
      table,
      role: 'user',
      permission: { columns: ['id', 'note'], check: filter, set: { owner: 'x-Hasura-User-Id' } },
    })
    await ok('pg_create_event_trigger', {
      name: 'item_added',
      table,
      webhook: `${hooks.url}/event`,
      insert: { columns: '*' },
    })
    await ok('pg_track_function', { function: 'mine', configuration: { session_argument: 'session' } })
    await ok('set_custom_types', { objects: [{ name: 'Done', fields: [{ name: 'ok', type: 'Boolean' }] }] })
    await ok('create_action', {
      name: 'greet',
      definition: {
        handler: `${hooks.url}/action`,
        type: 'query',
        output_type: 'Done',
        arguments: [],
        forward_client_headers: true,
      },
    })
    await ok('create_action_permission', { action: 'greet', role: 'user' })
  })
  after(async () => {
    await engine.stop()
    hooks.close()
  })

  test('filters, presets and headers take both prefixes', async () => {
    const user = { ...admin, 'X-Hasura-Role': 'user', 'X-Hasura-User-Id': '1' }
    assert.deepEqual(await ask('{ item { id } }', user), { data: { item: [{ id: 1 }] } })
    const own = { 'x-svc-role': 'user', 'x-svc-user-id': '2' }
    assert.deepEqual(await ask('{ item { id } mine { id } }', own), { data: { item: [{ id: 2 }], mine: [{ id: 2 }] } })
    const missing = await ask('{ item { id } }', { ...admin, 'X-Hasura-Role': 'user' })
    assert.match(JSON.stringify(missing), /x-hasura-user-id/)
  })

  test('both prefixes with one value are one header, with different ones a 400', async () => {
    const same = { ...admin, 'X-Hasura-Role': 'user', 'x-svc-role': 'user', 'x-svc-user-id': '1' }
    assert.deepEqual(await ask('{ item { id } }', same), { data: { item: [{ id: 1 }] } })
    const answer = await engine.post(
      '/v1/metadata',
      { type: 'export_metadata', args: {} },
      { ...same, 'x-svc-role': 'admin' },
    )
    assert.deepEqual(
      [answer.status, answer.body],
      [
        400,
        {
          code: 'bad-request',
          error: 'headers "x-svc-role" and "x-hasura-role" have different values',
          path: '$',
        },
      ],
    )
  })

  test('triggers and event payloads have the configured prefix', async () => {
    const user = { ...admin, 'X-Hasura-Role': 'user', 'x-svc-user-id': '7' }
    const mutation = 'mutation { insert_item_one(object: {id: 7, note: "seven"}) { id owner by } }'
    assert.deepEqual(await ask(mutation, user), { data: { insert_item_one: { id: 7, owner: '7', by: '7' } } })
    const { body } = await hooks.to('/event')
    assert.deepEqual(body.event?.session_variables, { 'x-hasura-role': 'user', 'x-hasura-user-id': '7' })
  })

  test('actions are called with it, and without the headers of the engine', async () => {
    const user = { ...admin, 'X-Hasura-Role': 'user', 'x-svc-user-id': '1', 'x-own': 'kept' }
    assert.deepEqual(await ask('{ greet { ok } }', user), { data: { greet: { ok: true } } })
    const { body, headers } = await hooks.to('/action')
    assert.deepEqual(body.session_variables, { 'x-hasura-role': 'user', 'x-hasura-user-id': '1' })
    assert.deepEqual(
      Object.keys(headers).filter((name) => /^x-(svc|hasura|own)/.test(name)),
      ['x-own'],
    )
  })

  test('tokens may have claims with either prefix', async () => {
    const ofHasura = { 'x-hasura-allowed-roles': ['user'], 'x-hasura-default-role': 'user', 'X-Hasura-User-Id': '1' }
    const own = { 'x-svc-allowed-roles': ['user'], 'x-svc-default-role': 'user', 'x-svc-user-id': '2' }
    const [first, second] = [ofHasura, own].map((claims) => ({
      'x-svc-admin-secret': null,
      authorization: `Bearer ${token({ 'https://hasura.io/jwt/claims': claims })}`,
    }))
    assert.deepEqual(await ask('{ item { id } }', first ?? {}), { data: { item: [{ id: 1 }] } })
    assert.deepEqual(await ask('{ item { id } }', second ?? {}), { data: { item: [{ id: 2 }] } })
    const both = token({ 'https://hasura.io/jwt/claims': { ...ofHasura, 'x-svc-user-id': '2' } })
    const refused = await ask('{ item { id } }', { 'x-svc-admin-secret': null, authorization: `Bearer ${both}` })
    assert.match(JSON.stringify(refused), /two values of the claim/)
    const namespaces = token({ 'https://hasura.io/jwt/claims': ofHasura, 'https://svc.io/jwt/claims': own })
    const chosen = { 'x-svc-admin-secret': null, authorization: `Bearer ${namespaces}` }
    assert.deepEqual(await ask('{ item { id } }', chosen), { data: { item: [{ id: 2 }] } })
  })

  test('so may the headers of connection_init', async (t) => {
    const socket = await openSocket(engine, {
      protocol: 'graphql-transport-ws',
      init: { 'X-Hasura-Admin-Secret': 'test-secret', 'X-Hasura-Role': 'user', 'x-hasura-user-id': '1' },
    })
    t.after(() => socket.close())
    socket.send({ type: 'subscribe', id: '1', payload: { query: '{ item { id } }' } })
    assert.deepEqual((await socket.next()).payload, { data: { item: [{ id: 1 }] } })
  })

  test('explain and the config endpoint know it', async () => {
    const explained = await engine.post(
      '/v1/graphql/explain',
      { query: { query: '{ item { id } }' }, user: { 'X-Hasura-Role': 'user', 'X-Hasura-User-Id': '1' } },
      admin,
    )
    assert.equal(explained.status, 200, explained.text)
    assert.equal((await engine.get('/v1alpha1/config', admin)).body.header_prefix, 'X-Hasura-')
  })
})

test('an authentication webhook is sent the configured prefix and may answer either', async (t) => {
  const hooks = await startWebhook()
  t.after(async () => hooks.close())
  const engine = await startEngine(
    {
      env: {
        SVC_GRAPHQL_HEADER_PREFIX: 'x-hasura-',
        SVC_GRAPHQL_AUTH_HOOK: `${hooks.url}/auth`,
        SVC_GRAPHQL_AUTH_HOOK_MODE: 'POST',
      },
    },
    t,
  )
  await engine.post('/v1/graphql', { query: '{ __typename }' }, { 'x-svc-admin-secret': null, 'x-svc-tenant': 'a' })
  const { userVariables } = await engine.observed('request-answered')
  assert.deepEqual(userVariables, { 'x-hasura-role': 'user', 'x-hasura-user-id': '2' })
  const { body } = await hooks.to('/auth')
  assert.equal((body.headers as Record<string, string>)['x-hasura-tenant'], 'a')
})

test('without it X-Hasura- is a header like any other', async (t) => {
  const engine = await startEngine({}, t)
  const { body } = await engine.post('/v1/graphql', { query: '{ __typename }' }, { 'X-Hasura-Role': 'user' })
  assert.deepEqual(body, { data: { __typename: 'query_root' } })
})
