import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import { takeBytes } from '../../../reused-bytes.ts'
import { HEADER, kinds } from './exchange.ts'
import { takeReads } from './shared-read-socket.ts'

/** A row as it came: no column is decoded. */
export interface RawDataRow {
  readonly name: 'dataRow'
  readonly fields: readonly (Buffer | null)[]
  readonly length: number
}

/** Receives messages as long as it is busy. */
export interface MessageTaker {
  readonly busy: boolean
  /** Receives a message. `lent`: the bytes are used again as soon as this returns. */
  receive(bytes: Buffer, start: number, end: number, lent: boolean): void
  /** Whether a row of so many bytes, of which the first came, is to be thrown away as it comes. */
  refuses(bytes: number): boolean
}

/**
 * Splits what the server sends into messages. Rows are cut out of the bytes as they came, since an answer is JSON that
 * goes out again: decoding it into a string and back would cost two copies, and V8's strings end at 512 MB. A row
 * longer than one chunk is copied once, or dropped where it is refused. The result emits the bytes of all other
 * messages as `data`, for pg's own parser. While `first` is busy, it gets everything.
 */
export function splitRows(stream: Duplex, receive: (row: RawDataRow) => void, first: MessageTaker): EventEmitter {
  const others = new EventEmitter()
  const deliver = (bytes: Buffer, start: number, end: number, lent: boolean) => {
    if (first.busy) {
      first.receive(bytes, start, end, lent)
      return
    }
    const message = lent ? Buffer.from(bytes.subarray(start, end)) : bytes
    if (message[0] === kinds.dataRow) receive(dataRow(message))
    else others.emit('data', message)
  }
  // a message of which some bytes are still to come: its header's first bytes, or memory for all of it
  let head: Buffer = NOTHING
  let partial: { readonly message: Buffer; filled: number } | null = null
  let refused = 0

  takeReads(stream, (chunk) => {
    let bytes = chunk
    if (refused > 0) {
      const skipped = Math.min(refused, bytes.length)
      refused -= skipped
      bytes = bytes.subarray(skipped)
    }
    if (partial) {
      const wanted = partial.message.length - partial.filled
      bytes.copy(partial.message, partial.filled, 0, wanted)
      if (bytes.length < wanted) {
        partial.filled += bytes.length
        return
      }
      bytes = bytes.subarray(wanted)
      const { message } = partial
      partial = null
      deliver(message, 0, message.length, false)
    }
    if (head.length > 0) bytes = Buffer.concat([head, bytes])
    let offset = 0
    while (bytes.length - offset >= HEADER) {
      const end = offset + 1 + bytes.readUInt32BE(offset + 1)
      if (end > bytes.length) break
      deliver(bytes, offset, end, true)
      offset = end
    }
    if (offset === bytes.length) {
      head = NOTHING
      return
    }
    const rest = bytes.subarray(offset)
    if (rest.length < HEADER) {
      head = Buffer.from(rest)
      return
    }
    head = NOTHING
    const size = 1 + rest.readUInt32BE(1)
    if (first.busy && rest[0] === kinds.dataRow && first.refuses(size)) {
      refused = size - rest.length
      return
    }
    const message = takeBytes(size)
    rest.copy(message)
    partial = { message, filled: rest.length }
  })
  return others
}

const NOTHING = Buffer.alloc(0)

const dataRow = (message: Buffer): RawDataRow => ({
  name: 'dataRow',
  fields: fieldsOf(message),
  length: message.length - 1,
})

/** Returns the fields of a row's message, which share its memory. */
export function fieldsOf(message: Buffer): readonly (Buffer | null)[] {
  const fields = new Array<Buffer | null>(message.readInt16BE(HEADER))
  let offset = HEADER + 2
  for (let i = 0; i < fields.length; i++) {
    const length = message.readInt32BE(offset)
    offset += 4
    fields[i] = length < 0 ? null : message.subarray(offset, offset + length)
    if (length > 0) offset += length
  }
  return fields
}
