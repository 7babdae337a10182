/** Walks over the bytes of one message. Throws RangeError where they end too early. */
export class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** An unsigned number below 2^53: a tag, a length, an enum. */
  varint(): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#byte()
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }

  /** A signed number of 64 bits, in two's complement. */
  int64(): number {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#byte()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return Number(BigInt.asIntN(64, value))
    }
  }

  /** Where the next field begins, to be compared with where a message inside this one ends. */
  get position(): number {
    return this.#at
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#pass(8))
  }

  text(): string {
    return this.#bytes.toString('utf8', this.#pass(this.varint()), this.#at)
  }

  lengthDelimited(): Buffer {
    return this.#bytes.subarray(this.#pass(this.varint()), this.#at)
  }

  skip(wireType: number): void {
    if (wireType === 0) while (this.#byte() >= 0x80);
    else if (wireType === 1) this.#pass(8)
    else if (wireType === 2) this.#pass(this.varint())
    else if (wireType === 5) this.#pass(4)
    else throw new RangeError(`a message with a field of wire type ${wireType}`)
  }

  /** Returns where so many bytes begin, and goes on behind them. */
  #pass(length: number): number {
    const at = this.#at
    if (at + length > this.#bytes.length) throw new RangeError('a message ends within a field')
    this.#at = at + length
    return at
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++]
    if (byte === undefined) throw new RangeError('a message ends within a number')
    return byte
  }
}
