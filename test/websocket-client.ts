/** A websocket that shows every message as it is: `const socket = await openSocket(engine, { protocol: 'graphql-ws' })`. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Engine } from './engine.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
export type Message = any

export interface TestSocket {
  readonly socket: WebSocket
  send(message: unknown): void
  /** The next message but for keep-alives; rejects when the socket closes instead. */
  next(): Promise<Message>
  /** Every message so far, keep-alives too. */
  readonly all: readonly Message[]
  /** Code and reason of the close. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  close(): void
}

export interface SocketOptions {
  /** Offered sub-protocols; none by default. */
  readonly protocol?: string | readonly string[]
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sends connection_init with these headers and waits for the ack. */
  readonly init?: Readonly<Record<string, string>>
}

export const isKeepAlive = (message: Message): boolean =>
  message.type === 'ka' || (message.type === 'ping' && message.payload?.message === 'keepalive')

export async function openSocket({ url }: Pick<Engine, 'url'>, options: SocketOptions = {}): Promise<TestSocket> {
  const { protocol = [], path = '/v1/graphql', headers = {}, init } = options
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${path}`, [protocol].flat(), { headers })
  const all: Message[] = []
  const untaken: Message[] = []
  const waiting: { readonly take: (message: Message) => void; readonly fail: (error: Error) => void }[] = []
  socket.on('message', (data) => {
    const message = JSON.parse(String(data))
    all.push(message)
    if (isKeepAlive(message)) return
    const waiter = waiting.shift()
    if (waiter) waiter.take(message)
    else untaken.push(message)
  })
  let ended: Error | null = null
  const closed = once(socket, 'close').then(([code, reason]) => {
    ended = new Error(`the socket closed: ${code} ${reason}`)
    for (const { fail } of waiting.splice(0)) fail(ended)
    return { code: code as number, reason: String(reason) }
  })
  // an upgrade that is refused is the error of `open` alone
  closed.catch(() => {})
  await once(socket, 'open')
  const opened: TestSocket = {
    socket,
    all,
    closed,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    next: () => {
      if (untaken.length > 0) return Promise.resolve(untaken.shift())
      if (ended) return Promise.reject(ended)
      return new Promise((take, fail) => waiting.push({ take, fail }))
    },
    close: () => socket.close(),
  }
  if (init) {
    opened.send({ type: 'connection_init', payload: { headers: init } })
    const ack = await opened.next()
    if (ack.type !== 'connection_ack') throw new Error(`connection_init was answered by ${JSON.stringify(ack)}`)
  }
  return opened
}
