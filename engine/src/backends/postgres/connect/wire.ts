/** pg's client with rows left as bytes, and the part of it that pg's type declarations leave out. */
import type { EventEmitter } from 'node:events'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'
import { requestCancel } from './cancel-request.ts'
import { sharedReadSocket } from './shared-read-socket.ts'
import { type RawDataRow, splitRows } from './split-rows.ts'
import { ValueQueue } from './value-queue.ts'

export interface Wire extends EventEmitter {
  parse(message: { readonly name: string; readonly text: string }): void
  bind(message: { readonly statement: string; readonly values: readonly (string | null)[] }): void
  describe(message: { readonly type: 'P' | 'S'; readonly name: string }): void
  execute(message: { readonly portal: string }): void
  close(message: { readonly type: 'S'; readonly name: string }): void
  query(text: string): void
  sync(): void
  readonly stream: Duplex
}

/** What pg's client calls of the statement whose turn it is. */
export interface WireStatement {
  submit(wire: Wire): Error | null
  handleRowDescription(message: {
    readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
  }): void
  handleDataRow(message: RawDataRow): void
  handleCommandComplete(message: unknown, wire: Wire): void
  handleEmptyQuery(wire: Wire): void
  handleError(error: Error, wire: Wire): void
  handleReadyForQuery(wire: Wire): void
}

/** pg answers COPY FROM STDIN itself (it refuses), and pipelines nothing that is not its own Query: so Query is the base. */
export const WireStatementBase = pg.Query as unknown as new (config: { readonly text: string }) => object

/** A connection on which only statements of ours run. */
export class SourceClient extends pg.Client {
  /** What requests single values; nothing else may run on the connection meanwhile. */
  readonly values: ValueQueue
  /** Resolves when the connection has ended, on either side. */
  readonly ended: Promise<void>
  #dismissed = false
  #lost = false

  constructor(config: pg.ClientConfig) {
    super({ ...config, stream: streamOf as () => Socket })
    const wire = this.connection as unknown as Wire & { attachListeners(stream: Duplex | EventEmitter): void }
    const parseOthers = wire.attachListeners.bind(wire)
    // a loss in between statements is found by the next one
    this.values = new ValueQueue((bytes) => wire.stream.write(bytes))
    this.on('error', (error) => {
      this.#dismissed ||= error instanceof pg.DatabaseError
      this.#lost = true
      this.values.lose(error)
    })
    this.ended = new Promise((resolve) => {
      this.on('end', () => {
        this.#lost = true
        this.values.lose(new Error('Connection terminated'))
        resolve()
      })
    })
    wire.attachListeners = (stream) =>
      parseOthers(splitRows(stream as Duplex, (row) => void wire.emit(row.name, row), this.values))
  }

  run(statement: WireStatement): void {
    this.query(statement as unknown as pg.Submittable)
  }

  /** Whether the connection has ended or is about to, also before a listener was added. */
  get lost(): boolean {
    return this.#lost
  }

  /** Whether the server said that it ends the connection, which it then does. */
  get dismissed(): boolean {
    return this.#dismissed
  }

  /** Ends the connection without a word. */
  destroy(): void {
    const { stream } = this.connection as unknown as Wire
    stream.destroy()
  }

  /** The number of the server's process as the server said it; a pooler says any number. */
  get serverProcess(): number {
    return (this as unknown as { readonly processID: number | null }).processID ?? 0
  }

  /** Sets whether the process stays alive for this connection. */
  keepsProcess(keeps: boolean): void {
    const { connection } = this as unknown as { connection: { ref(): void; unref(): void } }
    if (keeps) connection.ref()
    else connection.unref()
  }

  /**
   * Requests the server to cancel what runs on this connection. Resolves when the server has received the request, or
   * could not.
   */
  cancel(): Promise<void> {
    const { processID, secretKey, ssl, sslNegotiation } = this as unknown as {
      readonly processID: number
      readonly secretKey: number
      readonly ssl: boolean | ConnectionOptions
      readonly sslNegotiation: string
    }
    const options = ssl === true ? {} : ssl
    return requestCancel({
      host: this.host,
      port: this.port,
      tls: options ? { options, isDirect: sslNegotiation === 'direct' } : null,
      processId: processID,
      secretKey,
    })
  }
}

/**
 * pg passes it the settings. Under TLS what is read first is no message of the protocol, nor is it read by this socket
 * later.
 */
const streamOf = ({ ssl }: { readonly ssl: unknown }): Socket => (ssl ? new Socket() : sharedReadSocket())
