/** Gathers MessagePack as Terraform reads it, in one piece of memory, which grows: many small buffers cost more. */
export class MsgpackWriter {
  #bytes = Buffer.allocUnsafe(256)
  #length = 0

  nil(): void {
    this.#byte(0xc0)
  }

  /** Terraform's plain unknown: an extension of type 0. */
  unknown(): void {
    this.#unsigned(0xd40000, 3)
  }

  boolean(value: boolean): void {
    this.#byte(value ? 0xc3 : 0xc2)
  }

  text(value: string): void {
    const length = Buffer.byteLength(value, 'utf8')
    this.#head(length, 0xa0, 32, [0xd9, 0xda, 0xdb])
    const at = this.#take(length)
    this.#bytes.write(value, at, length, 'utf8')
  }

  /** What is no integer goes as its decimal text, which says exactly what was meant. */
  number(value: number): void {
    if (!Number.isSafeInteger(value)) this.text(String(value))
    else if (value >= 0 && value < 128) this.#byte(value)
    else if (value < 0 && value >= -32) this.#byte(value + 256)
    else {
      this.#byte(0xd3)
      const at = this.#take(8)
      this.#bytes.writeBigInt64BE(BigInt(value), at)
    }
  }

  list(length: number): void {
    this.#head(length, 0x90, 16, [null, 0xdc, 0xdd])
  }

  map(length: number): void {
    this.#head(length, 0x80, 16, [null, 0xde, 0xdf])
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** `wide`: the leading byte for a length of one, two and four bytes. */
  #head(length: number, fixed: number, fixedBelow: number, wide: readonly (number | null)[]): void {
    if (length < fixedBelow) {
      this.#byte(fixed + length)
      return
    }
    const exponent = wide.findIndex((lead, i) => lead !== null && length < 2 ** (8 << i))
    this.#byte(wide[exponent] ?? 0)
    this.#unsigned(length, 1 << exponent)
  }

  #byte(value: number): void {
    const at = this.#take(1)
    this.#bytes[at] = value
  }

  /** Big-endian, of one to six bytes. */
  #unsigned(value: number, width: number): void {
    const at = this.#take(width)
    this.#bytes.writeUIntBE(value, at, width)
  }

  #take(count: number): number {
    const at = this.#length
    this.#length += count
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, at)
      this.#bytes = larger
    }
    return at
  }
}
