import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js'
import { healthCheckRequest, healthCheckResponse } from '../protocol/plugin-messages.ts'
import { type Certificate, makeCertificate } from './certificate.ts'
import type { Terms } from './handshake.ts'
import { type PluginServer, startPluginServer } from './plugin-server.ts'
import type { UnaryMethod } from './service.ts'

/** Answers with its own name and what came. */
const echo: UnaryMethod = {
  decode: (bytes) => bytes,
  encode: (response) => response as Buffer,
  answer: async (request) => request,
}

interface Started {
  readonly server: PluginServer
  readonly shutdowns: () => number
}

async function start(
  t: TestContext,
  terms: Partial<Terms> = {},
  certificate: Certificate | null = null,
): Promise<Started> {
  let shutdowns = 0
  const given = { clientCertificate: null, socketDirectory: null, ...terms }
  const server = await startPluginServer({ Echo: echo }, given, certificate, () => {
    shutdowns++
  })
  t.after(() => server.close())
  return { server, shutdowns: () => shutdowns }
}

function clientOf(t: TestContext, { place }: PluginServer, secure = credentials.createInsecure()): Client {
  const target = place.network === 'unix' ? `unix:${place.address}` : place.address
  const client = new Client(target, secure, {
    'grpc.ssl_target_name_override': 'localhost',
    'grpc.default_authority': 'localhost',
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
  })
  t.after(() => client.close())
  return client
}

const ask = (client: Client, path: string, bytes: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      path,
      (value: Buffer) => value,
      (value: Buffer) => value,
      bytes,
      { deadline: Date.now() + 60_000 },
      (error, answer) => (error ? reject(error) : resolve(answer ?? Buffer.alloc(0))),
    )
  })

const codeOf = (work: Promise<unknown>): Promise<number | null> =>
  work.then(
    () => null,
    (error: ServiceError) => error.code,
  )

test('a method is answered, an unknown one is unimplemented', async (t) => {
  const client = clientOf(t, (await start(t)).server)
  assert.equal((await ask(client, '/tfplugin6.Provider/Echo', Buffer.from('hello'))).toString(), 'hello')
  assert.equal(await codeOf(ask(client, '/tfplugin6.Provider/GetFunctions', Buffer.alloc(0))), status.UNIMPLEMENTED)
})

test('a message of 6 MB passes in both directions', async (t) => {
  const client = clientOf(t, (await start(t)).server)
  const large = Buffer.alloc(6_000_000, 'x')
  assert.equal((await ask(client, '/tfplugin6.Provider/Echo', large)).equals(large), true)
})

test('the plugin says that it serves', async (t) => {
  const client = clientOf(t, (await start(t)).server)
  const check = (service: string) => ask(client, '/grpc.health.v1.Health/Check', healthCheckRequest.encode({ service }))
  assert.equal(healthCheckResponse.encode({ status: 'serving' }).equals(await check('plugin')), true)
  assert.equal(await codeOf(check('other')), status.NOT_FOUND)
})

test('with certificates only the client that was announced is accepted, and it verifies the server', async (t) => {
  const [ours, theirs, stranger] = [0, 1, 2].map(() => makeCertificate(new Date())) as [
    Certificate,
    Certificate,
    Certificate,
  ]
  const { server } = await start(t, { clientCertificate: theirs.certificatePem }, ours)
  const secure = (own: Certificate, trusted: Certificate) =>
    credentials.createSsl(Buffer.from(trusted.certificatePem), Buffer.from(own.keyPem), Buffer.from(own.certificatePem))
  const hello = Buffer.from('hello')
  const path = '/tfplugin6.Provider/Echo'
  assert.equal((await ask(clientOf(t, server, secure(theirs, ours)), path, hello)).toString(), 'hello')
  for (const client of [secure(stranger, ours), secure(theirs, stranger), credentials.createInsecure()])
    assert.equal(await codeOf(ask(clientOf(t, server, client), path, hello)), status.UNAVAILABLE)
})

test('a shutdown is answered before it happens', async (t) => {
  const { server, shutdowns } = await start(t)
  const client = clientOf(t, server)
  await ask(client, '/plugin.GRPCController/Shutdown', Buffer.alloc(0))
  await new Promise((resolve) => setImmediate(resolve))
  while (shutdowns() === 0) await new Promise((resolve) => setImmediate(resolve))
})

test('the streams of go-plugin remain open and silent', async (t) => {
  const client = clientOf(t, (await start(t)).server)
  const raw = (value: Buffer) => value
  const stdio = client.makeServerStreamRequest('/plugin.GRPCStdio/StreamStdio', raw, raw, Buffer.alloc(0))
  const broker = client.makeBidiStreamRequest('/plugin.GRPCBroker/StartStream', raw, raw)
  let ended = 0
  for (const stream of [stdio, broker])
    stream
      .on('data', () => ended++)
      .on('end', () => ended++)
      .on('error', () => {})
  assert.equal((await ask(client, '/tfplugin6.Provider/Echo', Buffer.from('a'))).toString(), 'a')
  assert.equal(ended, 0)
  stdio.cancel()
  broker.cancel()
})

test('the socket is made where it is wanted, and goes with the server', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sockets-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { server } = await start(t, { socketDirectory: folder })
  assert.equal(dirname(dirname(server.place.address)), folder)
  assert.equal(existsSync(server.place.address), true)
  server.close()
  assert.equal(existsSync(dirname(server.place.address)), false)
})

test('a folder whose name is too long for a socket, or that is not there, is not used', async (t) => {
  for (const socketDirectory of [join(tmpdir(), 'x'.repeat(100)), '/no-such-folder']) {
    const { server } = await start(t, { socketDirectory })
    assert.ok(Buffer.byteLength(server.place.address) <= 100)
    assert.equal((await ask(clientOf(t, server), '/tfplugin6.Provider/Echo', Buffer.from('a'))).toString(), 'a')
  }
})
