import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import type { Engine } from '../engine.ts'
import { openSocket, type TestSocket } from '../websocket-client.ts'

export interface WebsocketFuzzResult {
  /** Messages, or pieces of frames, that were sent. */
  readonly sent: number
  /** Operations that were answered with data. */
  readonly answered: number
  /** What broke, or null. */
  readonly found: string | null
}

const seeds = [
  '{"type":"connection_init","payload":{"headers":{"x-svc-admin-secret":"test-secret"}}}',
  '{"type":"subscribe","id":"1","payload":{"query":"subscription { note { id } }"}}',
  '{"type":"start","id":"2","payload":{"query":"query ($a: Int) { note(limit: $a) { id } }","variables":{"a":1},"operationName":null}}',
  '{"type":"subscribe","id":"3","payload":{"query":"subscription { note_stream(batch_size: 2, cursor: {initial_value: {id: 0}}) { id } }"}}',
  '{"type":"start","id":"4","payload":{"query":"subscription ($a: [note_stream_cursor_input]!) { note_stream(batch_size: 2, cursor: $a) { id } }","variables":{"a":[{"initial_value":{"id":1},"ordering":"DESC"}]}}}',
  '{"type":"complete","id":"1"}',
  '{"type":"stop","id":"2"}',
  '{"type":"ping","payload":{"a":[1,2,{"b":null}]}}',
  '{"type":"pong"}',
]

/**
 * Mutated messages over both protocols, and mutated frames over bare connections, as many as `count`. The engine must not
 * crash, answer `unexpected`, nor leave another subscriber without its answers.
 */
export async function runWebsocketFuzz(
  engine: Engine,
  { seed, count }: { seed: number; count: number },
): Promise<WebsocketFuzzResult> {
  const random = generator(seed)
  let [sent, answered] = [0, 0]
  const found: string[] = []
  const secret = { 'x-svc-admin-secret': engine.secret }
  const receive = (socket: TestSocket) =>
    socket.socket.on('message', (data) => {
      const text = String(data)
      if (text.includes('"data":{')) answered += 1
      if (text.includes('internal error')) found.push(text)
    })
  const open = async () => {
    const protocol = ['graphql-ws', 'graphql-transport-ws'][random(2)] ?? ''
    const socket = await openSocket(engine, { protocol, ...(random(4) > 0 && { init: secret }) })
    receive(socket)
    // most of these sockets are closed by the engine
    socket.socket.on('error', () => {})
    return socket
  }
  while (sent < count && found.length === 0) {
    const socket = await open()
    for (let i = 0; i < 20 && socket.socket.readyState === socket.socket.OPEN; i++, sent++)
      socket.send(mutate(seeds[random(seeds.length)] ?? '', random))
    if (random(3) > 0) {
      socket.send('{"type":"start","id":"last","payload":{"query":"{ __typename }"}}')
      await Promise.race([socket.closed, answerTo(socket, 'last')])
    }
    socket.socket.terminate()
    await socket.closed
    await sendFrames(engine, random)
    sent += 5
  }
  const crashed = engine.log.find((line) => line.includes('"type":"unhandled-internal-error"'))
  return { sent, answered, found: found[0] ?? crashed ?? null }
}

const answerTo = (socket: TestSocket, id: string) =>
  new Promise<void>((resolve) =>
    socket.socket.on('message', (data) => {
      if (JSON.parse(String(data)).id === id) resolve()
    }),
  )

/** Frames with random heads, lengths, masks and bodies, until the engine has had enough. */
async function sendFrames(engine: Engine, random: (below: number) => number): Promise<void> {
  const socket = connect(Number(new URL(engine.url).port), '127.0.0.1')
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write(
    'GET /v1/graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  for (let i = 0; i < 5; i++) {
    const body = randomBytes(random(200))
    const head = Buffer.from([random(256), random(256)])
    socket.write(Buffer.concat([head, randomBytes(random(15)), body]))
  }
  socket.resume()
  socket.end()
  await closed
}

function mutate(text: string, random: (below: number) => number): string {
  let mutated = text.replace(/"id":"\d"/, `"id":"${random(50)}"`)
  // most stay what they are, so that sockets live for a while
  for (let n = random(8) - 4; n > 0; n--) {
    const at = random(mutated.length + 1)
    const to = at + random(12)
    const other = seeds[random(seeds.length)] ?? ''
    const from = random(other.length + 1)
    const pieces = [
      '',
      other.slice(from, from + random(40)),
      ['"', '{', '}', '[', ']', 'null', '-1', '1e999', '\\u0000', '\u{1f600}', '__proto__', '0'.repeat(random(300))][
        random(12)
      ] ?? '',
    ]
    mutated = mutated.slice(0, at) + (pieces[random(3)] ?? '') + mutated.slice(to)
  }
  return mutated
}

/** Whole numbers below a bound, the same for the same seed. */
function generator(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}
