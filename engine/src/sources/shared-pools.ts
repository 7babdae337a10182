/** What has connections to a database. */
export interface Pool {
  /** Ends the connections that are not in use; new ones are opened when they are needed. */
  rest(): void
  /** Ends all of them when what runs on them is done. */
  close(): Promise<void>
}

/**
 * Pools shared by equal settings, so that a change of metadata opens and ends what it names and nothing else. One that is not
 * served rests soon and is forgotten later: requests that began before a change, drafts of metadata, and bulks that take their
 * time may still use it, or come to serve it.
 */
export class SharedPools<One extends Pool> {
  readonly #byKey = new Map<string, One>()
  readonly #keys = new WeakMap<One, string>()
  /** Of those that are not served. */
  readonly #timers = new Map<One, NodeJS.Timeout>()
  #served: ReadonlySet<One> = new Set()

  /** The pool of these settings; `open` makes it where there is none. */
  get(key: string, open: () => One): One {
    const known = this.#byKey.get(key)
    if (known) return known
    const pool = open()
    this.#byKey.set(key, pool)
    this.#keys.set(pool, key)
    return pool
  }

  has(key: string): boolean {
    return this.#byKey.has(key)
  }

  /** Whether the pool is the one of its settings. */
  holds(pool: One): boolean {
    return this.#byKey.get(this.#keys.get(pool) ?? '') === pool
  }

  /** The pool was requested: unless it is served, it remains open a while longer. */
  touch(pool: One): void {
    clearTimeout(this.#timers.get(pool))
    this.#timers.delete(pool)
    if (!this.#served.has(pool)) this.#restLater(pool)
  }

  /** Sets the pools that are served from now on. */
  serve(pools: ReadonlySet<One>): void {
    const before = this.#served
    this.#served = pools
    for (const pool of pools) {
      clearTimeout(this.#timers.get(pool))
      this.#timers.delete(pool)
      // it may have been forgotten before it came to be served
      const key = this.#keys.get(pool)
      if (key !== undefined) this.#byKey.set(key, pool)
    }
    for (const pool of before) if (!pools.has(pool)) pool.rest()
    for (const pool of [...before, ...this.#byKey.values()])
      if (!pools.has(pool) && !this.#timers.has(pool)) this.#restLater(pool)
  }

  /** A pool that is of no use; those that are served remain. */
  async drop(pool: One): Promise<void> {
    if (this.#served.has(pool)) return
    clearTimeout(this.#timers.get(pool))
    this.#timers.delete(pool)
    if (this.holds(pool)) this.#byKey.delete(this.#keys.get(pool) ?? '')
    await pool.close()
  }

  async close(): Promise<void> {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    const all = new Set([...this.#byKey.values(), ...this.#timers.keys(), ...this.#served])
    this.#timers.clear()
    this.#byKey.clear()
    this.#served = new Set()
    await Promise.all([...all].map((pool) => pool.close()))
  }

  #restLater(pool: One): void {
    this.#after(RESTS_AFTER, pool, () => {
      pool.rest()
      // connections that were in use then have been returned by now
      this.#after(FORGOTTEN_AFTER, pool, () => {
        pool.rest()
        this.#timers.delete(pool)
        if (this.holds(pool)) this.#byKey.delete(this.#keys.get(pool) ?? '')
      })
    })
  }

  #after(milliseconds: number, pool: One, act: () => void): void {
    this.#timers.set(pool, setTimeout(act, milliseconds).unref())
  }
}

/** Milliseconds after which the idle connections of a pool end that is not served. */
const RESTS_AFTER = 1000
/** Milliseconds from then on until it is forgotten, and opened again for the caller. */
const FORGOTTEN_AFTER = 60_000
