/**
 * What transactions that begin with one statement cost as measured, and whether they may follow others on a connection. They
 * may until they keep the others there for too long on average: the database waits for its disk at each commit, say, and has
 * many connections commit at once, or it is only busy. So they run alone for a while, and come back unless more of them were
 * done so; where fifty run at once, how long one took alone says nothing.
 */
export class TransactionCost {
  readonly #mayShare: boolean
  #shares: boolean
  /** Milliseconds for which it kept the others. */
  #average = 0
  #tolerable = LEAST_TOLERABLE
  /** Transactions a millisecond, either way. */
  #rateBeside = 0
  #rateAlone = 0
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

  /** `atOnce`: so many ran, each on a connection of its own. */
  ranAlone(milliseconds: number, beyondRoundTrip: number, atOnce: number): void {
    this.#fastest = Math.min(this.#fastest, beyondRoundTrip)
    if (!this.#mayShare || this.#shares) return
    this.#rateAlone += (atOnce / milliseconds - this.#rateAlone) / 16
    this.#left -= 1
    if (this.#left > 0) return
    if (this.#rateBeside < this.#rateAlone) {
      this.#wait()
      return
    }
    this.#shares = true
    this.#average = 0
    // it was not the disk
    this.#tolerable = Math.min(2 * this.#tolerable, MOST_TOLERABLE)
  }

  /** `lanes`: so many connections were shared. */
  ranBeside(milliseconds: number, lanes: number): void {
    // one late answer may be this process's own pause, so it only counts for so much
    this.#average += (Math.min(milliseconds, 4 * this.#tolerable) - this.#average) / 8
    this.#rateBeside += (lanes / Math.max(milliseconds, LEAST) - this.#rateBeside) / 16
    if (this.#average > this.#tolerable) this.#leave()
  }

  /** It had to wait for a lock. */
  keptWaiting(): void {
    this.#leave()
  }

  #leave(): void {
    // sent before it was found slow
    if (!this.#shares) return
    this.#shares = false
    this.#rateAlone = 0
    this.#wait()
  }

  #wait(): void {
    this.#left = this.#penalty
    this.#penalty = Math.min(2 * this.#penalty, MOST_PENALTY)
  }
}

/** Milliseconds. */
const LEAST_TOLERABLE = 1
const MOST_TOLERABLE = 16
/** Answers that are read together came at once. */
const LEAST = 0.05
const FIRST_PENALTY = 100
const MOST_PENALTY = 10_000
