import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { createHttpClient } from '../../http-client/index.ts'
import { createObserver } from '../../observe/index.ts'
import { type Authentication, type Headers, startAuthentication } from '../index.ts'

interface AskedHook {
  readonly method: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

let asked: AskedHook | null = null
let answer: { status: number; headers: OutgoingHttpHeaders; body: string } = { status: 200, headers: {}, body: '{}' }

const server = createServer((request, response) => {
  let body = ''
  request.on('data', (part) => {
    body += part
  })
  request.on('end', () => {
    asked = { method: request.method ?? '', headers: request.headers, body }
    response.writeHead(answer.status, answer.headers)
    response.end(answer.body)
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/auth?key=geheim`
const observer = createObserver()
const http = createHttpClient({
  allowPrivateAddresses: true,
  maxResponseBytes: 1e6,
  tlsAllowlist: () => [],
  report: observer.report,
})
after(() => {
  http.close()
  server.close()
  server.closeAllConnections()
})

type Hook = { method?: 'GET' | 'POST'; sendRequestBody?: boolean; url?: string }

async function ask(headers: Headers, hook: Hook = {}, request: unknown = null): Promise<Authentication> {
  const { authenticate } = await startAuthentication(
    { kind: 'webhook', secrets: ['secret'], hook: { url, method: 'GET', sendRequestBody: true, ...hook } },
    { http, report: observer.report },
  )
  asked = null
  return authenticate({ headers, requestId: 'the-id', graphqlRequest: async () => request })
}

const answering = (body: unknown, status = 200, headers: OutgoingHttpHeaders = {}) => {
  answer = { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
}

async function fault(asking: Promise<unknown>): Promise<string> {
  const error = await asking.then(
    () => assert.fail('was accepted'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof ApiError, String(error))
  assert.equal(error.path.toString(), '$')
  return `${error.status} ${error.code}: ${error.message}`
}

const client = {
  host: 'x',
  'user-agent': 'browser',
  accept: '*/*',
  'content-type': 'text/x',
  'content-length': '3',
  connection: 'keep-alive',
  'x-request-id': 'theirs',
  authorization: 'Bearer t',
  cookie: 'a=b',
  'x-svc-role': 'editor',
  'x-own': 'ключ',
}

test('GET sends the headers of the client but those of its own connection and body', async () => {
  answering({ 'X-Svc-Role': 'user', 'x-svc-user-id': '7', other: 'x' })
  const { session, cookies, expiresAt } = await ask({ ...client, 'x-own': 'y' })
  assert.deepEqual(Object.fromEntries(session.variables), { 'x-svc-role': 'user', 'x-svc-user-id': '7' })
  assert.deepEqual([session.role, session.backendOnly, cookies, expiresAt], ['user', false, [], null])
  assert.equal(asked?.method, 'GET')
  const { authorization, cookie, 'x-svc-role': role, 'x-own': own, 'x-request-id': id } = asked?.headers ?? {}
  assert.deepEqual([authorization, cookie, role, own, id], ['Bearer t', 'a=b', 'editor', 'y', 'the-id'])
  assert.notEqual(asked?.headers.host, 'x')
  assert.equal(asked?.headers['content-type'], 'application/json')
  assert.match(asked?.headers['user-agent'] ?? '', /^svc-graphql-engine\//)
  assert.equal(asked?.headers.accept, undefined)
})

test('POST sends all headers and the request in its body', async () => {
  answering({ 'x-svc-role': 'user' })
  const { 'x-request-id': _, ...others } = client
  const operation = { query: '{a}', variables: { n: JSON.rawJSON('9007199254740993') }, extra: 1 }
  const bytes = Buffer.from(client['x-own']).toString('latin1')
  await ask({ ...client, 'x-own': bytes }, { method: 'POST' }, operation)
  assert.equal(asked?.method, 'POST')
  assert.equal(
    asked?.body,
    JSON.stringify({
      headers: { ...others, 'x-request-id': 'the-id' },
      request: { query: '{a}', variables: { n: JSON.rawJSON('9007199254740993') } },
    }),
  )
  const requestOf = async (body: unknown) => {
    await ask(client, { method: 'POST' }, body)
    return JSON.parse(asked?.body ?? '').request
  }
  assert.deepEqual(await requestOf([{ query: 'a' }]), [{ query: 'a' }])
  const given = { query: 'a', variables: {}, operationName: 'b' }
  assert.deepEqual(await requestOf({ ...given, extra: 1 }), given)
  for (const odd of [null, 7, [1], { type: 'bulk' }]) assert.equal(await requestOf(odd), null)
  await ask(client, { method: 'POST', sendRequestBody: false }, operation)
  assert.deepEqual(Object.keys(JSON.parse(asked?.body ?? '')), ['headers'])
})

test('an admin secret is compared here, right or wrong, and the hook is not asked', async () => {
  assert.equal((await ask({ 'x-svc-admin-secret': 'secret', 'x-svc-role': 'r' })).session.role, 'r')
  assert.equal(
    await fault(ask({ 'x-svc-admin-secret': 'wrong' })),
    '401 access-denied: invalid "x-svc-admin-secret"/"x-svc-access-key"',
  )
  assert.equal(asked, null)
})

test('what a hook answers and may not is reported by code and status', async () => {
  const why = async (body: unknown, status = 200) => {
    answering(body, status)
    return fault(ask({}))
  }
  const invalid = '500 unexpected: Invalid response from authorization hook'
  assert.equal(await why({}, 401), '401 access-denied: Authentication hook unauthorized this request')
  for (const status of [204, 302, 400, 403, 500]) assert.equal(await why('', status), invalid)
  const roleMissing = '400 invalid-params: "x-svc-role" not found in session variables'
  for (const body of [{}, { 'x-svc-role': '' }, { role: 'user' }]) assert.equal(await why(body), roleMissing)
  for (const body of ['{', '[]', '7', 'null', { 'x-svc-role': 'user', n: 1 }, { 'x-svc-role': ['user'] }])
    assert.match(await why(body), /^500 unexpected: Invalid response from authorization hook: /)
  assert.equal(
    await fault(ask({}, { url: 'http://127.0.0.1:1/' })),
    '500 unexpected: webhook authentication request failed',
  )
})

test('cookies of the hook are for the client, and its members of caching end a websocket', async () => {
  answering({ 'x-svc-role': 'user' }, 200, { 'set-cookie': ['a=1', 'b=2'] })
  assert.deepEqual((await ask({})).cookies, ['a=1', 'b=2'])
  const expiry = async (members: Readonly<Record<string, string>>) => {
    answering({ 'x-svc-role': 'user', ...members })
    const { expiresAt } = await ask({})
    return expiresAt === null ? null : Math.round((expiresAt - Date.now()) / 1000)
  }
  const Expires = new Date(Date.now() + 100_000).toUTCString()
  assert.equal(await expiry({ 'Cache-Control': 'max-age=5' }), 5)
  assert.equal(await expiry({ 'Cache-Control': 's-maxage=6', Expires }), 6)
  assert.ok(Math.abs((await expiry({ Expires })) ?? 0) - 100 <= 1)
  for (const members of [{ 'cache-control': 'max-age=5' }, { expires: Expires }, { Expires: 'soon' }])
    assert.equal(await expiry(members), null)
})

test('every call is observed, without the query of the URL and without what a session holds', async () => {
  answering({ 'x-svc-role': 'user' })
  const right = observer.next('auth-hook-answered')
  await ask({})
  const { url: shown, status, response } = await right
  assert.deepEqual([shown, status, response], [url.replace(/\?.*/, ''), 200, null])
  answering('nobody', 401)
  const refused = observer.next('auth-hook-answered')
  await fault(ask({}))
  assert.equal((await refused).response, 'nobody')
})
