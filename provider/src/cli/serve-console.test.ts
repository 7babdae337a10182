import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { serveConsole } from './serve-console.ts'

test('what is of one hop or of the page is not sent on, the credential is, and an engine that is gone is said so', async (t) => {
  const far = createServer((request, response) => {
    response.setHeader('set-cookie', 'a=b').setHeader('x-kept', 'yes').setHeader('connection', 'x-dropped')
    response.setHeader('x-dropped', 'yes').end(JSON.stringify(request.headers))
  })
  far.listen(0, '127.0.0.1')
  await once(far, 'listening')
  const endpoint = `http://127.0.0.1:${(far.address() as AddressInfo).port}/below`
  const credential = async () => ({ 'x-svc-admin-secret': 'own' })
  const served = await serveConsole(new Map(), { endpoint, credential, tls: { rejectUnauthorized: true } }, 0)
  t.after(() => served.close())
  const address = served.url.replace(/console$/, 'v1/metadata')
  const headers = { cookie: 'c=d', 'x-svc-admin-secret': 'typed', 'x-svc-role': 'user', te: 'trailers' }
  const answer = await fetch(address, { method: 'POST', headers, body: '{}' })
  const received = (await answer.json()) as Record<string, string>
  const { 'x-svc-admin-secret': secret, 'x-svc-role': role, host, cookie, origin, te } = received
  assert.deepEqual([secret, role, host, cookie, origin, te], ['own', 'user', new URL(endpoint).host, undefined, undefined, undefined]) // biome-ignore format: one
  const { headers: answered } = answer
  assert.deepEqual([answered.get('x-kept'), answered.get('x-dropped'), answered.get('set-cookie')], ['yes', null, null])
  const closed = once(far, 'close')
  far.close()
  far.closeAllConnections()
  await closed
  const gone = await fetch(address, { method: 'POST', body: '{}' })
  assert.equal(gone.status, 502)
  assert.match(((await gone.json()) as { error: string }).error, /\/below does not answer svc console: .*ECONNREFUSED/)
})
