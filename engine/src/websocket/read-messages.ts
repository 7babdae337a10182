import type { RawData, WebSocket } from 'ws'
import { isLongBody, parseJson, parseLongJson } from '../http/index.ts'
import { readClientMessage } from './client-message.ts'

/** A message of a client, or why it is none. */
export type Incoming = ReturnType<typeof readClientMessage> | { readonly ok: false; readonly reason: string }

interface Reader {
  /** Values of one message. */
  readonly maxValues: number
  /** Called with each message, in the order in which they came. */
  take(read: Incoming): void
  /** Whether the client is not to be read for now. */
  isFull(): boolean
}

/** Reads the messages of a socket until it is closed. Long ones are parsed in pieces, and those behind them wait. */
export function readMessages(socket: WebSocket, { maxValues, take, isFull }: Reader): void {
  /** Messages that came while a long one before them is parsed; null while none is. */
  let unread: Buffer[] | null = null
  let isClosed = false
  const receive = (bytes: Buffer): void => {
    if (unread) unread.push(bytes)
    else if (isLongBody(bytes)) void receiveLong(bytes)
    else take(readMessage(() => parseJson(bytes, maxValues), false))
  }
  const receiveLong = async (bytes: Buffer): Promise<void> => {
    const behind: Buffer[] = []
    unread = behind
    socket.pause()
    const parse = await parseLongJson(bytes, maxValues).then(
      (json) => () => json,
      (error: unknown) => () => {
        throw error
      },
    )
    unread = null
    if (isClosed) return
    take(readMessage(parse, true))
    if (!isFull()) socket.resume()
    for (const next of behind) receive(next)
  }
  socket.on('message', (data) => receive(bytesOf(data)))
  socket.on('close', () => {
    isClosed = true
  })
}

function readMessage(parse: () => unknown, isLong: boolean): Incoming {
  try {
    return readClientMessage(parse(), isLong)
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) }
  }
}

const bytesOf = (data: RawData): Buffer =>
  Buffer.isBuffer(data) ? data : Buffer.concat([data].flat().map((part) => Buffer.from(part as Buffer)))
