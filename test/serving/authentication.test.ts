import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { SignJWT } from 'jose'
import { startEngine } from '../engine.ts'

const query = { query: '{ __typename }' }

test('with a JWT secret a token gives the session, and errors have the status of their endpoint', async (t) => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = publicKey.export({ type: 'spki', format: 'pem' })
  const engine = await startEngine(
    { env: { SVC_GRAPHQL_JWT_SECRET: JSON.stringify({ type: 'RS256', key, claims_namespace: 'ns' }) } },
    t,
  )
  const claims = { 'x-svc-allowed-roles': ['user', 'admin'], 'x-svc-default-role': 'user' }
  const token = await new SignJWT({ ns: claims }).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)
  const headers = { 'x-svc-admin-secret': null, authorization: `Bearer ${token}` }
  const right = await engine.post('/v1/graphql', query, headers)
  assert.deepEqual([right.status, right.body], [200, { data: { __typename: 'query_root' } }])
  const { userVariables } = await engine.observed('request-answered')
  assert.deepEqual(userVariables, { 'x-svc-role': 'user' })

  const expired = await new SignJWT({ ns: claims, exp: 1 }).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)
  const wrong = { ...headers, authorization: `Bearer ${expired}` }
  const error = { message: 'Could not verify JWT: JWTExpired', extensions: { path: '$', code: 'invalid-jwt' } }
  const [v1, alpha, metadata] = await Promise.all(
    ['/v1/graphql', '/v1alpha1/graphql', '/v1/metadata'].map((path) => engine.post(path, query, wrong)),
  )
  assert.deepEqual([v1?.status, v1?.body], [200, { errors: [error] }])
  assert.deepEqual([alpha?.status, alpha?.body], [400, { errors: [error] }])
  assert.deepEqual([metadata?.status, metadata?.body], [400, { error: error.message, path: '$', code: 'invalid-jwt' }])

  const config = await engine.get('/v1alpha1/config', { ...headers, 'x-svc-role': 'admin' })
  const shown = { claims_namespace: 'ns', claims_format: 'json', claims_map: null }
  assert.deepEqual([config.body.is_jwt_set, config.body.jwt, config.body.jwts], [true, shown, [shown]])
  for (const line of engine.log) assert.ok(!line.includes(token.slice(-20)), line)
})

test('a cookie is a credential for pages of the engine itself and those that CORS allows, whatever the media type', async (t) => {
  const secret = 'a secret of thirty-two characters'
  const header = { type: 'Cookie', name: 'token' }
  const engine = await startEngine(
    {
      env: {
        SVC_GRAPHQL_JWT_SECRET: JSON.stringify({ type: 'HS256', key: secret, claims_namespace: 'ns', header }),
        SVC_GRAPHQL_CORS_DOMAIN: 'https://app.example',
      },
    },
    t,
  )
  const claims = { 'x-svc-allowed-roles': ['user'], 'x-svc-default-role': 'user' }
  const token = await new SignJWT({ ns: claims }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret))
  const own = new URL(engine.url).origin
  for (const [origin, isIn] of [
    [null, true],
    [own, true],
    ['https://app.example', true],
    ['https://evil.example', false],
    ['null', false],
  ] as const) {
    const headers = { 'x-svc-admin-secret': null, cookie: `token=${token}`, 'content-type': 'text/plain' }
    const { body } = await engine.post('/v1/graphql', query, { ...headers, ...(origin && { origin }) })
    assert.equal(body.data?.__typename === 'query_root', isIn, String(origin))
  }
})

test('with a webhook, it is asked for each request, and its cookies reach the client', async (t) => {
  const asked: { readonly headers: IncomingMessage['headers']; readonly body: string }[] = []
  const hook = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      asked.push({ headers: request.headers, body })
      const sent = JSON.parse(body).headers
      response.writeHead(sent.cookie ? 200 : 401, { 'set-cookie': ['a=1', 'b=2'] })
      response.end(JSON.stringify({ 'X-Svc-Role': 'user', 'x-svc-id': sent.cookie }))
    })
  })
  hook.listen(0, '127.0.0.1')
  await once(hook, 'listening')
  t.after(() => {
    hook.close()
    hook.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`
  const engine = await startEngine({ env: { SVC_GRAPHQL_AUTH_HOOK: url, SVC_GRAPHQL_AUTH_HOOK_MODE: 'POST' } }, t)
  const headers = { 'x-svc-admin-secret': null, cookie: 'c=3' }
  for (const _ of [1, 2]) {
    const { status, body, headers: answered } = await engine.post('/v1/graphql', query, headers)
    assert.deepEqual([status, body], [200, { data: { __typename: 'query_root' } }])
    assert.deepEqual(answered['set-cookie'], ['a=1', 'b=2'])
  }
  assert.equal(asked.length, 2)
  assert.deepEqual(JSON.parse(asked[0]?.body ?? '').request, query)
  const batch = await engine.post('/v1/graphql', [query, query], headers)
  assert.equal(batch.body.length, 2)
  assert.equal(batch.headers['set-cookie'], undefined)
  // for what is no JSON the sender is authenticated first
  assert.equal((await engine.send('POST', '/v1alpha1/graphql', '{', { ...headers, cookie: null })).status, 401)
  assert.equal(
    (await engine.send('POST', '/v1alpha1/graphql', '{', headers)).body.errors[0].extensions.code,
    'invalid-json',
  )
  const chunked = await engine.send('POST', '/v1/graphql', JSON.stringify(query), {
    ...headers,
    'transfer-encoding': 'chunked',
  })
  assert.equal(chunked.status, 200)
  assert.equal((await engine.post('/v1/metadata', { type: 'export_metadata', args: {} }, headers)).body.path, '$.args')
  assert.equal(JSON.parse(asked.at(-1)?.body ?? '').request, null)
  assert.equal((await engine.post('/v1/graphql', query)).status, 200)
  const log = await engine.logged('"type":"webhook-log"')
  assert.deepEqual(JSON.parse(log).detail.status_code, 200)
})
