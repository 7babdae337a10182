/** A waiting caller: `take` or `fail` is called, once. */
export interface Waiting<Item> {
  /** Since when it waits, by `performance.now()`. */
  readonly since: number
  take(item: Item): void
  fail(error: unknown): void
}

interface Link<Item> extends Waiting<Item> {
  before: Link<Item> | null
  after: Link<Item> | null
}

interface Until {
  /** The seconds that it waits, or null for ever. */
  readonly seconds: number | null
  /** Returns the error that it fails with then. */
  readonly late: () => Error
  readonly signal: AbortSignal | undefined
}

/**
 * Callers that wait for something, first come, first served. Leaving costs the same at every place: when a service in
 * front gives up, thousands leave at once. An entry that left links to no other, so that it keeps no younger one in
 * memory.
 */
export class WaitingQueue<Item> {
  #first: Link<Item> | null = null
  #last: Link<Item> | null = null
  #length = 0

  get length(): number {
    return this.#length
  }

  /** The caller that has waited longest. */
  get first(): Waiting<Item> | null {
    return this.#first
  }

  /** Waits for its turn. Rejects as `until` says, with the reason of its signal or with the error passed to `fail`. */
  wait({ seconds, late, signal }: Until): Promise<Item> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#remove(waiting)
        if (timer) clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const waiting: Link<Item> = {
        since: performance.now(),
        before: null,
        after: null,
        take(item) {
          leave()
          resolve(item)
        },
        fail(error) {
          leave()
          reject(error)
        },
      }
      const abort = () => waiting.fail(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      const timer = seconds === null ? null : setTimeout(() => waiting.fail(late()), seconds * 1000)
      this.#append(waiting)
    })
  }

  #append(waiting: Link<Item>): void {
    waiting.before = this.#last
    if (this.#last) this.#last.after = waiting
    else this.#first = waiting
    this.#last = waiting
    this.#length += 1
  }

  #remove(waiting: Link<Item>): void {
    const { before, after } = waiting
    if (before) before.after = after
    else this.#first = after
    if (after) after.before = before
    else this.#last = before
    waiting.before = null
    waiting.after = null
    this.#length -= 1
  }
}
