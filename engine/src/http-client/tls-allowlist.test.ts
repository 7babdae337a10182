import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTlsAllowed } from './tls-allowlist.ts'

test('a host, a port of a host and all names below a domain can be allowed', () => {
  const allowed = (url: string, host: string, suffix?: string) => isTlsAllowed([{ host, suffix }], new URL(url))
  assert.ok(allowed('https://a.example/', 'A.example'))
  assert.ok(allowed('https://a.example/', '*.example'))
  assert.ok(!allowed('https://example/', '*.example'))
  assert.ok(allowed('https://a.example:8443/', 'a.example', '8443'))
  assert.ok(allowed('https://a.example/', 'a.example', ':443'))
  assert.ok(!allowed('https://a.example/', 'a.example', '8443'))
  assert.ok(!allowed('https://b.example/', 'a.example'))
})
