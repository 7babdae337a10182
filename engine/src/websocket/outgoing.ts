import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { Sender, UnsentBytes } from './unsent-bytes.ts'

/** Bytes that may wait for a client: with more, operations wait until it has taken them. */
const ENOUGH = 1024 * 1024

interface OutgoingOptions {
  /** Milliseconds. */
  readonly stallTimeout: number
  readonly unsent: UnsentBytes
  /** Disconnects the client; the reason is for the log. */
  readonly giveUp: (reason: string) => void
}

/**
 * What is sent over one socket. A client that reads nothing of what waits for it, for `stallTimeout` milliseconds, is
 * disconnected, and so is the one for which most waits where that of all clients is too much: no other client waits for
 * it.
 */
export class Outgoing implements Sender {
  readonly #socket: WebSocket
  readonly #connection: Socket
  readonly #options: OutgoingOptions
  #waiting: (() => void)[] = []
  #taken = 0
  #timer: NodeJS.Timeout | null = null

  constructor(socket: WebSocket, connection: Socket, options: OutgoingOptions) {
    this.#socket = socket
    this.#connection = connection
    this.#options = options
    connection.on('drain', this.#drained)
  }

  get canReceive(): boolean {
    return this.#socket.bufferedAmount < ENOUGH
  }

  text(frame: string): void {
    this.#write(frame)
  }

  /** The pieces in one message. */
  pieces(opening: string, body: readonly Buffer[], closing: string): void {
    this.#write(Buffer.concat([Buffer.from(opening), ...body, Buffer.from(closing)]))
  }

  /** Calls once when the client has taken what it was sent, at once when it has. */
  caughtUp(then: () => void): void {
    if (this.canReceive) then()
    else this.#waiting.push(then)
  }

  disconnect(): void {
    this.#options.giveUp('too much waits for the clients of all websockets')
  }

  end(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    this.#waiting = []
    this.#options.unsent.update(this, 0)
    this.#connection.off('drain', this.#drained)
  }

  #write(message: string | Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    this.#socket.send(message, { binary: false }, this.#sent)
    this.#options.unsent.update(this, this.#socket.bufferedAmount)
    if (this.#timer || this.canReceive) return
    this.#taken = this.#takenSoFar()
    this.#timer = setInterval(this.#checkProgress, this.#options.stallTimeout)
  }

  #takenSoFar(): number {
    return this.#connection.bytesWritten - this.#connection.writableLength
  }

  readonly #sent = (): void => {
    if (this.#socket.readyState !== this.#socket.CLOSED) this.#options.unsent.update(this, this.#socket.bufferedAmount)
    if (this.#waiting.length > 0 || this.#timer) this.#drained()
  }

  readonly #drained = (): void => {
    if (!this.canReceive) return
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    for (const then of this.#waiting.splice(0)) then()
  }

  readonly #checkProgress = (): void => {
    const taken = this.#takenSoFar()
    if (taken === this.#taken) this.#options.giveUp('the client does not take what it is sent')
    this.#taken = taken
  }
}
