import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { takeBytes } from '../reused-bytes.ts'
import type { ConnectionPolicy, Exchange } from './exchange.ts'
import { nodeExchange } from './node-exchange.ts'
import { serveSimply } from './serve-simply.ts'
import type { SimpleConnection } from './simple-connection.ts'

const maxHeadSize = 2000
const maxBodySize = 1000
const timeouts = { keepAliveTimeout: 65_000, maxHeaderSize: maxHeadSize }
const policy: ConnectionPolicy = {
  closing: () => false,
  keepAliveMilliseconds: timeouts.keepAliveTimeout,
  stallMilliseconds: 30_000,
  reportUntaken: () => {},
}
const connections = new Set<SimpleConnection>()

let served = 0

/** Reports what it understood. Answers come later than the next request of a client that does not wait for them. */
async function echo(exchange: Exchange): Promise<void> {
  served += 1
  const { method, url, httpVersion, headers } = exchange
  let status = 200
  let body = ''
  try {
    body = (await exchange.body(maxBodySize)).toString('latin1')
  } catch {
    status = 413
  }
  await new Promise(setImmediate)
  const answer = Buffer.from(JSON.stringify({ method, url, httpVersion, headers: { ...headers }, body }))
  const large = body.startsWith('large') ? [Buffer.alloc(200_000, 'x')] : []
  const parts = [answer, ...large]
  exchange.answer(
    status,
    { 'x-answer': 'yes' },
    parts,
    parts.reduce((sum, { length }) => sum + length, 0),
  )
}

const byNode = createServer(timeouts, (request, response) => void echo(nodeExchange(request, response, policy)))
const bySimple = createServer(timeouts, (request, response) => void echo(nodeExchange(request, response, policy)))
serveSimply(bySimple, connections, {
  ...policy,
  maxHeadSize,
  serve: (exchange) => void echo(exchange),
})

before(async () => {
  for (const server of [byNode, bySimple])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
})
after(() => {
  for (const server of [byNode, bySimple]) server.closeAllConnections()
  for (const connection of connections) connection.end()
  for (const server of [byNode, bySimple]) server.close()
})

const open = (server: Server): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => resolve(socket))
    socket.setNoDelay(true)
    // a server that gives up closes, whatever is still being written
    socket.on('error', () => {})
  })

/** Returns all answers to these pieces, of which the last makes the server close. A patient client waits for answers. */
async function answers(server: Server, pieces: readonly string[], patient: boolean): Promise<string> {
  const socket = await open(server)
  const received: Buffer[] = []
  socket.on('data', (bytes) => received.push(bytes))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  for (const piece of pieces) {
    const receivedMore = new Promise<void>((resolve) => socket.once('data', () => resolve()))
    await new Promise<void>((resolve) => socket.write(piece, 'latin1', () => resolve()))
    if (patient) await Promise.race([receivedMore, closed])
  }
  await closed
  return Buffer.concat(received)
    .toString('latin1')
    .replaceAll(/\r\nDate: [^\r]+/g, '\r\nDate: *')
}

const post = (body: string, headers = ''): string =>
  `POST /v1/graphql HTTP/1.1\r\nHost: a\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`
const last = post('last', 'Connection: close\r\n')

async function sameAnswers(...pieces: readonly string[]): Promise<string> {
  const all = [...pieces, last]
  const [expected, got] = await Promise.all([answers(byNode, all, false), answers(bySimple, all, false)])
  assert.equal(got, expected, JSON.stringify(pieces))
  return got
}

const countOf = (text: string): number => text.split('HTTP/1.1 200 OK').length - 1

test('simple requests one after another, and several in one piece, are answered as node does, in their order', async () => {
  assert.equal(countOf(await sameAnswers(post('one'), post('two'), post('two'))), 4)
  assert.equal(countOf(await sameAnswers(post('one') + post('') + post('three', 'X-A: \t b \t\r\n') + post('four'))), 5)
  assert.equal(countOf(await sameAnswers(post('large one') + post('two') + post('large three'))), 4)
})

test('a request that comes in two pieces is answered as node does, wherever it is cut', async () => {
  const whole = post('a body', 'X-Svc-Role: user\r\n')
  for (let at = 1; at < whole.length; at += 3) {
    await sameAnswers(whole.slice(0, at), whole.slice(at))
    await sameAnswers(post('before') + whole.slice(0, at), whole.slice(at) + post('behind'))
  }
})

