import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeCertificate } from './certificate.ts'
import { handshakeLine, readTerms, reattachText } from './handshake.ts'

const cookie = { TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2' }

test('the terms are those of the environment', () => {
  assert.deepEqual(readTerms(cookie), { clientCertificate: null, socketDirectory: null })
  const more = { PLUGIN_PROTOCOL_VERSIONS: '6,5', PLUGIN_CLIENT_CERT: 'PEM', PLUGIN_UNIX_SOCKET_DIR: '/run' }
  assert.deepEqual(readTerms({ ...cookie, ...more }), { clientCertificate: 'PEM', socketDirectory: '/run' })
})

test('without the cookie, and with a Terraform that is too old, it says why it does not start', () => {
  const refusal = (environment: Record<string, string>) => {
    const terms = readTerms(environment)
    return 'refusal' in terms ? terms.refusal : null
  }
  assert.match(refusal({}) ?? '', /Terraform starts it/)
  assert.match(refusal({ TF_PLUGIN_MAGIC_COOKIE: 'x' }) ?? '', /Terraform starts it/)
  assert.match(refusal({ ...cookie, PLUGIN_PROTOCOL_VERSIONS: '4,5' }) ?? '', /only 4,5/)
  assert.equal(refusal({ ...cookie, PLUGIN_PROTOCOL_VERSIONS: '5,6' }), null)
})

test('the handshake is one line of six parts, the certificate without padding', () => {
  const certificate = makeCertificate(new Date())
  const line = handshakeLine({ network: 'unix', address: '/tmp/x/s' }, certificate)
  const parts = line.trimEnd().split('|')
  assert.deepEqual(parts.slice(0, 5), ['1', '6', 'unix', '/tmp/x/s', 'grpc'])
  assert.match(parts[5] ?? '', /^[A-Za-z0-9+/]+$/)
  assert.deepEqual(Buffer.from(parts[5] ?? '', 'base64'), certificate.certificateDer)
  assert.equal(handshakeLine({ network: 'tcp', address: '127.0.0.1:1' }, null), '1|6|tcp|127.0.0.1:1|grpc|\n')
})

test('a provider started by hand says how Terraform finds it', () => {
  assert.deepEqual(JSON.parse(reattachText('a/b/c', { network: 'unix', address: '/s' }, 7)), {
    'a/b/c': { Protocol: 'grpc', ProtocolVersion: 6, Pid: 7, Test: true, Addr: { Network: 'unix', String: '/s' } },
  })
})
