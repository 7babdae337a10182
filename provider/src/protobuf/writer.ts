/** Gathers the bytes of one message. */
export class Writer {
  readonly #parts: Buffer[] = []

  varint(value: number): void {
    const bytes: number[] = []
    let rest = value
    while (rest >= 0x80) {
      bytes.push((rest % 128) | 0x80)
      rest = Math.floor(rest / 128)
    }
    bytes.push(rest)
    this.#parts.push(Buffer.from(bytes))
  }

  /** Negative numbers take ten bytes, in two's complement. */
  int64(value: number): void {
    if (value >= 0) {
      this.varint(value)
      return
    }
    const bytes: number[] = []
    let rest = BigInt.asUintN(64, BigInt(value))
    while (rest >= 0x80n) {
      bytes.push(Number(rest & 0x7fn) | 0x80)
      rest >>= 7n
    }
    bytes.push(Number(rest))
    this.#parts.push(Buffer.from(bytes))
  }

  lengthDelimited(bytes: Uint8Array): void {
    this.varint(bytes.length)
    this.#parts.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts)
  }
}
