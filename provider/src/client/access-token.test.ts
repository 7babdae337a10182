import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { accessTokenFrom, tokenSourceOf } from './access-token.ts'

const jwt = (n: number, exp: number) => `e30.${Buffer.from(JSON.stringify({ n, exp })).toString('base64url')}.c2lnbmVk`

test("a run of GitHub's gets tokens for the audience, and another one when the first is about to expire", async (t) => {
  const asked: (readonly (string | undefined)[])[] = []
  const expiries = [Date.now() / 1000 + 300, Date.now() / 1000 + 30]
  const server = createServer((request, response) => {
    asked.push([request.url, request.headers.authorization])
    response.end(JSON.stringify({ value: jwt(asked.length, expiries[asked.length - 1] ?? 0) }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token?api-version=2`
  const environment = { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'secret' }
  const source = tokenSourceOf({ oidcAudience: 'svc' }, environment)
  assert.ok(source)
  const first = accessTokenFrom(source)
  assert.deepEqual(await Promise.all([first(), first()]), Array(2).fill(jwt(1, expiries[0] ?? 0)))
  assert.equal(await first(), jwt(1, expiries[0] ?? 0))
  const second = accessTokenFrom(source)
  for (const n of [2, 3]) assert.equal(await second(), jwt(n, expiries[n - 1] ?? 0))
  assert.deepEqual(asked, Array(3).fill(['/token?api-version=2&audience=svc', 'Bearer secret']))
  server.close()
  server.closeAllConnections()
  await assert.rejects(accessTokenFrom(source)(), { message: 'GitHub issues no OIDC token (no answer)' })
})

test('a token of a file is read for each request, and what is not there is said', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'svc-token-')), 'token')
  const token = accessTokenFrom({ kind: 'file', path })
  await assert.rejects(token(), { message: `the OIDC token in ${path} cannot be read: ENOENT` })
  for (const text of ['one', 'two']) {
    writeFileSync(path, `${text}\n`)
    assert.equal(await token(), text)
  }
})

test('a token counts before a file, a file before an audience, which needs an issuer with the first request', async () => {
  const all = { token: 'a', oidcTokenFile: 'b', oidcAudience: 'c' }
  assert.deepEqual(tokenSourceOf(all, {}), { kind: 'value', value: 'a' })
  assert.deepEqual(tokenSourceOf({ ...all, token: undefined }, {}), { kind: 'file', path: 'b' })
  assert.deepEqual(tokenSourceOf({ oidcAudience: 'c' }, { TFC_WORKLOAD_IDENTITY_TOKEN: 'd' }), {
    kind: 'value',
    value: 'd',
  })
  const none = tokenSourceOf({ oidcAudience: 'c' }, {})
  assert.equal(none?.kind, 'none')
  await assert.rejects(accessTokenFrom(none)(), /permission "id-token: write"/)
  assert.equal(tokenSourceOf({}, { TFC_WORKLOAD_IDENTITY_TOKEN: 'd' }), undefined)
})
