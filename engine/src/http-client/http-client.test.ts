import assert from 'node:assert/strict'
import dns from 'node:dns'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, BlockList, createServer as createTcpServer } from 'node:net'
import { after, test } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { untrustedCertificate, untrustedKey } from '../../../test/cli/untrusted-certificate.ts'
import { createHttpClient, type HttpClientOptions, type HttpRequest } from './index.ts'

type Act = (request: IncomingMessage, response: ServerResponse, body: string) => void

const paths = new Map<string, Act>()
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += String(chunk)
  })
  request.on('end', () =>
    (paths.get(request.url ?? '') ?? ((_request, answer) => answer.end('nothing')))(request, response, body),
  )
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const origin = `http://127.0.0.1:${port}`

const observed: unknown[] = []
const clientWith = (options: Partial<HttpClientOptions> = {}) =>
  createHttpClient({
    allowPrivateAddresses: true,
    maxResponseBytes: 1000,
    tlsAllowlist: () => [],
    report: (observation) => observed.push(observation),
    ...options,
  })
const client = clientWith()
after(() => {
  client.close()
  server.closeAllConnections()
  server.close()
})

const ask = (path: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  url: `${origin}${path}`,
  shownUrl: `{{HOST}}${path}`,
  purpose: 'test',
  headers: [],
  body: null,
  timeout: 5000,
  ...more,
})

const echo: Act = (request, response, body) =>
  response.end(JSON.stringify({ method: request.method, headers: request.rawHeaders, body }))

async function echoed(request: HttpRequest) {
  const result = await client.send(request)
  assert.equal(result.kind, 'response')
  const { method, headers, body } = JSON.parse(result.kind === 'response' ? String(result.body) : '{}')
  const pairs: [string, string][] = headers.flatMap((name: string, index: number) =>
    index % 2 === 0 ? [[name.toLowerCase(), headers[index + 1]]] : [],
  )
  return { method, body, all: (wanted: string) => pairs.filter(([name]) => name === wanted).map(([, value]) => value) }
}

test('method, body and repeated headers arrive as given', async () => {
  paths.set('/echo', echo)
  for (const method of ['POST', 'PUT', 'DELETE', 'GET', 'PATCH']) {
    const got = await echoed(
      ask('/echo', {
        method,
        body: 'å{}',
        headers: [
          ['X-A', '1'],
          ['x-a', '2'],
          ['Content-Length', '1'],
        ],
      }),
    )
    assert.equal(got.method, method)
    assert.equal(got.body, 'å{}')
    assert.deepEqual(got.all('x-a'), ['1', '2'])
    assert.deepEqual(got.all('content-length'), ['4'])
    assert.match(String(got.all('user-agent')), /^svc-graphql-engine\//)
  }
  for (const method of ['POST', 'GET', 'DELETE']) assert.equal((await echoed(ask('/echo', { method }))).body, '')
})

test('a response of any status is a response, its repeated headers kept', async () => {
  paths.set('/teapot', (_request, response) => {
    response.writeHead(
      418,
      [
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
      ].flat(),
    )
    response.end('short')
  })
  const result = await client.send(ask('/teapot'))
  assert.equal(result.kind === 'response' && result.status, 418)
  const cookies = result.kind === 'response' ? result.headers.filter(([name]) => name === 'Set-Cookie') : []
  assert.deepEqual(cookies, [
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
  ])
})

test('302 and 303 go on as GET, 301, 307 and 308 as they were; another origin gets no header but those of the body', async () => {
  paths.set('/echo', echo)
  const headers = [
    ['Authorization', 'secret'],
    ['X-Api-Key', 'secret'],
    ['x-svc-user-id', '1'],
    ['Accept', 'text/plain'],
    ['Content-Type', 'application/json'],
  ] as const
  for (const [status, method, body] of [
    [301, 'POST', 'x'],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'x'],
    [308, 'POST', 'x'],
  ] as const) {
    paths.set('/from', (_request, response) => response.writeHead(status, { Location: '/echo' }).end())
    const got = await echoed(ask('/from', { body: 'x', headers }))
    assert.deepEqual([got.method, got.body], [method, body], String(status))
    assert.deepEqual(got.all('authorization'), ['secret'])
    assert.deepEqual(got.all('content-type'), method === 'GET' ? [] : ['application/json'])
  }
  paths.set('/from', (_request, response) =>
    response.writeHead(307, { Location: `http://localhost:${port}/back` }).end(),
  )
  // nor does it get them for the first origin by sending the request back
  paths.set('/back', (_request, response) => response.writeHead(307, { Location: `${origin}/echo` }).end())
  const elsewhere = await echoed(ask('/from', { body: 'x', headers }))
  for (const name of ['authorization', 'x-api-key', 'x-svc-user-id']) assert.deepEqual(elsewhere.all(name), [], name)
  assert.deepEqual([elsewhere.body, elsewhere.all('content-type')], ['x', ['application/json']])
  assert.deepEqual(elsewhere.all('accept'), ['text/plain'])
})

