/** What was sent up to a Sync, and what the server answers until it is ready for the next. */
export interface Exchange {
  /** Whether the parameters of the statement whose turn it is were bound. */
  readonly isRunning: boolean
  /** Receives a row. Bytes that are `lent` are used again as soon as this returns. */
  row(bytes: Buffer, start: number, end: number, lent: boolean): void
  /** Whether a row of so many bytes, of which the first came, is to be thrown away as it comes. */
  refuses(bytes: number): boolean
  /** One of the messages that say that what was requested is done. */
  completed(kind: number, bytes: Buffer, start: number, end: number): void
  /** The server is ready for what comes next; an error when it refused something. */
  settle(error: Error | null): void
  /**
   * The connection ended. `reason` is the server's own when `isStated`: then everything that it had done was answered
   * before. `isSent`: the server may have read it.
   */
  lose(reason: Error, isStated: boolean, isSent: boolean): void
}

/** Bytes of a message before its content: its kind and its length. */
export const HEADER = 5

export const kinds = {
  parseComplete: 0x31,
  bindComplete: 0x32,
  closeComplete: 0x33,
  commandComplete: 0x43,
  dataRow: 0x44,
  errorResponse: 0x45,
  emptyQuery: 0x49,
  rowDescription: 0x54,
  readyForQuery: 0x5a,
  noData: 0x6e,
  portalSuspended: 0x73,
} as const
