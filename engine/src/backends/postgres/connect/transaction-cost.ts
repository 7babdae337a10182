/**
 * What transactions that begin with one statement cost as measured, and whether they may follow others on a connection.
 * They may until nearly all of them delay the others there for too long: the database waits for its disk at each
 * commit, say, and has many connections commit at once. So they run on connections of their own for a while, and return
 * unless more of them were done so; where fifty run at once, how long one took alone says nothing. A mean would say the
 * same of a busy machine, where nine of ten take less than 1 ms and the others 20, which they wait for a processor; and
 * there sharing saves a tenth to a third of the CPU.
 */
export class TransactionCost {
  readonly #mayShare: boolean
  #shares: boolean
  /** The share of those that delayed the others for no longer than is tolerable. */
  #quick = 1
  #tolerable = LEAST_TOLERABLE
  /** How many transactions a millisecond run, on shared connections and on their own. */
  #rateShared = 0
  #rateAlone = 0
  #fastest = Number.POSITIVE_INFINITY
  /** How many more run on connections of their own before sharing is tried again. */
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

  /** Records a run on a connection of its own. `atOnce`: how many ran so at that time. */
  ranAlone(milliseconds: number, beyondRoundTrip: number, atOnce: number): void {
    this.#fastest = Math.min(this.#fastest, beyondRoundTrip)
    if (!this.#mayShare || this.#shares) return
    this.#rateAlone += (atOnce / milliseconds - this.#rateAlone) / 16
    this.#left -= 1
    if (this.#left > 0) return
    if (this.#rateShared < this.#rateAlone) {
      this.#wait()
      return
    }
    this.#shares = true
    this.#quick = 1
    // it was not the disk
    this.#tolerable = Math.min(2 * this.#tolerable, MOST_TOLERABLE)
  }

  /** Records a run on a shared connection. `lanes`: how many connections were shared. */
  ranShared(milliseconds: number, lanes: number): void {
    this.#quick += (Number(milliseconds <= this.#tolerable) - this.#quick) / 32
    this.#rateShared += (lanes / Math.max(milliseconds, LEAST) - this.#rateShared) / 16
    if (this.#quick < LEAST_QUICK) this.#leave()
  }

  /** Records that a run on a shared connection had to wait for a lock. */
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

/** Milliseconds that a transaction may delay others on a shared connection. */
const LEAST_TOLERABLE = 1
const MOST_TOLERABLE = 16
const LEAST_QUICK = 1 / 8
/** Milliseconds that a run counts for at least: answers that are read together came at once. */
const LEAST = 0.05
const FIRST_PENALTY = 100
const MOST_PENALTY = 10_000
