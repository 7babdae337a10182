/** At most so many deliveries at a time, over all sources. */
export class Workers {
  readonly #most: number
  #active = 0
  readonly #waiting: (() => void)[] = []

  constructor(most: number) {
    this.#most = most
  }

  get active(): number {
    return this.#active
  }

  /** Resolves when there is one. Whoever asked first comes first; `done` gives it back. */
  async take(): Promise<void> {
    if (this.#active < this.#most) {
      this.#active += 1
      return
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  done(): void {
    const next = this.#waiting.shift()
    // the place goes on to whoever waits
    if (next) next()
    else this.#active -= 1
  }
}
