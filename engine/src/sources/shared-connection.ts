import type { Introspection, OpenableSource, SourceConnection } from '../backends/index.ts'
import { type Observed, observeConnection } from './observe-connection.ts'

/** An open source, shared by all that use the same one: the served metadata and drafts. */
export class SharedConnection {
  readonly #opened: Promise<SourceConnection>
  /** Null until it is open. */
  #connection: SourceConnection | null = null
  #latest: Introspection | null = null
  #ahead: Promise<Introspection> | null = null

  constructor(source: OpenableSource, observed: Observed) {
    this.#opened = source.open(observed.report).then((connection) => observeConnection(connection, observed))
    this.#opened.then(
      (connection) => {
        this.#connection = connection
      },
      // a caller that awaits `opened` gets the error
      () => {},
    )
  }

  /** Rejects with SourceUnavailable. */
  get opened(): Promise<SourceConnection> {
    return this.#opened
  }

  /** Begins to read everything for the first caller, which gets the error too. */
  readAhead(): void {
    this.#ahead = this.introspect()
    this.#ahead.catch(() => {})
  }

  /** Returns everything, with the references of what did not change since it was last read. */
  async introspect(): Promise<Introspection> {
    const ahead = this.#ahead
    this.#ahead = null
    if (ahead) return ahead
    const connection = await this.#opened
    this.#latest = await connection.introspect(this.#latest)
    return this.#latest
  }

  /** Ends the connections that no client uses now. */
  rest(): void {
    this.#connection?.rest()
  }

  /** Ends it when what runs is done. */
  async close(): Promise<void> {
    const connection = await this.#opened.catch(() => null)
    await connection?.close()
  }
}
