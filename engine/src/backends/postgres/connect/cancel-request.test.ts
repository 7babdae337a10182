import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { TLSSocket } from 'node:tls'
import { untrustedCertificate, untrustedKey } from '../../../../../test/cli/untrusted-certificate.ts'
import { isPgBouncerInstalled, startPgBouncer } from '../../../../../test/pgbouncer.ts'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { unless } from '../../../../../test/requirement.ts'
import { requestCancel } from './cancel-request.ts'
import { openSource, plan } from './source.fixture.ts'

/** A server that hands each connection to `take`. */
async function listen(t: TestContext, take: (socket: Socket) => Promise<void>): Promise<number> {
  const failures: unknown[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    take(socket).catch((error) => failures.push(error))
  }).listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    assert.deepEqual(failures, [])
  })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const request = '00000010' + '04d2162e' + '0000002a' + '00000007'
const target = { host: '127.0.0.1', processId: 42, secretKey: 7 }

/** Reads the request, and sees that the connection is whole until the server ends it. */
async function readRequest(socket: Socket): Promise<void> {
  const [bytes] = await once(socket, 'data')
  assert.equal(bytes.toString('hex'), request)
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(socket.readableEnded, false)
  socket.end()
}

test('a request to cancel is written, and its connection ended by the server', async (t) => {
  const port = await listen(t, readRequest)
  await requestCancel({ ...target, port, tls: null })
})

test('over TLS the request goes over TLS too', async (t) => {
  const tls = { options: { rejectUnauthorized: false }, isDirect: false }
  const port = await listen(t, async (socket) => {
    const [bytes] = await once(socket, 'data')
    assert.equal(bytes.toString('hex'), '0000000804d2162f')
    socket.write('S')
    await readRequest(new TLSSocket(socket, { isServer: true, key: untrustedKey, cert: untrustedCertificate }))
  })
  await requestCancel({ ...target, port, tls })
  // a server that has changed its mind, or a proxy in between, gets no secret
  let asked = 0
  const refusing = await listen(t, async (socket) => {
    await once(socket, 'data')
    socket.write('N')
    socket.on('data', () => asked++)
    await once(socket, 'close')
  })
  await requestCancel({ ...target, port: refusing, tls })
  assert.equal(asked, 0)
})

test('a server that is not there is no error', () => requestCancel({ ...target, port: 1, tls: null }))

const skip = unless('pgbouncer', isPgBouncerInstalled, 'needs the package pgbouncer')

test('a pooler survives clients that leave, and their statements end', { skip }, async (t) => {
  const { url } = await createTestDatabase(t)
  const pooler = await startPgBouncer(url, 5, t)
  const { source } = await openSource(t, pooler.url, { usePreparedStatements: false })
  const direct = await openSource(t, url)
  for (let round = 0; round < 5; round++) {
    const client = new AbortController()
    const left = Array.from({ length: 3 }, () =>
      assert.rejects(source.query(plan('SELECT pg_sleep(60)::text'), [], client.signal), { message: 'left' }),
    )
    const asleep = plan(`SELECT count(*)::text FROM pg_stat_activity WHERE wait_event = 'PgSleep'`)
    while (Number(await direct.source.query(asleep, [])) < 3);
    client.abort(new Error('left'))
    await Promise.all(left)
    while (Number(await direct.source.query(asleep, [])) > 0);
    assert.equal(String(await source.query(plan(`SELECT 'there'`), [])), 'there')
  }
})
