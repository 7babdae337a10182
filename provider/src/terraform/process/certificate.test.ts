import assert from 'node:assert/strict'
import { createPublicKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { test } from 'node:test'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { makeCertificate } from './certificate.ts'
import { der, integer, objectId, time } from './der.ts'

const now = new Date('2026-03-01T12:00:00Z')

test('a certificate is one for localhost, signed by its own key, valid around now', () => {
  const { certificateDer, certificatePem, keyPem } = makeCertificate(now)
  const certificate = new X509Certificate(certificateDer)
  assert.equal(new X509Certificate(certificatePem).fingerprint256, certificate.fingerprint256)
  assert.equal(certificate.subject, 'CN=localhost')
  assert.equal(certificate.issuer, 'CN=localhost')
  assert.equal(certificate.subjectAltName, 'DNS:localhost')
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])
  assert.equal(certificate.verify(createPublicKey(keyPem)), true)
  assert.equal(certificate.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1')
  assert.equal(new Date(certificate.validFrom).toISOString(), '2026-02-28T12:00:00.000Z')
  assert.equal(new Date(certificate.validTo).toISOString(), '2026-03-31T12:00:00.000Z')
})

test('two certificates have different serial numbers and keys', () => {
  const [a, b] = [0, 1].map(() => new X509Certificate(makeCertificate(now).certificateDer))
  assert.notEqual(a?.serialNumber, b?.serialNumber)
  assert.notEqual(a?.fingerprint256, b?.fingerprint256)
})

test('TLS with both certificates checked is made between two that know only each other', async (t) => {
  const [server, client] = [makeCertificate(new Date()), makeCertificate(new Date())]
  const listening = createServer({
    key: server.keyPem,
    cert: server.certificatePem,
    ca: client.certificatePem,
    requestCert: true,
    rejectUnauthorized: true,
  })
  await once(listening.listen(0, '127.0.0.1'), 'listening')
  t.after(() => listening.close())
  const address = listening.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const accepted = once(listening, 'secureConnection')
  const socket = connect({
    port,
    host: '127.0.0.1',
    servername: 'localhost',
    ca: server.certificatePem,
    key: client.keyPem,
    cert: client.certificatePem,
  })
  await once(socket, 'secureConnect')
  const [theirs]: TLSSocket[] = await accepted
  assert.deepEqual([socket.authorized, theirs?.authorized], [true, true])
  assert.equal(socket.getProtocol(), 'TLSv1.3')
  socket.destroy()
})

test('DER writes lengths, signs, identifiers and years as the format says', () => {
  assert.equal(der(0x04, Buffer.alloc(0x80)).subarray(0, 3).toString('hex'), '048180')
  assert.equal(der(0x04, Buffer.alloc(0x1234)).subarray(0, 4).toString('hex'), '04821234')
  assert.equal(integer(Buffer.from([0x80])).toString('hex'), '02020080')
  assert.equal(objectId('1.2.840.10045.4.3.2').toString('hex'), '06082a8648ce3d040302')
  assert.equal(time(new Date('2049-12-31T23:59:59Z')).toString('latin1'), '\x17\r491231235959Z')
  assert.equal(time(new Date('2050-01-01T00:00:00Z')).toString('latin1'), '\x18\x0f20500101000000Z')
})