async function failure(request: HttpRequest, using = client) {
  const result = await using.send(request)
  return result.kind === 'failure' ? result.failure : `status ${result.status}`
}

test('each way to fail has its kind', async () => {
  paths.set('/loop', (_request, response) => response.writeHead(307, { Location: '/loop' }).end())
  assert.equal(await failure(ask('/loop')), 'too-many-redirects')
  paths.set('/big', (_request, response) => response.end('x'.repeat(1001)))
  assert.equal(await failure(ask('/big')), 'too-large')
  paths.set('/bomb', (_request, response) =>
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('x'.repeat(5_000_000))),
  )
  assert.equal(await failure(ask('/bomb')), 'too-large')
  paths.set('/silent', () => {})
  assert.equal(await failure(ask('/silent', { timeout: 30 })), 'timeout')
  paths.set('/half', (_request, response) => response.writeHead(200, { 'Content-Length': '10' }).write('x'))
  assert.equal(await failure(ask('/half', { timeout: 50 })), 'timeout')
  const controller = new AbortController()
  paths.set('/cancel', () => controller.abort())
  assert.equal(await failure(ask('/cancel', { signal: controller.signal })), 'aborted')
  assert.equal(await failure(ask('/cancel', { signal: AbortSignal.abort() })), 'aborted')
  paths.set('/cut', (request) => request.socket.destroy())
  assert.equal(await failure(ask('/cut')), 'connection')
  paths.set('/cut-short', (request, response) => {
    response.writeHead(200, { 'Content-Length': '10' }).write('x', () => request.socket.destroy())
  })
  assert.equal(await failure(ask('/cut-short')), 'connection')
  for (const url of ['', 'nowhere', 'ftp://example.com/', 'http://', '/path'])
    assert.equal(await failure(ask('', { url })), 'invalid-url')
  assert.equal(await failure(ask('/echo', { headers: [['x y', 'z']] })), 'invalid-request')
  assert.equal(await failure(ask('/echo', { headers: [['x', 'a\nb']] })), 'invalid-request')
  assert.equal(await failure(ask('', { url: `https://127.0.0.1:${port}/` })), 'tls')
  assert.equal(await failure(ask('', { url: 'http://127.0.0.1:1/' })), 'connection')
  assert.equal(await failure(ask('', { url: 'http://nowhere.invalid/' })), 'connection')
})

test('encoded responses are decoded, and one that is not what it says fails', async () => {
  const text = 'å body'.repeat(20)
  const cases = [
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['Deflate', deflateRawSync(text)],
    ['unknown', Buffer.from(text)],
  ] as const
  for (const [encoding, body] of cases) {
    paths.set('/encoded', (request, response) => {
      assert.equal(request.headers['accept-encoding'], 'gzip, deflate, br')
      response.writeHead(200, { 'Content-Encoding': encoding }).end(body)
    })
    const result = await client.send(ask('/encoded'))
    assert.equal(result.kind === 'response' ? String(result.body) : result.message, text, encoding)
  }
  for (const encoding of ['gzip', 'br', 'deflate']) {
    paths.set('/rubbish', (_request, response) =>
      response.writeHead(200, { 'Content-Encoding': encoding }).end('no such thing'),
    )
    assert.equal(await failure(ask('/rubbish')), 'connection', encoding)
    paths.set('/empty', (_request, response) => response.writeHead(204, { 'Content-Encoding': encoding }).end())
    assert.equal(await failure(ask('/empty')), 'status 204', encoding)
  }
})

test('what is no HTTP, never ends or changes protocols fails by itself; other requests on the connection are not affected', async () => {
  const answers = ['rubbish\r\n\r\n', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n']
  const rubbish = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => socket.end(answers.shift() ?? ''))
  })
  const endless = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const timer = setInterval(() => socket.write('x'.repeat(100)), 1)
      socket.on('close', () => clearInterval(timer))
    })
  })
  for (const one of [rubbish, endless]) await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve))
  const at = (one: typeof rubbish) => `http://127.0.0.1:${(one.address() as AddressInfo).port}/`
  assert.equal(await failure(ask('', { url: at(rubbish) })), 'connection')
  assert.equal(await failure(ask('', { url: at(rubbish) })), 'connection')
  assert.equal(await failure(ask('', { url: at(rubbish) })), 'connection')
  assert.equal(await failure(ask('', { url: at(endless) })), 'too-large')
  rubbish.close()
  endless.close()
})

