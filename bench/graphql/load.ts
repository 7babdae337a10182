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
  await Promise.all(
    clients.map(async (client) => {
      for (let begun = performance.now(); begun < end; ) {
        await client.ask(target.request(next++))
        const now = performance.now()
        latencies.push(now - begun)
        begun = now
      }
    }),
  )
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

/** One keep-alive connection with one request under way at a time. */
export class Client {
  readonly #socket: Socket
  #settle: { readonly resolve: (body: Buffer) => void; readonly reject: (error: Error) => void } | null = null
  #chunks: Buffer[] = []
  /** Bytes still to come; null while the headers are. */
  #left: number | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#hear(chunk))
    socket.on('error', (error) => this.#settle?.reject(error))
    socket.on('close', () => this.#settle?.reject(new Error('the server closed the connection')))
  }

  static open(port: number): Promise<Client> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.removeListener('error', reject)
        resolve(new Client(socket))
      })
    })
  }

  /** The body of the answer. Rejects when it is no 200, or tells of errors. */
  ask(request: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#settle = null
    this.#socket.destroy()
  }

  #hear(chunk: Buffer): void {
    let bytes = chunk
    if (this.#left === null) {
      if (this.#chunks.length > 0) bytes = Buffer.concat([...this.#chunks, chunk])
      const end = bytes.indexOf('\r\n\r\n')
      if (end < 0) {
        this.#chunks = [bytes]
        return
      }
      const head = bytes.toString('latin1', 0, end)
      const length = /content-length: *(\d+)/i.exec(head)
      bytes = bytes.subarray(end + 4)
      this.#chunks = []
      if (!length || !head.startsWith('HTTP/1.1 200')) {
        this.#fail(`${head}\n${bytes.toString()}`)
        return
      }
      this.#left = Number(length[1])
    }
    this.#chunks.push(bytes)
    this.#left -= bytes.length
    if (this.#left > 0) return
    const body = this.#chunks.length === 1 ? bytes : Buffer.concat(this.#chunks)
    this.#chunks = []
    this.#left = null
    if (body.toString('latin1', 0, 9) === '{"errors"') {
      this.#fail(body.toString().slice(0, 2000))
      return
    }
    const settle = this.#settle
    this.#settle = null
    settle?.resolve(body)
  }

  #fail(message: string): void {
    const settle = this.#settle
    this.#settle = null
    settle?.reject(new Error(message))
  }
}