const odd: Readonly<Record<string, string>> = {
  'another method': 'GET /x?y=1 HTTP/1.1\r\nHost: a\r\n\r\n',
  HEAD: 'HEAD / HTTP/1.1\r\nHost: a\r\n\r\n',
  'a method in small letters': post('x').replace('POST', 'post'),
  'HTTP/1.0': post('x').replace('HTTP/1.1', 'HTTP/1.0'),
  'HTTP/1.2': post('x').replace('HTTP/1.1', 'HTTP/1.2'),
  'a target with a scheme': post('x').replace('/v1', 'http://b/v1'),
  'a space in the target': post('x').replace('/v1', '/v 1'),
  'no host': 'POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx',
  'two hosts': post('x', 'Host: b\r\n'),
  'a header twice': post('x', 'X-Svc-Role: a\r\nX-Svc-Role: b\r\n'),
  'cookies twice': post('x', 'Cookie: a\r\nCookie: b\r\n'),
  'a folded header': post('x', 'X-A: b\r\n c\r\n'),
  'a lone line feed': post('x', 'X-A: b\nX-B: c\r\n'),
  'a lone carriage return': post('x', 'X-A: b\rX-B: c\r\n'),
  'a zero byte': post('x', 'X-A: b\0\r\n'),
  'a space in front of the colon': post('x', 'X-A : b\r\n'),
  'a header without a name': post('x', ': b\r\n'),
  'a header without a colon': post('x', 'X-A\r\n'),
  'a letter beyond ASCII in a name': post('x', 'X-\xe4: b\r\n'),
  'letters beyond ASCII in a value': post('x', 'X-A: \xa0\xe4\xa0\r\n'),
  'an empty header': post('x', 'X-A:\r\n'),
  'a name of objects': post('x', '__proto__: b\r\nConstructor: c\r\n'),
  'two lengths': post('x', 'Content-Length: 2\r\n'),
  'a list of lengths': post('x').replace('Content-Length: 1', 'Content-Length: 1, 1'),
  'a length with a sign': post('x').replace('Content-Length: 1', 'Content-Length: +1'),
  'a negative length': post('x').replace('Content-Length: 1', 'Content-Length: -1'),
  'a length with zeros in front': post('x').replace('Content-Length: 1', 'Content-Length: 001'),
  'a length in hexadecimal': post('x').replace('Content-Length: 1', 'Content-Length: 0x1'),
  'no length': 'POST / HTTP/1.1\r\nHost: a\r\n\r\n',
  chunks: 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
  'chunks and a length': post('0\r\n\r\n', 'Transfer-Encoding: chunked\r\n'),
  'chunks in disguise': post('0\r\n\r\n', 'Transfer-Encoding: xchunked\r\n'),
  'a body too large': post('x'.repeat(maxBodySize + 1)),
  'a head too large': post('x', `X-A: ${'b'.repeat(maxHeadSize)}\r\n`),
  'keep-alive': post('x', 'Connection: Keep-Alive\r\n'),
  'connection headers that are dropped': post('x', 'Connection: keep-alive, x-a\r\nX-A: b\r\n'),
  'a question first': post('x', 'Expect: 100-continue\r\n'),
  'another expectation': post('x', 'Expect: pancakes\r\n'),
  'no HTTP': 'what?\r\n\r\n',
  'an empty line first': `\r\n${post('x')}`,
}

for (const [name, request] of Object.entries(odd))
  test(`${name}: understood as node does, first, behind simple requests and between them`, async () => {
    await sameAnswers(request)
    // node forgets what it still has to answer when nonsense follows, so it is asked by a client that waits
    const [before, behind] = [post('before'), post('behind')]
    const expected = await answers(byNode, [before, request + behind, last], true)
    assert.equal(await answers(bySimple, [before, request + behind, last], true), expected)
    assert.equal(await answers(bySimple, [before + request + behind, last], false), expected)
  })

test('a wish for another protocol is read by node, which forgets what came in one piece with it', async () => {
  const pieces = [post('x', 'Connection: upgrade\r\nUpgrade: h2c\r\n'), last]
  assert.equal(await answers(bySimple, pieces, true), await answers(byNode, pieces, true))
})

test('an idle connection is ended, and one whose request is under way when asked to', async () => {
  const socket = await open(bySimple)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(post('x'))
  await new Promise((resolve) => socket.once('data', resolve))
  for (const connection of connections) connection.endIdle()
  await closed
})

test('a client that asks on and takes no answers is not read on; once it takes them it gets all', async () => {
  const [greedy, other] = [await open(bySimple), await open(bySimple)]
  const before = served
  const requests = 400
  for (let i = 0; i < requests; i++)
    await new Promise<void>((resolve) => greedy.write(post('large'), 'latin1', () => resolve()))
  // so long that each of them could have been served
  for (let i = 0; i < 50; i++) {
    other.write(post('x'))
    await new Promise((resolve) => other.once('data', resolve))
  }
  assert.ok(served - before - 50 < requests, 'all were served')
  greedy.write(last)
  let received = 0
  let tail = ''
  greedy.on('data', (bytes) => {
    const text = tail + bytes.toString('latin1')
    received += countOf(text)
    // a status line may be cut
    tail = text.slice(1 - 'HTTP/1.1 200 OK'.length)
  })
  await new Promise((resolve) => greedy.once('close', resolve))
  assert.equal(received, requests + 1)
  other.destroy()
})

