/**
 * Gathers the bytes of one message from the last to the first: what stands inside a field is there before its length has to be
 * known, and nothing is measured or copied twice. A field's tag is written after its value.
 */
export class Writer {
  #bytes = Buffer.allocUnsafe(256)
  #at = 256

  /** How many bytes there are. */
  get length(): number {
    return this.#bytes.length - this.#at
  }

  byte(value: number): void {
    this.#take(1)
    this.#bytes[this.#at] = value
  }

  varint(value: number): void {
    if (value < 0x80) {
      this.byte(value)
      return
    }
    const groups: number[] = []
    for (let rest = value; rest > 0; rest = Math.floor(rest / 128)) groups.push(rest % 128)
    this.#groups(groups)
  }

  /** Negative numbers take ten bytes, in two's complement. */
  int64(value: number): void {
    if (value >= 0) {
      this.varint(value)
      return
    }
    const groups: number[] = []
    for (let rest = BigInt.asUintN(64, BigInt(value)); rest > 0n; rest >>= 7n) groups.push(Number(rest & 0x7fn))
    this.#groups(groups)
  }

  double(value: number): void {
    this.#take(8)
    this.#bytes.writeDoubleLE(value, this.#at)
  }

  lengthDelimited(bytes: Uint8Array): void {
    this.#take(bytes.length)
    this.#bytes.set(bytes, this.#at)
    this.varint(bytes.length)
  }

  text(text: string): void {
    const length = Buffer.byteLength(text, 'utf8')
    this.#take(length)
    this.#bytes.write(text, this.#at, length, 'utf8')
    this.varint(length)
  }

  finish(): Buffer {
    return this.#bytes.subarray(this.#at)
  }

  /** Of seven bits, the lowest first; all but the last say that another one follows. */
  #groups(groups: readonly number[]): void {
    for (let i = groups.length - 1; i >= 0; i--) this.byte((groups[i] ?? 0) | (i === groups.length - 1 ? 0 : 0x80))
  }

  #take(count: number): void {
    if (this.#at < count) {
      const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + count))
      const at = larger.length - this.length
      this.#bytes.copy(larger, at, this.#at)
      this.#bytes = larger
      this.#at = at
    }
    this.#at -= count
  }
}
