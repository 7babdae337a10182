import type { EventEmitter } from 'node:events'
import { AnswerTooLarge } from '../../backend.ts'
import type { Pool } from './load-client.ts'

/** What of the client's connections is used here; it declares none of it. */
interface TokenReading {
  createTokenStreamParser(
    message: AsyncIterable<Buffer>,
    handler: unknown,
  ): { readonly parser: Pick<EventEmitter, 'on'> }
  readonly socket?: { destroy(error: Error): void }
}

/** What of the client's pool is used here. */
interface Lending {
  acquire(requester: object, done?: Lent): unknown
}

type Lent = (error: unknown, connection?: object, config?: unknown) => void

/** Bytes that the answers to a request or a transaction may have. */
class AnswerLimit {
  readonly #most: number
  #bytes = 0
  /** Why the answer is not read any further. */
  exceeded: AnswerTooLarge | null = null

  constructor(most: number) {
    // texts come in UTF-16, and a little comes around them: what is more is surely too large
    this.#most = 2 * most + AROUND
  }

  add(bytes: number): AnswerTooLarge | null {
    this.#bytes += bytes
    if (this.#bytes > this.#most) this.exceeded ??= new AnswerTooLarge(Math.ceil(this.#bytes / 2))
    return this.exceeded
  }
}

/** Names of columns, and what stands before the text. */
const AROUND = 16_384

const limits = new WeakMap<object, AnswerLimit>()

/**
 * Has a connection end where what the server sends cannot be read (tedious 19), which the client reports to no one, and an error
 * that no one receives ends the process; or where it is more than its request may have. The request fails as those of lost
 * connections do, and the server ends the statement.
 */
export function guardAnswers(connection: object): void {
  const reading = connection as TokenReading
  const create = reading.createTokenStreamParser.bind(reading)
  reading.createTokenStreamParser = (message, handler) => {
    const limit = limits.get(connection)
    const made = create(limit ? limited(message, limit, reading) : message, handler)
    made.parser.on('error', (error: Error) => reading.socket?.destroy(error))
    return made
  }
}

async function* limited(message: AsyncIterable<Buffer>, limit: AnswerLimit, { socket }: TokenReading) {
  for await (const part of message) {
    const exceeded = limit.add(part.length)
    if (exceeded) socket?.destroy(exceeded)
    yield part
  }
}

/** Has the pool's connections know the limit of the request that they are lent to. */
export function lendWithLimits(pool: Pool): void {
  const lending = pool as unknown as Lending
  const acquire = lending.acquire.bind(lending)
  lending.acquire = (requester, done) =>
    acquire(
      requester,
      done &&
        ((error, connection, config) => {
          if (connection) {
            const limit = limits.get(requester)
            if (limit) limits.set(connection, limit)
            else limits.delete(connection)
          }
          done(error, connection, config)
        }),
    )
}

/**
 * Limits the bytes of all answers to what is about to use a connection of the pool: a request or a transaction. Returns
 * the error, once an answer was too large: then the connection is closed, and a caller that waits for an answer gets
 * this error.
 */
export function limitAnswers(requester: object, most: number): () => AnswerTooLarge | null {
  const limit = new AnswerLimit(most)
  limits.set(requester, limit)
  return () => limit.exceeded
}
