import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createHttpClient } from '../../http-client/index.ts'
import { createObserver } from '../../observe/index.ts'
import { KeySet } from './key-set.ts'
import { keySetExpiry } from './key-set-expiry.ts'

const jwk = (kid: string, more: object = {}) => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...publicKey.export({ format: 'jwk' }), kid, ...more }
}

interface Response {
  readonly status?: number
  readonly headers?: OutgoingHttpHeaders
  readonly body: unknown
}

/** Answers in turn, the last one for ever. */
async function serving(t: TestContext, responses: readonly Response[]) {
  let asked = 0
  const server = createServer((_request, response) => {
    const { status = 200, headers = {}, body } = responses[Math.min(asked++, responses.length - 1)] ?? { body: null }
    response.writeHead(status, headers)
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const observer = createObserver()
  const http = createHttpClient({
    allowPrivateAddresses: true,
    maxResponseBytes: 100_000,
    tlsAllowlist: () => [],
    report: observer.report,
  })
  t.after(() => {
    http.close()
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
  const times = { firstRetry: 5, longestRetry: 20, check: 60 }
  const open = async () => {
    const set = await KeySet.open({ url, http, report: observer.report, times })
    t.after(() => set.close())
    return set
  }
  return { open, observer, asked: () => asked }
}

const idsOf = (set: KeySet) => set.keys(null).map(({ id }) => id)

test('a set is fetched at the start, again after failures, and fatal when it never comes', async (t) => {
  const good = await serving(t, [{ status: 500, body: '' }, { body: 'no json' }, { body: { keys: [jwk('a')] } }])
  assert.deepEqual(idsOf(await good.open()), ['a'])
  assert.equal(good.asked(), 3)
  const bad = await serving(t, [{ status: 404, body: '' }])
  await assert.rejects(bad.open(), /keys of jwk_url cannot be fetched: answered with status 404/)
  assert.equal(bad.asked(), 6)
})

test('keys of another use, of an unknown kind or too small are left out', async (t) => {
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })
  const keys = [
    jwk('a', { use: 'sig' }),
    jwk('b', { use: 'other' }),
    { kty: 'new', kid: 'c' },
    { ...small, kid: 'd' },
    { kty: 'oct', kid: 'e' },
    { kty: 'oct', kid: 'f', k: '' },
    { kty: 'oct', kid: 'g', k: Buffer.alloc(31, 'x').toString('base64url') },
    { kty: 'oct', kid: 'h', k: Buffer.alloc(32, 'x').toString('base64url'), alg: 'HS512' },
    { kty: 'oct', kid: 'i', k: Buffer.alloc(48, 'x').toString('base64url') },
    7,
  ]
  const { open, observer } = await serving(t, [{ body: { keys } }])
  const leftOut: unknown[] = []
  observer.subscribe((observation) => {
    if (observation.kind === 'key-left-out') leftOut.push(`${observation.id}: ${observation.message}`)
  })
  const set = await open()
  assert.deepEqual(idsOf(set), ['a', 'i'])
  assert.deepEqual(set.keys('i')[0]?.algorithms, ['HS256', 'HS384'])
  assert.deepEqual(leftOut, [
    'b: the key is of another use',
    'c: the key is no public key or certificate in PEM (PKCS#1, PKCS#8/SPKI, X.509)',
    'd: the RSA key has 1024 bits, and needs 2048 at least',
    'e: the key has no text (k)',
    'f: the key has no text (k)',
    'g: the key has 31 bytes, and needs 32 at least',
    'h: the key does not fit its alg',
  ])
  assert.deepEqual(set.keys('b'), [])
})

test('a set that must not be kept is fetched again; a failed fetch leaves the old keys, and is repeated', async (t) => {
  const headers = { 'cache-control': 'no-cache' }
  const { open, observer } = await serving(t, [
    { headers, body: { keys: [jwk('a')] } },
    { status: 503, body: '' },
    { headers, body: { keys: [jwk('b')] } },
  ])
  const failed = observer.next('key-set-failed')
  const set = await open()
  const fetched = observer.next('key-set-fetched')
  assert.equal((await failed).status, 503)
  assert.deepEqual(idsOf(set), ['a'])
  await fetched
  assert.deepEqual(idsOf(set), ['b'])
})

test('a token that names a key which the set lacks has the set fetched', async (t) => {
  const { open, observer, asked } = await serving(t, [{ body: { keys: [jwk('a')] } }, { body: { keys: [jwk('b')] } }])
  const set = await open()
  const fetched = observer.next('key-set-fetched')
  while (asked() === 1) {
    assert.deepEqual(set.keys('b'), [])
    await new Promise((resolve) => setImmediate(resolve))
  }
  await fetched
  assert.equal(set.keys('b').length, 1)
})

test('the headers of the response say when the set expires', () => {
  const now = 1_000_000
  const expiry = (cacheControl: string | null, expires?: string) =>
    keySetExpiry(
      [
        ...(cacheControl === null ? [] : [['Cache-Control', cacheControl] as const]),
        ...(expires === undefined ? [] : [['Expires', expires] as const]),
      ],
      now,
    )
  const date = new Date(5_000_000).toUTCString()
  assert.equal(expiry('max-age=5'), now + 5000)
  assert.equal(expiry('public, max-age=5, must-revalidate'), now + 5000)
  assert.equal(expiry('must-revalidate'), now)
  assert.equal(expiry('no-cache, max-age=5'), now)
  assert.equal(expiry('no-store'), now)
  assert.equal(expiry('public', date), 5_000_000)
  assert.equal(expiry('max-age=5', date), now + 5000)
  assert.equal(expiry(null, date), 5_000_000)
  assert.equal(expiry(null, 'tomorrow'), null)
  assert.equal(expiry(null), null)
})
