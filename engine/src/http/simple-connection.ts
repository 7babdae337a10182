import type { Socket } from 'node:net'
import { giveBytesBack } from '../reused-bytes.ts'
import { answerHead } from './answer-head.ts'
import {
  type AnswerHeaders,
  ClientGone,
  type ConnectionPolicy,
  type Exchange,
  LARGE,
  latin1Of,
  SMALL,
} from './exchange.ts'
import { bodyTooLarge } from './read-body.ts'
import { type SimpleHead, simpleHead } from './simple-request.ts'
import { SLICE, slicesOf } from './slices.ts'

export interface Serving extends ConnectionPolicy {
  /** Bytes of a request's head. */
  readonly maxHeadSize: number
  /** Answers, some time. */
  readonly serve: (exchange: Exchange) => void
  /** Has node's parser read the connection from now on. */
  readonly handOver: () => void
}

interface Answer {
  readonly status: number
  readonly headers: AnswerHeaders
  readonly body: readonly Buffer[]
  readonly length: number
}

/** A request under way: its answer waits for those of the requests before it. */
interface Turn {
  readonly gone: AbortController
  answer: Answer | null
}

/**
 * A connection over which simple requests come, each in one piece: node's parser and streams cost as much as all else
 * that reading by key does (58 µs of CPU instead of 34, bench/results/queries.md). With the first request of another
 * kind the connection is passed to node's parser, and remains there.
 */
export class SimpleConnection {
  readonly #socket: Socket
  readonly #serving: Serving
  readonly #remoteAddress: string
  /** Clients send the same head again and again. */
  #known: { readonly bytes: Buffer; readonly head: SimpleHead } | null = null
  /** In the order in which they came. */
  readonly #turns: Turn[] = []
  /** Came behind them, and is not for us. */
  #held: Buffer | null = null
  /** Of the last large answer. */
  #status = 200
  /** An answer of which some slices are still to be written. */
  #sending: Iterator<readonly Buffer[]> | null = null
  /** Nothing follows what is answered now. */
  #ending = false
  /** No other request is begun. */
  #stopping = false