test('a client that disconnects aborts only its own request', async () => {
  const aborted: string[] = []
  const begun: Exchange[] = []
  const server = createServer()
  let begin = () => {}
  serveSimply(server, new Set(), {
    ...policy,
    maxHeadSize,
    serve: (exchange) => {
      exchange.gone.addEventListener('abort', () => aborted.push(exchange.url))
      begun.push(exchange)
      begin()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const under = (socket: Socket, path: string) =>
    new Promise<void>((resolve) => {
      begin = resolve
      socket.write(post('x').replace('/v1/graphql', path))
    })
  const [leaving, staying] = [await open(server), await open(server)]
  await under(leaving, '/leaving')
  await under(staying, '/staying')
  const [first, second] = begun
  const gone = new Promise((resolve) => first?.gone.addEventListener('abort', resolve))
  leaving.destroy()
  await gone
  // an answer that no client waits for is no error, and no answer to the next request
  first?.answer(200, {}, [Buffer.from('late')], 4)
  const received = new Promise<Buffer>((resolve) => staying.once('data', resolve))
  second?.answer(200, {}, [Buffer.from('{}')], 2)
  assert.match((await received).toString(), /\r\n\r\n\{\}$/)
  assert.deepEqual(aborted, ['/leaving'])
  staying.destroy()
  server.close()
})

test('an answer of many slices yields to other requests, and is whole and in order', async () => {
  const large = Buffer.concat(Array.from({ length: 9 }, (_, i) => Buffer.alloc(1_100_000, String(i))))
  let ticks = 0
  const server = createServer()
  const its = new Set<SimpleConnection>()
  serveSimply(server, its, {
    ...policy,
    maxHeadSize,
    serve: ({ url, answer }) => {
      if (url !== '/large') return answer(200, {}, [Buffer.from(url)], url.length)
      answer(200, {}, [large.subarray(0, 10), large.subarray(10)], large.length)
      const tick = () => {
        ticks += 1
        if (its.size > 0) setImmediate(tick)
      }
      setImmediate(tick)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const to = (path: string) => post('x').replace('/v1/graphql', path)
  const bodiesOf = (bytes: Buffer) => bytes.toString('latin1').replaceAll(/HTTP\/1\.1 200 OK\r\n.*?\r\n\r\n/gs, '|')

  // what ends the writing of the client does not end that of the server, nor does the end of the server's life
  const endings: readonly ((socket: Socket) => void)[] = [
    (socket) => socket.end(),
    () => its.forEach((connection) => void connection.endIdle()),
  ]
  for (const [i, end] of endings.entries()) {
    const socket = await open(server)
    const received: Buffer[] = []
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('data', (bytes) => {
      if (received.length === 0) end(socket)
      received.push(bytes)
    })
    socket.write(i === 0 ? to('/before') + to('/large') : to('/large'))
    await closed
    const body = bodiesOf(Buffer.concat(received))
    assert.equal(body.replace(/^\|\/before/, ''), `|${large.toString('latin1')}`)
  }
  assert.ok(ticks >= 10, `${ticks} turns`)

  const socket = await open(server)
  const received: Buffer[] = []
  const all = new Promise<void>((resolve) =>
    socket.on('data', (bytes) => {
      received.push(bytes)
      // its last letters may come alone
      if (Buffer.concat(received.slice(-5)).toString('latin1').endsWith('/last')) resolve()
    }),
  )
  socket.write(to('/large') + to('/second'))
  socket.write(to('/large') + to('/last'))
  await all
  const text = large.toString('latin1')
  assert.equal(bodiesOf(Buffer.concat(received)), `|${text}|/second|${text}|/last`)
  socket.destroy()

  // what node's parser is to read waits as well
  server.on('request', (_, response) => response.end('by node'))
  const other = await open(server)
  const parts: Buffer[] = []
  await new Promise<void>((resolve) => {
    other.on('data', (bytes) => parts.push(bytes))
    other.once('close', () => resolve())
    other.write(`${to('/large')}GET /other HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  })
  assert.equal(bodiesOf(Buffer.concat(parts)), `|${text}|by node`)
  server.close()
})

test('memory that is used again for answers is not used while a slow client still waits for its own', async () => {
  const size = 60_000
  const server = createServer()
  serveSimply(server, new Set(), {
    ...policy,
    maxHeadSize,
    serve: ({ url, answer }) => answer(200, {}, [takeBytes(size).fill(url.slice(1))], size),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const to = (path: string) => post('x').replace('/v1/graphql', path)
  const [slow, quick] = [await open(server), await open(server)]
  // more than fits between the two
  const requests = 200
  for (let i = 0; i < requests; i++) slow.write(to('/s'))
  for (let i = 0; i < requests; i++) {
    let left = size
    const whole = new Promise<void>((resolve) =>
      quick.on('data', (bytes) => {
        left -= bytes.length
        if (left <= 0) resolve()
      }),
    )
    quick.write(to('/q'))
    await whole
    quick.removeAllListeners('data')
  }
  let left = size * requests
  let isMixed = false
  await new Promise<void>((resolve) =>
    slow.on('data', (bytes: Buffer) => {
      isMixed ||= bytes.includes('qq')
      left -= bytes.length
      if (left <= 0) resolve()
    }),
  )
  assert.equal(isMixed, false)
  slow.destroy()
  quick.destroy()
  server.close()
})
