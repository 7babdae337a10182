import { GrowingBytes } from './growing-bytes.ts'

/** Gathers the bytes of one message. */
export class Writer {
  readonly #bytes = new GrowingBytes()

  varint(value: number): void {
    let rest = value
    while (rest >= 0x80) {
      this.#bytes.byte((rest % 128) | 0x80)
      rest = Math.floor(rest / 128)
    }
    this.#bytes.byte(rest)
  }

  /** Negative numbers take ten bytes, in two's complement. */
  int64(value: number): void {
    if (value >= 0) {
      this.varint(value)
      return
    }
    let rest = BigInt.asUintN(64, BigInt(value))
    while (rest >= 0x80n) {
      this.#bytes.byte(Number(rest & 0x7fn) | 0x80)
      rest >>= 7n
    }
    this.#bytes.byte(Number(rest))
  }

  double(value: number): void {
    this.#bytes.double(value)
  }

  lengthDelimited(bytes: Uint8Array): void {
    this.varint(bytes.length)
    this.#bytes.raw(bytes)
  }

  text(text: string): void {
    const length = Buffer.byteLength(text, 'utf8')
    this.varint(length)
    this.#bytes.utf8(text, length)
  }

  finish(): Buffer {
    return this.#bytes.finish()
  }
}
