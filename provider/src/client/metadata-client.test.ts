import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { untrustedCertificate, untrustedKey } from '../../../test/cli/untrusted-certificate.ts'
import { ClientError, type Connection, createMetadataClient } from './index.ts'

async function listen(t: TestContext, server: Server, scheme = 'http'): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `${scheme}://localhost:${(server.address() as AddressInfo).port}`
}

const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

const clientOf = (endpoint: string, more: Partial<Connection> = {}) =>
  createMetadataClient({ endpoint, actor: 'mia@laptop', userAgent: 'svc/test', ...more })

const exporting = { type: 'export_metadata', args: {}, version: 2 } as const

async function failure(work: Promise<unknown>): Promise<ClientError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ClientError, String(error))
  assert.equal(error.message.includes('\n'), false)
  return error
}

test('a request carries secret, actor and role, an answer its catalogue and version', async (t) => {
  const seen: Record<string, unknown>[] = []
  const listener: RequestListener = (request, response) => {
    seen.push(request.headers)
    answering(
      200,
      { message: 'success' },
      { 'x-svc-catalog-id': 'c1', 'x-svc-resource-version': '7' },
    )(request, response)
  }
  const client = clientOf(`${await listen(t, createServer(listener))}/`, { adminSecret: 's' })
  const answer = await client.send({ type: 'clear_metadata', args: {} })
  assert.deepEqual(answer, { body: { message: 'success' }, catalogId: 'c1', resourceVersion: 7 })
  assert.equal(seen[0]?.['x-svc-admin-secret'], 's')
  assert.equal(seen[0]?.['x-svc-actor'], 'mia@laptop')
  assert.equal(seen[0]?.['x-svc-role'], 'admin')
})

test('every refusal is one line that says what to do', async (t) => {
  const body = (code: string, error: string, path = '$') => ({ path, error, code })
  const cases: readonly (readonly [RequestListener, ClientError['problem'], RegExp])[] = [
    [answering(401, body('access-denied', 'no')), 'unauthorised', /wants an admin secret: give --admin-secret/],
    [answering(404, body('not-found', 'resource does not exist')), 'not-an-engine', /has no metadata API/],
    [answering(409, body('conflict', 'version')), 'conflict', /another client changed the metadata meanwhile/],
    [
      answering(200, '<html>', { 'content-type': 'text/html' }),
      'not-an-engine',
      /does not answer like an engine \(HTTP 200, text\/html\)/,
    ],
    [answering(502, { a: 1 }), 'not-an-engine', /does not answer like an engine \(HTTP 502\)/],
    [
      answering(400, body('parse-failed', 'unknown metadata command "export_metadata" for backend pg')),
      'older-engine',
      /is older than this svc/,
    ],
    [
      answering(400, body('unexpected', 'cannot continue', '$.args')),
      'refused',
      /^cannot continue \(unexpected at \$\.args\)$/,
    ],
  ]
  for (const [listener, problem, message] of cases) {
    const error = await failure(clientOf(await listen(t, createServer(listener))).send(exporting))
    assert.equal(error.problem, problem)
    assert.match(error.message, message)
  }
  const wrong = await failure(
    clientOf(await listen(t, createServer(answering(401, body('access-denied', 'no')))), { adminSecret: 'x' }).send(
      exporting,
    ),
  )
  assert.match(wrong.message, /does not accept the admin secret/)
})

test('an engine that is not there is reported at once', async (t) => {
  const server = createServer(answering(200, {}))
  const url = await listen(t, server)
  await new Promise((resolve) => server.close(resolve))
  assert.match((await failure(clientOf(url).send(exporting))).message, /connection refused/)
  assert.match(
    (await failure(clientOf('http://no-such-host.invalid').send(exporting))).message,
    /name of the host is unknown|no answer/,
  )
  assert.throws(() => clientOf('localhost:8080'), /is not an address like/)
})

test('what changes nothing is sent again after a broken connection, a write is not', async (t) => {
  let requests = 0
  const breaking: RequestListener = (request, response) => {
    requests++
    if (requests % 2 === 1) request.socket.destroy()
    else answering(200, { message: 'success' })(request, response)
  }
  const client = clientOf(await listen(t, createServer(breaking)))
  await client.send(exporting)
  assert.equal(requests, 2)
  const error = await failure(client.send({ type: 'clear_metadata', args: {} }))
  assert.equal(requests, 3)
  assert.match(error.message, /closed the connection before it answered: whether it stored anything/)
})

test('a certificate is trusted when it is given, or when none is wanted', async (t) => {
  const server = createTlsServer(
    { key: untrustedKey, cert: untrustedCertificate },
    answering(200, { message: 'success' }),
  )
  const url = await listen(t, server, 'https')
  const error = await failure(clientOf(url).send(exporting))
  assert.equal(error.problem, 'untrusted')
  assert.match(error.message, /is not trusted \(.*\): give --certificate-authority FILE, or --insecure-skip-tls-verify/)
  await clientOf(url, { insecure: true }).send(exporting)
  const folder = await mkdtemp(join(tmpdir(), 'svc-ca-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'ca.pem'), untrustedCertificate)
  await clientOf(url, { certificateAuthority: join(folder, 'ca.pem') }).send(exporting)
  assert.throws(() => clientOf(url, { certificateAuthority: join(folder, 'none.pem') }), {
    problem: 'certificate-authority',
    message: /cannot read the certificate authority .*ENOENT/,
  })
  await writeFile(join(folder, 'text.pem'), 'no certificate')
  assert.throws(() => clientOf(url, { certificateAuthority: join(folder, 'text.pem') }), {
    problem: 'certificate-authority',
    message: /text\.pem: it holds no certificate in PEM/,
  })
})

test('TLS where none is spoken is reported as such', async (t) => {
  const url = await listen(t, createServer(answering(200, {})))
  const error = await failure(clientOf(url.replace('http:', 'https:')).send(exporting))
  assert.match(error.message, /does not speak TLS|closed the connection/)
})

test('an interruption ends a request', async (t) => {
  const interruption = new AbortController()
  const url = await listen(
    t,
    createServer(() => interruption.abort()),
  )
  const error = await failure(clientOf(url, { signal: interruption.signal }).send({ type: 'clear_metadata', args: {} }))
  assert.equal(error.problem, 'interrupted')
})
