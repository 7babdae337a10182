/** An integer as bigint where a double cannot hold it. */
export type MsgpackNumber = number | bigint

/** Of numbers that have a leading byte of their own, from 0xca: how many bytes follow it, and how Node reads them. */
const numberFormats = [
  [4, 'readFloatBE'],
  [8, 'readDoubleBE'],
  [1, 'readUInt8'],
  [2, 'readUInt16BE'],
  [4, 'readUInt32BE'],
  [8, 'readBigUInt64BE'],
  [1, 'readInt8'],
  [2, 'readInt16BE'],
  [4, 'readInt32BE'],
  [8, 'readBigInt64BE'],
] as const

/** Walks over MessagePack. Throws RangeError where the bytes end too early, TypeError where something else comes. */
export class MsgpackReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** Whether null came, which is then read. */
  nil(): boolean {
    if (this.#peek() !== 0xc0) return false
    this.#at++
    return true
  }

  /** Whether an extension came, which is then read: Terraform's unknown, refined or not. */
  extension(): boolean {
    const byte = this.#peek()
    if (byte >= 0xd4 && byte <= 0xd8) {
      this.#take(2 + (1 << (byte - 0xd4)))
      return true
    }
    if (byte < 0xc7 || byte > 0xc9) return false
    this.#at++
    const length = this.#size(1 << (byte - 0xc7))
    this.#take(1 + length)
    return true
  }

  boolean(): boolean {
    const byte = this.#next()
    if (byte === 0xc2) return false
    if (byte === 0xc3) return true
    throw unexpected('a boolean', byte)
  }

  get isText(): boolean {
    const byte = this.#peek()
    return (byte >= 0xa0 && byte <= 0xbf) || (byte >= 0xd9 && byte <= 0xdb)
  }

  text(): string {
    const byte = this.#next()
    const length = byte >= 0xa0 && byte <= 0xbf ? byte & 0x1f : this.#sizeOf('a text', byte, 0xd9, [1, 2, 4])
    const start = this.#take(length)
    return this.#bytes.toString('utf8', start, start + length)
  }

  number(): MsgpackNumber {
    const byte = this.#next()
    if (byte < 0x80) return byte
    if (byte >= 0xe0) return byte - 256
    const format = numberFormats[byte - 0xca]
    if (!format) throw unexpected('a number', byte)
    const [width, read] = format
    const value = this.#bytes[read](this.#take(width))
    return typeof value === 'bigint' ? narrow(value) : value
  }

  /** The length of a list, whose items follow. */
  list(): number {
    const byte = this.#next()
    return byte >= 0x90 && byte <= 0x9f ? byte & 0x0f : this.#sizeOf('a list', byte, 0xdc, [2, 4])
  }

  /** How many pairs of key and value follow. */
  map(): number {
    const byte = this.#next()
    return byte >= 0x80 && byte <= 0x8f ? byte & 0x0f : this.#sizeOf('a map', byte, 0xde, [2, 4])
  }

  #sizeOf(what: string, byte: number, first: number, widths: readonly number[]): number {
    const width = widths[byte - first]
    if (width === undefined) throw unexpected(what, byte)
    return this.#size(width)
  }

  #size(width: number): number {
    const start = this.#take(width)
    return this.#bytes.readUIntBE(start, width)
  }

  #peek(): number {
    const byte = this.#bytes[this.#at]
    if (byte === undefined) throw new RangeError('a value ends too early')
    return byte
  }

  #next(): number {
    const byte = this.#peek()
    this.#at++
    return byte
  }

  #take(length: number): number {
    const start = this.#at
    if (start + length > this.#bytes.length) throw new RangeError('a value ends too early')
    this.#at += length
    return start
  }
}

const narrow = (value: bigint): MsgpackNumber =>
  BigInt(Number(value)) === value && Number.isSafeInteger(Number(value)) ? Number(value) : value

const unexpected = (what: string, byte: number) => new TypeError(`expected ${what}, got 0x${byte.toString(16)}`)