  constructor(socket: Socket, serving: Serving) {
    this.#socket = socket
    this.#serving = serving
    this.#remoteAddress = socket.remoteAddress ?? ''
    socket.setTimeout(serving.keepAliveMilliseconds)
    socket.on('data', this.#onData)
    socket.on('end', this.#onEnd)
    socket.on('drain', this.#onDrain)
    socket.on('timeout', this.#onTimeout)
    socket.on('close', this.#onClose)
    socket.on('error', ignoreError)
  }

  /**
   * Ends it unless requests are under way: the answer of the last of them ends it. What comes behind them is not begun, as
   * `connection: close` says. What is written already still leaves.
   */
  endIdle(): void {
    this.#stopping = true
    if (this.#turns.length > 0) return
    if (this.#sending) this.#ending = true
    else this.#socket.destroySoon()
  }

  end(): void {
    this.#socket.destroy()
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#stopping) return
    if (this.#held) this.#hold(Buffer.concat([this.#held, bytes]))
    else for (let rest: Buffer | null = bytes; rest; ) rest = this.#begin(rest)
  }

  readonly #onEnd = (): void => {
    if (this.#sending) this.#ending = true
    else this.#socket.end()
  }

  readonly #onDrain = (): void => {
    this.#socket.setTimeout(this.#serving.keepAliveMilliseconds)
    if (this.#sending) this.#writeSlice()
    else this.#socket.resume()
  }

  /** Nothing came or left for so long. */
  readonly #onTimeout = (): void => {
    const isUntaken = this.#socket.writableLength > 0
    if (isUntaken) this.#serving.reportUntaken(this.#status)
    if (isUntaken || this.#turns.length === 0) this.end()
  }

  readonly #onClose = (): void => {
    this.#sending = null
    for (const { gone } of this.#turns.splice(0)) gone.abort(new ClientGone())
  }

  /** Returns the bytes after the first request. */
  #begin(bytes: Buffer): Buffer | null {
    const head = this.#headOf(bytes)
    const size = head ? head.size + head.contentLength : 0
    if (!head || bytes.length < size || this.#turns.length === MOST_TURNS) {
      if (this.#turns.length === 0 && !this.#sending) this.#handOver(bytes)
      else this.#hold(bytes)
      return null
    }
    const turn: Turn = { gone: new AbortController(), answer: null }
    this.#turns.push(turn)
    this.#serving.serve({
      method: 'POST',
      url: head.url,
      headers: head.headers,
      httpVersion: '1.1',
      remoteAddress: this.#remoteAddress,
      kept: head.kept,
      gone: turn.gone.signal,
      body: (limit) => {
        if (head.contentLength > limit) throw bodyTooLarge(limit)
        return bytes.subarray(head.size, size)
      },
      answer: (status, headers, body, length) => {
        turn.answer = { status, headers, body, length }
        this.#writeAnswers()
      },
      destroy: () => this.end(),
    })
    return bytes.length > size ? bytes.subarray(size) : null
  }

  #headOf(bytes: Buffer): SimpleHead | null {
    const known = this.#known
    if (known && startsWith(bytes, known.bytes)) return known.head
    const head = simpleHead(bytes, this.#serving.maxHeadSize)
    // a copy: the rest of the request need not live as long
    if (head) this.#known = { bytes: Buffer.from(bytes.subarray(0, head.size)), head }
    return head
  }

  #writeAnswers(): void {
    for (let answer = this.#turns[0]?.answer; answer && !this.#sending; answer = this.#turns[0]?.answer) {
      this.#turns.shift()
      this.#write(answer)
    }
    if (this.#sending) return
    const held = this.#held
    if (this.#turns.length > 0 || !held) return
    this.#held = null
    if (!this.#socket.writableNeedDrain) this.#socket.resume()
    if (!this.#socket.destroyed) this.#onData(held)
  }

  #write({ status, headers, body, length }: Answer): void {
    const { closing, keepAliveMilliseconds } = this.#serving
    const last = closing() && this.#turns.length === 0
    const head = answerHead(status, headers, length, last ? 0 : keepAliveMilliseconds)
    this.#status = status
    if (length > SLICE) {
      this.#sending = slicesOf([Buffer.from(head, 'latin1'), ...body])
      this.#ending ||= last
      this.#writeSlice()
      return
    }
    if (length <= SMALL) this.#socket.write(head + latin1Of(body), 'latin1')
    else {
      this.#writePieces([Buffer.from(head, 'latin1'), ...body])
      // else the system has not taken them yet
      if (this.#socket.writableLength === 0) for (const part of body) giveBytesBack(part)
    }
    this.#waitForDrain()
    if (last) this.#finish()
  }

  /** All of a large answer in one turn would delay all other clients, and no client reads it at once anyway. */
  #writeSlice(): void {
    const slice = this.#sending?.next()
    if (!slice) return
    if (!slice.done) {
      this.#writePieces(slice.value)
      if (!this.#waitForDrain()) setImmediate(() => this.#writeSlice())
      return
    }
    this.#sending = null
    if (this.#ending) this.#finish()
    else {
      this.#socket.resume()
      this.#writeAnswers()
    }
  }

  #writePieces(pieces: readonly Buffer[]): void {
    this.#socket.cork()
    for (const piece of pieces) this.#socket.write(piece)
    this.#socket.uncork()
  }

  /** Whether it does: a client that sends requests and reads no answers would fill the memory with them. */
  #waitForDrain(): boolean {
    if (!this.#socket.writableNeedDrain) return false
    this.#socket.pause()
    this.#socket.setTimeout(this.#serving.stallMilliseconds)
    return true
  }

  #finish(): void {
    this.#held = null
    this.#onClose()
    this.#socket.destroySoon()
  }

  /** Buffers bytes until what came before them is answered. It goes on reading, since a close is only seen then. */
  #hold(bytes: Buffer): void {
    this.#held = bytes
    if (bytes.length > LARGE) this.#socket.pause()
  }

  #handOver(bytes: Buffer): void {
    const socket = this.#socket
    socket.off('data', this.#onData)
    socket.off('end', this.#onEnd)
    socket.off('drain', this.#onDrain)
    socket.off('timeout', this.#onTimeout)
    socket.off('close', this.#onClose)
    socket.off('error', ignoreError)
    socket.setTimeout(0)
    socket.pause()
    socket.unshift(bytes)
    this.#serving.handOver()
    socket.resume()
  }
}

/** Under way on one connection; a caller that sends more at once waits. */
const MOST_TURNS = 100

/** Its close says enough. */
const ignoreError = () => {}

const startsWith = (bytes: Buffer, start: Buffer): boolean =>
  bytes.length >= start.length && bytes.compare(start, 0, start.length, 0, start.length) === 0
