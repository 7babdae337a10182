/** Stands in for immutable in the page: maps that are copied where they change, which a page does a few times. */
class Copied<K, V> {
  readonly #entries: ReadonlyMap<K, V>

  constructor(entries: ReadonlyMap<K, V>) {
    this.#entries = entries
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)
  }

  has(key: K): boolean {
    return this.#entries.has(key)
  }

  isEmpty(): boolean {
    return this.size === 0
  }

  values(): Iterable<V> {
    return this.#entries.values()
  }

  keys(): Iterable<K> {
    return this.#entries.keys()
  }

  entries(): Iterable<[K, V]> {
    return this.#entries.entries()
  }

  [Symbol.iterator](): Iterator<[K, V]> {
    return this.#entries.entries()
  }

  set(key: K, value: V): Copied<K, V> {
    return this.get(key) === value && this.has(key) ? this : new Copied(new Map(this.#entries).set(key, value))
  }

  withMutations(edit: (map: Changing<K, V>) => void): Copied<K, V> {
    const map = this.asMutable()
    edit(map)
    return map.asImmutable()
  }

  asMutable(): Changing<K, V> {
    return new Changing(this.#entries)
  }

  delete(key: K): Copied<K, V> {
    if (!this.has(key)) return this
    const left = new Map(this.#entries)
    left.delete(key)
    return new Copied(left)
  }
}

class Changing<K, V> {
  readonly #map: Map<K, V>
  #altered = false

  constructor(entries: ReadonlyMap<K, V>) {
    this.#map = new Map(entries)
  }

  set(key: K, value: V): void {
    this.#altered = true
    this.#map.set(key, value)
  }

  delete(key: K): void {
    if (this.#map.delete(key)) this.#altered = true
  }

  wasAltered(): boolean {
    return this.#altered
  }

  asImmutable(): Copied<K, V> {
    return new Copied(this.#map)
  }
}

const copied = <K, V>(entries: Iterable<[K, V]> = []): Copied<K, V> => new Copied(new Map(entries))

export { copied as Map }
