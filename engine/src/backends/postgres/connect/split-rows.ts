import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'

/** A row as it came: no column is decoded. */
export interface RawDataRow {
  readonly name: 'dataRow'
  readonly fields: readonly (Buffer | null)[]
  readonly length: number
}

/** Who takes messages as long as it is busy. */
export interface MessageTaker {
  readonly busy: boolean
  hear(bytes: Buffer, start: number, end: number): void
}

/**
 * Splits what the server sends into messages. Rows are cut out of the bytes as they came, since an answer is JSON that goes
 * out again: decoding it into a string and back would cost two copies, and V8's strings end at 512 MB. A row longer than
 * one chunk is copied once. The result emits the bytes of all other messages as `data`, for pg's own parser. While `first`
 * is busy, it gets everything.
 */
export function splitRows(stream: Duplex, hear: (row: RawDataRow) => void, first: MessageTaker): EventEmitter {
  const others = new EventEmitter()
  const deliver = (bytes: Buffer, start: number, end: number) => {
    if (first.busy) first.hear(bytes, start, end)
    else if (bytes[start] === DATA_ROW) hear(dataRow(bytes.subarray(start, end)))
    else others.emit('data', bytes.subarray(start, end))
  }
  // a message of which some bytes are still to come: its header's first bytes, or room for all of it
  let head: Buffer = NOTHING
  let partial: { readonly message: Buffer; filled: number } | null = null

  stream.on('data', (chunk: Buffer) => {
    let bytes = chunk
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
      deliver(message, 0, message.length)
    }
    if (head.length > 0) bytes = Buffer.concat([head, bytes])
    let offset = 0
    while (bytes.length - offset >= HEADER) {
      const end = offset + 1 + bytes.readUInt32BE(offset + 1)
      if (end > bytes.length) break
      deliver(bytes, offset, end)
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
    const message = Buffer.allocUnsafe(1 + rest.readUInt32BE(1))
    rest.copy(message)
    partial = { message, filled: rest.length }
  })
  return others
}

const NOTHING = Buffer.alloc(0)
/** Kind and length. */
const HEADER = 5
const DATA_ROW = 0x44

function dataRow(message: Buffer): RawDataRow {
  const fields = new Array<Buffer | null>(message.readInt16BE(HEADER))
  let offset = HEADER + 2
  for (let i = 0; i < fields.length; i++) {
    const length = message.readInt32BE(offset)
    offset += 4
    fields[i] = length < 0 ? null : message.subarray(offset, offset + length)
    if (length > 0) offset += length
  }
  return { name: 'dataRow', fields, length: message.length - 1 }
}
