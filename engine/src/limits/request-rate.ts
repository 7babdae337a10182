const minute = 60_000

/**
 * Counts requests by key over the last minute: those of this minute, and of the one before the part that is still
 * within sixty seconds. Memory is that of the keys of two minutes. `now`: milliseconds that never go back.
 */
export class RequestRate {
  #started = Number.NEGATIVE_INFINITY
  #before: ReadonlyMap<string, number> = new Map()
  #current = new Map<string, number>()

  /** Whether one more of this key is allowed; it is counted then. */
  admit(key: string, perMinute: number, now: number): boolean {
    this.#turn(now)
    const share = 1 - (now - this.#started) / minute
    const count = this.#current.get(key) ?? 0
    if ((this.#before.get(key) ?? 0) * share + count + 1 > perMinute) return false
    this.#current.set(key, count + 1)
    return true
  }

  #turn(now: number): void {
    const passed = now - this.#started
    if (passed < minute) return
    this.#before = passed < 2 * minute ? this.#current : new Map()
    this.#current = new Map()
    this.#started = passed < 2 * minute ? this.#started + minute : now
  }
}
