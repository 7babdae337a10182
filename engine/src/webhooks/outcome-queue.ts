/** Outcomes that one statement stores. */
const MOST = 250
const PAUSE = 500

/**
 * Stores outcomes, as many at a time as have come up meanwhile. What cannot be stored since the database does not answer is
 * tried again: an event that was delivered is not delivered once more because the database restarts.
 */
export class OutcomeQueue<Outcome extends { readonly id: string }> {
  readonly #record: (outcomes: readonly Outcome[]) => Promise<void>
  /** Called with the events that are dealt with, and with an error when the database does not answer. */
  readonly #stored: (events: readonly string[]) => void
  readonly #failed: (error: unknown) => void
  #waiting: Outcome[] = []
  #storing: Promise<void> | null = null
  #ended = false

  constructor(
    record: (outcomes: readonly Outcome[]) => Promise<void>,
    stored: (events: readonly string[]) => void,
    failed: (error: unknown) => void,
  ) {
    this.#record = record
    this.#stored = stored
    this.#failed = failed
  }

  get size(): number {
    return this.#waiting.length
  }

  add(outcome: Outcome): void {
    this.#waiting.push(outcome)
    this.#storing ??= this.#store()
  }

  /** Resolves when everything is stored, or is dropped since `end` was called. */
  async drained(): Promise<void> {
    await this.#storing
  }

  /** Tries no more. */
  end(): void {
    this.#ended = true
  }

  async #store(): Promise<void> {
    // what comes up in this turn of the event loop is stored with it
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, MOST)
      try {
        await this.#record(batch)
        this.#waiting = this.#waiting.slice(batch.length)
        this.#stored(batch.map(({ id }) => id))
      } catch (error) {
        this.#failed(error)
        if (this.#ended) break
        await new Promise((resolve) => setTimeout(resolve, PAUSE))
      }
    }
    this.#storing = null
  }
}
