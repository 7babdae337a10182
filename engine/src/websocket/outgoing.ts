import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'

/** Bytes that may wait for a client: with more, operations wait until it has taken them. */
const ENOUGH = 1024 * 1024

/**
 * What leaves over one socket. A client that takes nothing of what waits for it, for `stallTimeout` milliseconds, is given up:
 * whatever others are sent never waits for it.
 */
export class Outgoing {
  readonly #socket: WebSocket
  readonly #connection: Socket
  readonly #stallTimeout: number
  readonly #giveUp: () => void
  #waiting: (() => void)[] = []
  #taken = 0
  #timer: NodeJS.Timeout | null = null

  constructor(socket: WebSocket, connection: Socket, stallTimeout: number, giveUp: () => void) {
    this.#socket = socket
    this.#connection = connection
    this.#stallTimeout = stallTimeout
    this.#giveUp = giveUp
    connection.on('drain', this.#drained)
  }

  get keepsUp(): boolean {
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
    if (this.keepsUp) then()
    else this.#waiting.push(then)
  }

  end(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    this.#waiting = []
    this.#connection.off('drain', this.#drained)
  }

  #write(message: string | Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    this.#socket.send(message, { binary: false }, this.#sent)
    if (this.#timer || this.keepsUp) return
    this.#taken = this.#takenSoFar()
    this.#timer = setInterval(this.#look, this.#stallTimeout)
  }

  #takenSoFar(): number {
    return this.#connection.bytesWritten - this.#connection.writableLength
  }

  readonly #sent = (): void => {
    if (this.#waiting.length > 0 || this.#timer) this.#drained()
  }

  readonly #drained = (): void => {
    if (!this.keepsUp) return
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    for (const then of this.#waiting.splice(0)) then()
  }

  readonly #look = (): void => {
    const taken = this.#takenSoFar()
    if (taken === this.#taken) this.#giveUp()
    this.#taken = taken
  }
}
