interface Named {
  readonly name: string
}

interface RetriesOptions<State extends Named, Unavailable extends State> {
  /** Whether trying again can help. */
  readonly isUnavailable: (state: State) => state is Unavailable
  /** What is tried again: another one begins anew. */
  readonly subjectOf: (state: Unavailable) => object
  /** The state as it is now. Never rejects. */
  readonly refresh: (state: Unavailable) => Promise<State>
  readonly report: (state: Unavailable, attempt: number, retryInMilliseconds: number) => void
  readonly recovered: (state: Exclude<State, Unavailable>) => void
}

/** What is unavailable is tried again, with growing pauses, until it is available or served no more. */
export class Retries<State extends Named, Unavailable extends State> {
  readonly #options: RetriesOptions<State, Unavailable>
  readonly #retries = new Map<string, { readonly subject: object; readonly timer: NodeJS.Timeout }>()

  constructor(options: RetriesOptions<State, Unavailable>) {
    this.#options = options
  }

  /** The states that are served from now on. */
  follow(states: ReadonlyMap<string, State>): void {
    const { isUnavailable, subjectOf } = this.#options
    for (const [name, { subject, timer }] of this.#retries) {
      const state = states.get(name)
      if (state && isUnavailable(state) && subjectOf(state) === subject) continue
      clearTimeout(timer)
      this.#retries.delete(name)
    }
    for (const state of states.values())
      if (isUnavailable(state) && !this.#retries.has(state.name)) this.#retryLater(state, 1)
  }

  close(): void {
    for (const { timer } of this.#retries.values()) clearTimeout(timer)
    this.#retries.clear()
  }

  #retryLater(state: Unavailable, attempt: number): void {
    const pause = pauseBefore(attempt)
    this.#options.report(state, attempt, pause)
    const timer = setTimeout(() => void this.#retry(state, attempt), pause).unref()
    this.#retries.set(state.name, { subject: this.#options.subjectOf(state), timer })
  }

  async #retry(served: Unavailable, attempt: number): Promise<void> {
    const { isUnavailable, subjectOf, refresh, recovered } = this.#options
    const state = await refresh(served)
    // the metadata may have changed meanwhile, and its subject with it
    if (this.#retries.get(served.name)?.subject !== subjectOf(served)) return
    if (isUnavailable(state)) {
      this.#retryLater(state, attempt + 1)
      return
    }
    this.#retries.delete(served.name)
    recovered(state as Exclude<State, Unavailable>)
  }
}

/** Milliseconds: a second, then twice as long each time up to a minute; spread, so that several do not try in step. */
const pauseBefore = (attempt: number): number =>
  Math.round(Math.min(60_000, 1000 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2))
