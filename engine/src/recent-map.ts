/**
 * A map that knows which of its entries was used least recently; one is used where it is set or got. A Map that is
 * deleted from and added to with each use knows that too, but makes a table every few uses, and V8 links each to the
 * one that follows: of those that grew old before they died, what they hold and whatever is young behind them remains
 * alive until all memory is cleaned.
 */
export class RecentMap<Key, Value> {
  readonly #links = new Map<Key, Link<Value>>()
  #oldest: Link<Value> | null = null
  #newest: Link<Value> | null = null

  get size(): number {
    return this.#links.size
  }

  keys(): Iterable<Key> {
    return this.#links.keys()
  }

  /** What was used least recently. */
  get oldest(): Value | undefined {
    return this.#oldest?.value
  }

  get(key: Key): Value | undefined {
    const link = this.#links.get(key)
    if (!link) return undefined
    if (link !== this.#newest) {
      this.#unlink(link)
      this.#append(link)
    }
    return link.value
  }

  set(key: Key, value: Value): void {
    this.delete(key)
    const link: Link<Value> = { value, older: null, newer: null }
    this.#links.set(key, link)
    this.#append(link)
  }

  /** Whether it was there. */
  delete(key: Key): boolean {
    const link = this.#links.get(key)
    if (!link) return false
    this.#links.delete(key)
    this.#unlink(link)
    return true
  }

  clear(): void {
    this.#links.clear()
    this.#oldest = null
    this.#newest = null
  }

  #append(link: Link<Value>): void {
    link.older = this.#newest
    link.newer = null
    if (this.#newest) this.#newest.newer = link
    else this.#oldest = link
    this.#newest = link
  }

  #unlink({ older, newer }: Link<Value>): void {
    if (older) older.newer = newer
    else this.#oldest = newer
    if (newer) newer.older = older
    else this.#newest = older
  }
}

interface Link<Value> {
  readonly value: Value
  older: Link<Value> | null
  newer: Link<Value> | null
}
