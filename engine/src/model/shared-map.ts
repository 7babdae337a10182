/**
 * Maps by text of which each version shares what it does not change with the one that it was made from. Large ones of
 * few changes: a native map that all versions share, and the entries that are otherwise. Reading one costs what a
 * native map does, where a tree of hashes computes and compares a hash of its own for each text (a sixth of a first
 * build of 5,000 tables).
 */

/** Says that the shared map's entry is gone. */
const gone = Symbol('gone')

type Entries<V> = ReadonlyMap<string, V>
type Differences<V> = ReadonlyMap<string, V | typeof gone>

/** What can be read of a version, finished or in the making. */
abstract class ReadableMap<V> {
  protected abstract readonly base: Entries<V>
  protected abstract readonly differences: Differences<V>
  abstract readonly size: number

  get(key: string): V | undefined {
    const own = this.differences.size === 0 ? undefined : this.differences.get(key)
    if (own === undefined) return this.base.get(key)
    return own === gone ? undefined : own
  }

  has(key: string): boolean {
    return this.get(key) !== undefined
  }

  isEmpty(): boolean {
    return this.size === 0
  }

  *entries(): Generator<readonly [string, V], void> {
    for (const entry of this.base) {
      const own = this.differences.get(entry[0])
      if (own === undefined) yield entry
      else if (own !== gone) yield [entry[0], own]
    }
    for (const [key, own] of this.differences) if (own !== gone && !this.base.has(key)) yield [key, own]
  }

  [Symbol.iterator](): Generator<readonly [string, V], void> {
    return this.entries()
  }

  *keys(): Generator<string, void> {
    for (const [key] of this.entries()) yield key
  }

  *values(): Generator<V, void> {
    for (const [, value] of this.entries()) yield value
  }

  find(fits: (value: V) => boolean): V | undefined {
    for (const value of this.values()) if (fits(value)) return value
    return undefined
  }

  some(fits: (value: V) => boolean): boolean {
    return this.find(fits) !== undefined
  }
}

/** One version: nothing of it changes any more. Values are never undefined; the order of the entries is none. */
export class SharedMap<V> extends ReadableMap<V> {
  protected readonly base: Entries<V>
  protected readonly differences: Differences<V>
  readonly size: number

  constructor(base: Entries<V> = new Map(), differences: Differences<V> = new Map(), size: number = base.size) {
    super()
    this.base = base
    this.differences = differences
    this.size = size
  }

  /** The next version in the making. */
  edit(): SharedMapInWork<V> {
    return new SharedMapInWork(this, this.base, this.differences)
  }
}

/** A version in the making, which one update reads and writes. */
export class SharedMapInWork<V> extends ReadableMap<V> {
  readonly #before: SharedMap<V>
  /** What begins with nothing is written to the map that will be shared. */
  readonly #own: Map<string, V> | null
  protected readonly base: Entries<V>
  protected differences: Differences<V>
  #written: Map<string, V | typeof gone> | null = null
  #size: number
  #isAltered = false

  constructor(before: SharedMap<V>, base: Entries<V>, differences: Differences<V>) {
    super()
    this.#before = before
    this.#own = before.size === 0 ? new Map<string, V>() : null
    this.base = this.#own ?? base
    this.differences = this.#own ? new Map() : differences
    this.#size = before.size
  }

  get size(): number {
    return this.#own?.size ?? this.#size
  }

  set(key: string, value: V): this {
    this.#isAltered = true
    if (this.#own) {
      this.#own.set(key, value)
      return this
    }
    if (!this.has(key)) this.#size++
    this.#toWrite().set(key, value)
    return this
  }

  delete(key: string): void {
    if (!this.has(key)) return
    this.#isAltered = true
    if (this.#own) {
      this.#own.delete(key)
      return
    }
    this.#size--
    if (this.base.has(key)) this.#toWrite().set(key, gone)
    else this.#toWrite().delete(key)
  }

  /** The new version, or the one it was made from where nothing was written. Nothing is written afterwards. */
  finish(): SharedMap<V> {
    if (!this.#isAltered) return this.#before
    if (this.#own) return new SharedMap(this.#own)
    if (this.differences.size <= mostDifferences(this.base.size))
      return new SharedMap(this.base, this.differences, this.size)
    const merged = new Map(this.base)
    for (const [key, value] of this.differences) {
      if (value === gone) merged.delete(key)
      else merged.set(key, value)
    }
    return new SharedMap(merged)
  }

  #toWrite(): Map<string, V | typeof gone> {
    if (!this.#written) {
      this.#written = new Map(this.differences)
      this.differences = this.#written
    }
    return this.#written
  }
}

/**
 * Every update copies the differences, and every so many of them the whole map: of 60,000 entries (4 ms) after 1,000 differences,
 * to copy which takes some 20 µs.
 */
const mostDifferences = (size: number): number => 64 + 4 * Math.sqrt(size)