test('private addresses are refused by address and by name where they are not allowed', async () => {
  const strict = clientWith({ allowPrivateAddresses: false })
  const inside = ['127.0.0.1', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', '169.254.169.254', '10.1.2.3']
  const nowhere = ['192.0.2.1', '198.51.100.7', '203.0.113.9', '[2001:db8::1]', '[::7f00:1]', '[64:ff9b:1::a00:1]']
  for (const host of [...inside, ...nowhere])
    assert.equal(await failure(ask('', { url: `http://${host}:${port}/echo` }), strict), 'refused-address', host)
  strict.close()
})

test('a time limit beyond what a timer can hold is long, not over at once', async () => {
  paths.set('/soon', echo)
  assert.equal((await client.send(ask('/soon', { timeout: 2 ** 31 * 1000 }))).kind, 'response')
})

test('a public address that redirects to a private one gains nothing, whether by address or by name', async (t) => {
  // the server of this test stands for one on the internet
  const isListed = BlockList.prototype.check
  t.mock.method(BlockList.prototype, 'check', function check(this: BlockList, address: string, family?: 'ipv4') {
    return address !== '127.0.0.1' && isListed.call(this, address, family)
  })
  const lookup = dns.lookup
  type Found = (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void
  t.mock.method(dns, 'lookup', (name: string, options: dns.LookupAllOptions, found: Found) =>
    name === 'inside.example' ? found(null, [{ address: '10.1.2.3', family: 4 }]) : lookup(name, options, found),
  )
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  const strict = clientWith({ allowPrivateAddresses: false })
  t.after(() => strict.close())
  const redirect = (path: string, status: number, to: string) =>
    paths.set(path, (_request, response) => response.writeHead(status, { Location: to }).end())
  redirect('/outside', 307, '/public')
  paths.set('/public', echo)
  const { kind } = await strict.send(ask('/outside'))
  assert.equal(kind, 'response')
  const inside = [
    'http://127.0.0.2:1/',
    'http://0x7f.2:1/',
    '//169.254.169.254/latest/meta-data',
    'http://[::1]:1/',
    'http://[::ffff:10.0.0.1]/',
    'https://10.1.2.3/',
    'http://inside.example/',
  ]
  for (const to of inside)
    for (const status of [301, 302, 303, 307, 308]) {
      redirect('/public', status, to)
      assert.equal(await failure(ask('/public'), strict), 'refused-address', to)
      // behind one that is allowed
      assert.equal(await failure(ask('/outside'), strict), 'refused-address', to)
    }
})

test('connections are used again', async () => {
  const sockets = new Set<unknown>()
  paths.set('/again', (request, response) => {
    sockets.add(request.socket.remotePort)
    response.end()
  })
  const fresh = clientWith()
  for (let count = 0; count < 5; count++) await fresh.send(ask('/again'))
  fresh.close()
  assert.equal(sockets.size, 1)
})

test('what was written is never sent again: neither on a connection used again nor on a new one', async () => {
  let count = 0
  const bodies: string[] = []
  const fickle = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      count += 1
      bodies.push(String(data).slice(-1))
      // the first is answered and the connection kept; the next ends it, once before its answer and once within
      if (count === 1) socket.write('HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n')
      else if (count === 2) socket.destroy()
      else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n1')
    })
  })
  await new Promise<void>((resolve) => fickle.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(fickle.address() as AddressInfo).port}/`
  const send = (body: string) => ask('', { url, method: 'POST', body })
  assert.equal((await client.send(send('a'))).kind, 'response')
  assert.equal(await failure(send('b')), 'connection')
  assert.equal(await failure(send('c')), 'connection')
  assert.deepEqual(bodies, ['a', 'b', 'c'])
  fickle.close()
})

test('observations show the URL as configured, without its query and password', async () => {
  observed.length = 0
  await client.send(ask('/echo', { shownUrl: '{{HOST}}/echo?key=secret', requestId: 'r1' }))
  const [{ milliseconds, responseSize, ...sent }] = observed as [Record<string, unknown>]
  assert.ok(Number(milliseconds) >= 0 && Number(responseSize) > 0)
  assert.deepEqual(sent, {
    kind: 'http-request-sent',
    purpose: 'test',
    requestId: 'r1',
    spanId: null,
    method: 'POST',
    url: '{{HOST}}/echo',
    status: 200,
    failure: null,
  })
  observed.length = 0
  await client.send(ask('/echo', { shownUrl: 'https://user:secret@host.example/@path' }))
  assert.equal((observed as [{ readonly url: string }])[0].url, 'https://host.example/@path')
})

test('an untrusted certificate is accepted from allowed hosts only', async () => {
  const secure = createSecureServer({ key: untrustedKey, cert: untrustedCertificate }, (_request, response) =>
    response.end(),
  )
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
  const url = `https://127.0.0.1:${(secure.address() as AddressInfo).port}/`
  const trusting = clientWith({ tlsAllowlist: () => [{ host: '127.0.0.1' }] })
  assert.equal(await failure(ask('', { url })), 'tls')
  assert.equal(await failure(ask('', { url }), trusting), 'status 200')
  assert.equal(await failure(ask('', { url })), 'tls')
  trusting.close()
  secure.closeAllConnections()
  secure.close()
})
