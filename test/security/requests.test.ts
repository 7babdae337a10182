/** Attacks by single requests: unsigned tokens, handlers that send secrets on, writes that take all the time. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startHandlers } from '../serving/action-handlers.ts'

const query = '{ __typename }'

async function handlersOf(t: TestContext) {
  const handlers = await startHandlers()
  t.after(() => handlers.close())
  return handlers
}

test('a token signed with the text of a key that is not there is refused', async (t) => {
  const handlers = await handlersOf(t)
  const k = Buffer.from('a key of more than thirty-two bytes').toString('base64url')
  const other = { kty: 'oct', kid: 'b', alg: 'HS256', k }
  handlers.on('/keys', () => ({ json: { keys: [{ kty: 'oct', kid: 'a', alg: 'HS256' }, other] } }))
  const engine = await startEngine(
    { env: { SVC_GRAPHQL_JWT_SECRET: JSON.stringify({ jwk_url: `${handlers.url}/keys` }) } },
    t,
  )
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')
  const claims = { 'x-svc-allowed-roles': ['admin'], 'x-svc-default-role': 'admin' }
  for (const key of ['undefined', 'null', '']) {
    const signed = `${part({ alg: 'HS256', kid: 'a' })}.${part({ 'https://svc.io/jwt/claims': claims })}`
    const token = `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
    const headers = { 'x-svc-admin-secret': null, authorization: `Bearer ${token}` }
    const { body } = await engine.post('/v1/graphql', { query }, headers)
    assert.equal(body.errors?.[0].extensions.code, 'invalid-jwt', key)
  }
})

test('a handler that redirects to another origin does not give it the headers that are configured', async (t) => {
  const [handlers, other] = [await handlersOf(t), await handlersOf(t)]
  const engine = await startEngine({}, t)
  handlers.on('/hand', () => ({ status: 307, headers: { Location: `${other.url}/over` } }))
  other.on('/over', () => ({ json: { ok: true } }))
  const definition = {
    type: 'query',
    handler: `${handlers.url}/hand`,
    headers: [{ name: 'X-Key', value: 'geheim' }],
    output_type: 'Found',
  }
  const types = { objects: [{ name: 'Found', fields: [{ name: 'ok', type: 'Boolean' }] }] }
  assert.equal((await engine.metadata('set_custom_types', types)).status, 200)
  assert.equal((await engine.metadata('create_action', { name: 'find', definition })).status, 200)
  assert.deepEqual((await engine.post('/v1/graphql', { query: '{ find { ok } }' })).body, {
    data: { find: { ok: true } },
  })
  assert.deepEqual([handlers.asked[0]?.headers['x-key'], other.asked[0]?.headers['x-key']], ['geheim', undefined])
})

test('a mutation that takes longer than a role may is stopped in the database, and nothing of it is stored', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t)
  await runOnDatabase(
    databaseUrl,
    `CREATE TABLE slow (id integer PRIMARY KEY);
     CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(3600); RETURN NEW; END $$;
     CREATE TRIGGER wait BEFORE INSERT ON slow FOR EACH ROW EXECUTE FUNCTION wait()`,
  )
  const engine = await startEngine({ databaseUrl, env: { SVC_GRAPHQL_PG_CONNECTIONS: '1' } }, t)
  assert.equal((await engine.metadata('pg_track_table', { table: 'slow' })).status, 200)
  const limits = { time_limit: { global: 60, per_role: { admin: 0.2 } } }
  assert.equal((await engine.metadata('set_api_limits', limits)).status, 200)
  const insert = 'mutation { insert_slow_one(object: {id: 1}) { id } }'
  const { body } = await engine.post('/v1/graphql', { query: insert })
  assert.equal(body.errors?.[0].extensions.code, 'time-limit-exceeded')
  // the one connection is free again
  const limitless = { time_limit: { global: 60 } }
  assert.equal((await engine.metadata('set_api_limits', limitless)).status, 200)
  assert.deepEqual((await engine.post('/v1/graphql', { query: '{ slow { id } }' })).body, { data: { slow: [] } })
})
