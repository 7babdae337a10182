import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authenticationHeaders, headersOfInit } from './authentication.ts'
import { checkHandshake, type HandshakeSettings } from './handshake.ts'

const settings: HandshakeSettings = {
  enabledApis: new Set(['graphql']),
  enableRelay: true,
  corsDomain: { kind: 'any' },
  disableCors: false,
  wsReadCookie: false,
  localPagesOnly: false,
}
const page = { origin: 'https://page.example' }

test('cookies of pages count with CORS, and without it only where they shall', () => {
  const cookies = (more: Partial<HandshakeSettings>, headers = page) =>
    checkHandshake('/v1/graphql', headers, { ...settings, ...more }).cookies
  assert.equal(cookies({}), true)
  assert.equal(cookies({ disableCors: true }), false)
  assert.equal(cookies({ disableCors: true, wsReadCookie: true }), true)
})

test('a disabled API has no websockets either', () => {
  const refused = (path: string, more: Partial<HandshakeSettings>, code: string) =>
    assert.throws(() => checkHandshake(path, page, { ...settings, ...more }), { code })
  refused('/v1/graphql', { enabledApis: new Set(['metadata']) }, 'not-found')
  refused('/v1beta1/relay', { enableRelay: false }, 'not-supported')
})

test('the headers of connection_init come before those of the request, in the encoding of HTTP', () => {
  const own = headersOfInit({
    kind: 'init',
    headers: new Map([
      ['x-svc-role', 'user'],
      ['x-svc-name', 'Zoë'],
    ]),
  })
  const request = { 'x-svc-role': 'admin', cookie: 'a=b', upgrade: 'websocket', 'sec-websocket-key': 'x', host: 'here' }
  assert.deepEqual(
    { ...authenticationHeaders(own, request, false) },
    { 'x-svc-role': 'user', 'x-svc-name': 'Zo\xc3\xab', host: 'here' },
  )
  assert.equal(authenticationHeaders(own, request, true).cookie, 'a=b')
})
