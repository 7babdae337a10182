/** Bytes that are written one after the other into one piece of memory, which grows: many small buffers cost more. */
export class GrowingBytes {
  #bytes: Buffer
  #length = 0

  constructor(capacity = 256) {
    this.#bytes = Buffer.allocUnsafe(capacity)
  }

  byte(value: number): void {
    const at = this.#take(1)
    this.#bytes[at] = value
  }

  /** Big-endian, of one to six bytes. */
  unsigned(value: number, width: number): void {
    const at = this.#take(width)
    this.#bytes.writeUIntBE(value, at, width)
  }

  signed64(value: bigint): void {
    const at = this.#take(8)
    this.#bytes.writeBigInt64BE(value, at)
  }

  /** Little-endian. */
  double(value: number): void {
    const at = this.#take(8)
    this.#bytes.writeDoubleLE(value, at)
  }

  raw(bytes: Uint8Array): void {
    const at = this.#take(bytes.length)
    this.#bytes.set(bytes, at)
  }

  /** `length`: of the text in UTF-8. */
  utf8(text: string, length: number): void {
    const at = this.#take(length)
    this.#bytes.write(text, at, length, 'utf8')
  }

  /** What was written so far, sharing the memory: nothing may be written afterwards. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length)
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
