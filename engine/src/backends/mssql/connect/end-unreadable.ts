import type { EventEmitter } from 'node:events'

/** What of the client's connections is used here; it declares none of it. */
interface TokenReading {
  createTokenStreamParser(...given: readonly unknown[]): { readonly parser: Pick<EventEmitter, 'on'> }
  readonly socket?: { destroy(error: Error): void }
}

/**
 * Has a connection end where what the server sends cannot be read (tedious 19): the client reports that to nobody, and an error
 * that no one receives ends the process. The request fails as those of lost connections do.
 */
export function endUnreadable(connection: object): void {
  const reading = connection as TokenReading
  const create = reading.createTokenStreamParser.bind(reading)
  reading.createTokenStreamParser = (...given) => {
    const made = create(...given)
    made.parser.on('error', (error: Error) => reading.socket?.destroy(error))
    return made
  }
}
