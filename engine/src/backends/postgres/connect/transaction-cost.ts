/**
 * What transactions that begin with one statement cost as measured, and whether they may follow others on a connection. They
 * may until they keep the others there for too long on average; then they run alone for a while, longer each time. How long
 * one took alone says little: where fifty run at once it was mostly waiting.
 */
export class TransactionCost {
  readonly #mayShare: boolean
  #shares: boolean
  /** Milliseconds for which it kept the others. */
  #average = 0
  #fastest = Number.POSITIVE_INFINITY
  /** Runs alone until it is tried again. */
  #left = 0
  #penalty = FIRST_PENALTY

  constructor(mayShare: boolean) {
    this.#mayShare = mayShare
    this.#shares = mayShare
  }

  get shares(): boolean {
    return this.#shares
  }

  /** The least milliseconds that it ever ran for, alone on its connection and beyond a round trip. */
  get fastest(): number {
    return this.#fastest
  }

  ranAlone(milliseconds: number): void {
    this.#fastest = Math.min(this.#fastest, milliseconds)
    if (!this.#mayShare || this.#shares) return
    this.#left -= 1
    if (this.#left > 0) return
    this.#shares = true
    this.#average = 0
  }

  ranBeside(milliseconds: number): void {
    // one late answer may be this process's own pause, so it only counts for so much
    this.#average += (Math.min(milliseconds, 4 * TOLERABLE) - this.#average) / 8
    if (this.#average > TOLERABLE) this.#leave()
  }

  /** It had to wait for a lock. */
  keptWaiting(): void {
    this.#leave()
  }

  #leave(): void {
    // sent before it was found slow
    if (!this.#shares) return
    this.#shares = false
    this.#left = this.#penalty
    this.#penalty = Math.min(2 * this.#penalty, MOST_PENALTY)
  }
}

/**
 * Milliseconds. A database that waits for its disk at each commit takes longer than that, and has many connections commit
 * at once.
 */
const TOLERABLE = 1
const FIRST_PENALTY = 100
const MOST_PENALTY = 10_000
