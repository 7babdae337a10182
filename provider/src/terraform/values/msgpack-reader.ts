/** An integer as bigint where a double cannot hold it. */
export type MsgpackNumber = number | bigint

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
    const bytes = this.#bytes
    switch (byte) {
      case 0xca:
        return bytes.readFloatBE(this.#take(4))
      case 0xcb:
        return bytes.readDoubleBE(this.#take(8))
      case 0xcc:
        return bytes.readUInt8(this.#take(1))
      case 0xcd:
        return bytes.readUInt16BE(this.#take(2))
      case 0xce:
        return bytes.readUInt32BE(this.#take(4))
      case 0xcf:
        return narrow(bytes.readBigUInt64BE(this.#take(8)))
      case 0xd0:
        return bytes.readInt8(this.#take(1))
      case 0xd1:
        return bytes.readInt16BE(this.#take(2))
      case 0xd2:
        return bytes.readInt32BE(this.#take(4))
      case 0xd3:
        return narrow(bytes.readBigInt64BE(this.#take(8)))
      default:
        throw unexpected('a number', byte)
    }
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
