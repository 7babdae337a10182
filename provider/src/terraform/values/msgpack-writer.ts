const NIL = Buffer.from([0xc0])
const FALSE = Buffer.from([0xc2])
const TRUE = Buffer.from([0xc3])
const UNKNOWN = Buffer.from([0xd4, 0, 0])

/** Gathers MessagePack as Terraform reads it. */
export class MsgpackWriter {
  readonly #parts: Buffer[] = []

  nil(): void {
    this.#parts.push(NIL)
  }

  /** Terraform's plain unknown: an extension of type 0. */
  unknown(): void {
    this.#parts.push(UNKNOWN)
  }

  boolean(value: boolean): void {
    this.#parts.push(value ? TRUE : FALSE)
  }

  text(value: string): void {
    const bytes = Buffer.from(value, 'utf8')
    this.#head(bytes.length, 0xa0, 32, [0xd9, 0xda, 0xdb])
    this.#parts.push(bytes)
  }

  /** What is no integer goes as its decimal text, which says exactly what was meant. */
  number(value: number): void {
    if (!Number.isSafeInteger(value)) {
      this.text(String(value))
      return
    }
    if (value >= 0 && value < 128) this.#parts.push(Buffer.from([value]))
    else if (value < 0 && value >= -32) this.#parts.push(Buffer.from([value + 256]))
    else {
      const bytes = Buffer.alloc(9)
      bytes[0] = 0xd3
      bytes.writeBigInt64BE(BigInt(value), 1)
      this.#parts.push(bytes)
    }
  }

  list(length: number): void {
    this.#head(length, 0x90, 16, [null, 0xdc, 0xdd])
  }

  map(length: number): void {
    this.#head(length, 0x80, 16, [null, 0xde, 0xdf])
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts)
  }

  /** `wide`: the leading byte for a length of one, two and four bytes. */
  #head(length: number, fixed: number, fixedBelow: number, wide: readonly (number | null)[]): void {
    if (length < fixedBelow) {
      this.#parts.push(Buffer.from([fixed + length]))
      return
    }
    const exponent = wide.findIndex((lead, i) => lead !== null && length < 2 ** (8 << i))
    const head = Buffer.alloc(1 + (1 << exponent))
    head[0] = wide[exponent] ?? 0
    head.writeUIntBE(length, 1, 1 << exponent)
    this.#parts.push(head)
  }
}
