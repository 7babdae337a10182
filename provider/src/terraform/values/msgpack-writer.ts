import { GrowingBytes } from '../../protobuf/index.ts'

/** Gathers MessagePack as Terraform reads it. */
export class MsgpackWriter {
  readonly #bytes = new GrowingBytes()

  nil(): void {
    this.#bytes.byte(0xc0)
  }

  /** Terraform's plain unknown: an extension of type 0. */
  unknown(): void {
    this.#bytes.unsigned(0xd40000, 3)
  }

  boolean(value: boolean): void {
    this.#bytes.byte(value ? 0xc3 : 0xc2)
  }

  text(value: string): void {
    const length = Buffer.byteLength(value, 'utf8')
    this.#head(length, 0xa0, 32, [0xd9, 0xda, 0xdb])
    this.#bytes.utf8(value, length)
  }

  /** What is no integer goes as its decimal text, which says exactly what was meant. */
  number(value: number): void {
    if (!Number.isSafeInteger(value)) this.text(String(value))
    else if (value >= 0 && value < 128) this.#bytes.byte(value)
    else if (value < 0 && value >= -32) this.#bytes.byte(value + 256)
    else {
      this.#bytes.byte(0xd3)
      this.#bytes.signed64(BigInt(value))
    }
  }

  list(length: number): void {
    this.#head(length, 0x90, 16, [null, 0xdc, 0xdd])
  }

  map(length: number): void {
    this.#head(length, 0x80, 16, [null, 0xde, 0xdf])
  }

  finish(): Buffer {
    return this.#bytes.finish()
  }

  /** `wide`: the leading byte for a length of one, two and four bytes. */
  #head(length: number, fixed: number, fixedBelow: number, wide: readonly (number | null)[]): void {
    if (length < fixedBelow) {
      this.#bytes.byte(fixed + length)
      return
    }
    const exponent = wide.findIndex((lead, i) => lead !== null && length < 2 ** (8 << i))
    this.#bytes.byte(wide[exponent] ?? 0)
    this.#bytes.unsigned(length, 1 << exponent)
  }
}
