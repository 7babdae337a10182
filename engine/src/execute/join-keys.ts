import { randomInt } from 'node:crypto'

/**
 * Distinct tuples of JSON texts, numbered as they come. They are compared and stored as bytes: as strings thousands of
 * keys are a third of what their rows cost.
 */
export class JoinKeys {
  readonly columns: readonly KeyColumn[]
  #count = 0
  readonly #hashes: number[] = []
  /** Numbers of tuples, 1 more than they are, by their hash; 0: none. */
  #places = new Int32Array(512)

  constructor(columns: number) {
    this.columns = Array.from({ length: columns }, () => new KeyColumn())
  }

  get count(): number {
    return this.#count
  }

  /** The number of a tuple whose texts stand at `ranges`, beginnings and ends by turns; -1: it would be one more than `most`. */
  add(bytes: Buffer, ranges: readonly number[], most: number): number {
    const { columns } = this
    let hash = 0
    for (let i = 0; i < columns.length; i++) hash = hashOf(bytes, ranges[2 * i] ?? 0, ranges[2 * i + 1] ?? 0, hash)
    const places = this.#places
    let place = hash & (places.length - 1)
    for (let other = places[place] ?? 0; other > 0; other = places[place] ?? 0) {
      if (this.#hashes[other - 1] === hash && this.#isAt(other - 1, bytes, ranges)) return other - 1
      place = (place + 1) & (places.length - 1)
    }
    if (this.#count === most) return -1
    for (let i = 0; i < columns.length; i++) columns[i]?.push(bytes, ranges[2 * i] ?? 0, ranges[2 * i + 1] ?? 0)
    this.#hashes.push(hash)
    places[place] = ++this.#count
    if (2 * this.#count > places.length) this.#grow()
    return this.#count - 1
  }

  #isAt(number: number, bytes: Buffer, ranges: readonly number[]): boolean {
    for (let i = 0; i < this.columns.length; i++)
      if (!this.columns[i]?.isAt(number, bytes, ranges[2 * i] ?? 0, ranges[2 * i + 1] ?? 0)) return false
    return true
  }

  #grow(): void {
    const larger = new Int32Array(4 * this.#places.length)
    for (const [number, hash] of this.#hashes.entries()) {
      let place = hash & (larger.length - 1)
      while ((larger[place] ?? 0) > 0) place = (place + 1) & (larger.length - 1)
      larger[place] = number + 1
    }
    this.#places = larger
  }
}

/** The texts of one key, one behind the other with commas. */
export class KeyColumn {
  bytes = Buffer.allocUnsafeSlow(4096)
  readonly #ends: number[] = []

  start = (number: number): number => (number === 0 ? 0 : (this.#ends[number - 1] ?? 0) + 1)
  end = (number: number): number => this.#ends[number] ?? 0

  text = (number: number): string => this.bytes.toString('utf8', this.start(number), this.end(number))

  /** All of them as a JSON list. */
  list = (): string => `[${this.bytes.toString('utf8', 0, this.#ends.at(-1) ?? 0)}]`

  push(bytes: Buffer, start: number, end: number): void {
    const at = this.start(this.#ends.length)
    const last = at + end - start
    if (last >= this.bytes.length) this.#grow(last + 1)
    const own = this.bytes
    if (at > 0) own[at - 1] = 0x2c
    for (let i = start; i < end; i++) own[at + i - start] = bytes[i] ?? 0
    this.#ends.push(last)
  }

  isAt(number: number, bytes: Buffer, start: number, end: number): boolean {
    const own = this.bytes
    const at = this.start(number)
    if (this.end(number) - at !== end - start) return false
    for (let i = start; i < end; i++) if (own[at + i - start] !== bytes[i]) return false
    return true
  }

  #grow(least: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, least))
    this.bytes.copy(larger)
    this.bytes = larger
  }
}

/** A random odd seed: clients that send keys cannot know which of them collide. */
const factor = randomInt(1 << 30) * 2 + 1

function hashOf(bytes: Buffer, start: number, end: number, before: number): number {
  let hash = Math.imul(before ^ (end - start), factor)
  for (let i = start; i < end; i++) {
    hash = Math.imul(hash ^ (bytes[i] ?? 0), factor)
    hash ^= hash >>> 15
  }
  return hash
}
