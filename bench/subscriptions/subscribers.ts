import { once } from 'node:events'
import { WebSocket } from 'ws'

/** Sockets of sessions, each subscribed to every query; they read no more of a message than they must. */
export interface Subscribers {
  /** Milliseconds from commit to message, of every message but the first ones. */
  readonly latencies: number[]
  readonly secret: string
  received(messages: number): Promise<void>
  close(): void
}

const secret = 'the secret of the benchmark'

export async function openSubscribers(options: {
  readonly port: number
  readonly queries: number
  readonly sessions: number
}): Promise<Subscribers> {
  const { port, queries, sessions } = options
  const latencies: number[] = []
  let count = 0
  let wake = () => {}
  const receive = (data: Buffer) => {
    if (data[9] !== NEXT) return
    const now = Date.now()
    count += 1
    // the latest change of the rows that are shown
    let latest = 0
    for (const [, at] of data.toString('latin1').matchAll(/"at":([\d.]+)/g)) latest = Math.max(latest, Number(at))
    if (latest > 0) latencies.push(now - latest)
    wake()
  }
  const sockets: WebSocket[] = []
  for (let session = 0; session < sessions; session++) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/graphql`, 'graphql-transport-ws', {
      headers: { 'x-svc-admin-secret': secret, 'x-svc-role': 'user', 'x-svc-user-id': String(session) },
    })
    socket.on('message', (data) => receive(data as Buffer))
    await once(socket, 'open')
    socket.send('{"type":"connection_init"}')
    for (let query = 0; query < queries; query++) {
      const text = `subscription { q${query}: item(where: {topic: {_eq: ${query}}}, order_by: {id: asc}) { id value at } }`
      socket.send(JSON.stringify({ type: 'subscribe', id: String(query), payload: { query: text } }))
    }
    sockets.push(socket)
  }
  return {
    latencies,
    secret,
    async received(messages) {
      while (count < messages)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    },
    close() {
      for (const socket of sockets) socket.terminate()
    },
  }
}

/** Of `{"type":"next"`. */
const NEXT = 'n'.charCodeAt(0)
