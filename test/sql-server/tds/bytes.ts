/** Bytes to write one after the other. */
export class Bytes {
  #parts: Buffer[] = []

  u8(...values: readonly number[]): this {
    this.#parts.push(Buffer.from(values))
    return this
  }
  u16(value: number): this {
    const bytes = Buffer.alloc(2)
    bytes.writeUInt16LE(value)
    return this.raw(bytes)
  }
  u32(value: number): this {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value >>> 0)
    return this.raw(bytes)
  }
  u64(value: bigint): this {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(BigInt.asUintN(64, value))
    return this.raw(bytes)
  }
  /** The low `length` bytes of an integer. */
  int(value: bigint, length: number): this {
    const bytes = Buffer.alloc(length)
    for (let at = 0; at < length; at++) bytes[at] = Number((value >> BigInt(8 * at)) & 0xffn)
    return this.raw(bytes)
  }
  raw(bytes: Buffer): this {
    this.#parts.push(bytes)
    return this
  }
  /** UTF-16 after the number of its characters in one byte. */
  shortText(text: string): this {
    return this.u8(text.length).raw(Buffer.from(text, 'utf16le'))
  }
  text(text: string): this {
    return this.u16(text.length).raw(Buffer.from(text, 'utf16le'))
  }
  done(): Buffer {
    return Buffer.concat(this.#parts)
  }
}

/** Reads little-endian values from the start to the end. */
export class Reader {
  readonly bytes: Buffer
  at: number
  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes
    this.at = at
  }
  get isAtEnd(): boolean {
    return this.at >= this.bytes.length
  }
  take(length: number): Buffer {
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }
  u8(): number {
    return this.take(1).readUInt8()
  }
  u16(): number {
    return this.take(2).readUInt16LE()
  }
  u32(): number {
    return this.take(4).readUInt32LE()
  }
  int(length: number): bigint {
    const bytes = this.take(length)
    let value = 0n
    for (let at = length - 1; at >= 0; at--) value = (value << 8n) | BigInt(bytes[at] ?? 0)
    return value
  }
  signed(length: number): bigint {
    return BigInt.asIntN(8 * length, this.int(length))
  }
  text(characters: number): string {
    return this.take(2 * characters).toString('utf16le')
  }
}
