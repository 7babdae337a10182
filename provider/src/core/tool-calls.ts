/** After so many questions it is known how many a tool has open at once. */
const enough = 8

const milliseconds = { least: 500, most: 2000 }

/**
 * How a tool's calls come, which is all that a provider can know of it: how many it has open at once at most, and what
 * pauses it makes between them. A slowed machine shows in the pauses.
 */
export class ToolCalls {
  #seen = 0
  #last = performance.now()
  #longestPause = 0
  #asked = 0
  #open = 0
  #mostOpen = 0
  readonly #readParallelism: () => number | null
  #knownParallelism: number | null | undefined

  /** `parallelism`: how many calls the tool has open at once at least, where that can be known; read when something waits. */
  constructor(parallelism: () => number | null = () => null) {
    this.#readParallelism = parallelism
  }

  /** Calls so far. */
  get seen(): number {
    return this.#seen
  }

  /** Any call, also one without a request to the engine, is a sign of life. */
  see(): void {
    const now = performance.now()
    if (this.#open === 0) this.#longestPause = Math.max(this.#longestPause, now - this.#last)
    this.#last = now
    this.#seen++
  }

  /** A call that sends a request to the engine, from the request to its response. */
  async during<T>(call: () => Promise<T>): Promise<T> {
    this.#asked++
    this.#open++
    this.#mostOpen = Math.max(this.#mostOpen, this.#open)
    try {
      return await call()
    } finally {
      this.#open--
      this.#last = performance.now()
    }
  }

  /** How many calls with a request to the engine the tool has open at once, as far as it is known. */
  get mostOpen(): number {
    return Math.max(this.#parallelism ?? 0, this.#mostOpen)
  }

  /** Whether the tool had the occasion to open more. */
  get isKnown(): boolean {
    return (this.#parallelism ?? 1) > 1 || this.#asked >= enough
  }

  get #parallelism(): number | null {
    this.#knownParallelism ??= this.#readParallelism()
    return this.#knownParallelism
  }

  /** How long, in milliseconds, nothing has to come before nothing more is expected. */
  get longestQuiet(): number {
    return Math.min(Math.max(4 * this.#longestPause, milliseconds.least), milliseconds.most)
  }
}
