/** Load over raw sockets: the least work a client can do, since it shares the machine with what it measures. */
import { connect, type Socket } from 'node:net'

export interface Target {
  readonly port: number
  /** The bytes of the i-th request. */
  readonly request: (i: number) => Buffer
}

/** Sorted latencies in milliseconds, and answers a second. */
export interface Measured {
  readonly perSecond: number
  readonly latencies: Float64Array
}

export const quantile = (sorted: Float64Array, q: number): number => sorted[Math.floor(sorted.length * q)] ?? Number.NaN

/** So many connections, each with one request under way all the time. */
export async function closedLoad(target: Target, connections: number, milliseconds: number): Promise<Measured> {
  const clients = await Promise.all(Array.from({ length: connections }, () => Client.open(target.port)))
  const latencies: number[] = []
  const started = performance.now()
  const end = started + milliseconds
  const keepAsking = (client: Client) =>
    new Promise<void>((resolve, reject) => {
      let begun = started
      const answered = (failure: Error | null) => {
        const now = performance.now()
        latencies.push(now - begun)
        begun = now
        if (failure) reject(failure)
        else if (now >= end) resolve()
        else client.send(target.request(next++), answered)
      }
      client.send(target.request(next++), answered)
    })
  await Promise.all(clients.map(keepAsking))
  const seconds = (performance.now() - started) / 1000
  for (const client of clients) client.close()
  return { perSecond: latencies.length / seconds, latencies: Float64Array.from(latencies).sort() }
}

/** Requests at a rate whatever the answers take; each latency counts from the moment its request was due. */
export async function openLoad(target: Target, perSecond: number, milliseconds: number): Promise<Measured> {
  const idle = await Promise.all(Array.from({ length: 20 }, () => Client.open(target.port)))
  const latencies: number[] = []
  const waiting: number[] = []
  const started = performance.now()
  const asked: Promise<void>[] = []
  const serve = async (client: Client) => {
    for (let due = waiting.shift(); due !== undefined; due = waiting.shift()) {
      await client.ask(target.request(next++))
      latencies.push(performance.now() - due)
    }
    idle.push(client)
  }
  const total = Math.floor((perSecond * milliseconds) / 1000)
  for (let sent = 0; sent < total; ) {
    const now = performance.now()
    for (let due = started + (sent * 1000) / perSecond; due <= now && sent < total; sent++) {
      waiting.push(due)
      due = started + ((sent + 1) * 1000) / perSecond
    }
    while (waiting.length > 0) {
      const client = idle.pop() ?? (asked.length < 2000 ? await Client.open(target.port) : null)
      if (!client) break
      asked.push(serve(client))
    }
    // a timer's least is 1 ms: finer would keep a core busy
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(asked)
  const seconds = (performance.now() - started) / 1000
  for (const client of idle) client.close()
  return { perSecond: latencies.length / seconds, latencies: Float64Array.from(latencies).sort() }
}

let next = 0

const HEADERS_END = '\r\n\r\n'

/** One keep-alive connection with one request under way at a time. Bodies are counted, not kept. */
export class Client {
  readonly #socket: Socket
  #answered: (failure: Error | null) => void = () => {}
  /** Headers that came without their end. */
  #head = ''
  /** Bytes of the body still to come; null while the headers are. */
  #left: number | null = null

  private constructor(port: number, opened: (failure: Error | null) => void) {
    const callback = (length: number, bytes: Uint8Array) => {
      this.#receive(length, bytes as Buffer)
      return true
    }
    this.#answered = opened
    this.#socket = connect({ port, host: '127.0.0.1', onread: { buffer: Buffer.allocUnsafe(65_536), callback } })
    this.#socket.setNoDelay(true)
    this.#socket.once('connect', () => opened(null))
    this.#socket.on('error', (error) => this.#answered(error))
    this.#socket.on('close', () => this.#answered(new Error('the server closed the connection')))
  }

  static open(port: number): Promise<Client> {
    return new Promise((resolve, reject) => {
      const client: Client = new Client(port, (failure) => (failure ? reject(failure) : resolve(client)))
    })
  }

  /** Reports when the whole answer is there: of a failure, when it is no 200 or has errors. */
  send(request: Buffer, answered: (failure: Error | null) => void): void {
    this.#answered = answered
    this.#socket.write(request)
  }

  ask(request: Buffer): Promise<void> {
    return new Promise((resolve, reject) => this.send(request, (failure) => (failure ? reject(failure) : resolve())))
  }

  close(): void {
    this.#answered = () => {}
    this.#socket.destroy()
  }

  #receive(length: number, bytes: Buffer): void {
    if (this.#left !== null) {
      this.#count(length)
      return
    }
    const head = this.#head + bytes.toString('latin1', 0, Math.min(length, 4096))
    const end = head.indexOf(HEADERS_END)
    if (end < 0) {
      this.#head = head
      return
    }
    const body = end + HEADERS_END.length
    const size = /content-length: *(\d+)/i.exec(head)?.[1]
    if (!size || !head.startsWith('HTTP/1.1 200') || head.startsWith('{"errors"', body)) {
      this.#answered(new Error(head))
      return
    }
    this.#left = Number(size)
    this.#count(this.#head.length + length - body)
    this.#head = ''
  }

  #count(bytes: number): void {
    this.#left = (this.#left ?? 0) - bytes
    if (this.#left > 0) return
    this.#left = null
    this.#answered(null)
  }
}
