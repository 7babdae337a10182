import { errorReport, type Observation } from '../observe/index.ts'
import type { ReadySource, SourceState, UnavailableSource } from './source-state.ts'

interface RetriesOptions {
  readonly report: (observation: Observation) => void
  readonly recovered: (state: ReadySource) => void
  /** The source as it is now. Never rejects. */
  refresh(state: UnavailableSource): Promise<SourceState>
}

/** When a source is tried again that could not be reached, and with what configuration. */
interface Retry {
  readonly configuration: UnavailableSource['configuration']
  readonly timer: NodeJS.Timeout
}

/** Sources that could not be reached are tried again, with growing pauses, until they are or are served no more. */
export class Retries {
  readonly #options: RetriesOptions
  readonly #retries = new Map<string, Retry>()

  constructor(options: RetriesOptions) {
    this.#options = options
  }

  /** The states that are served from now on. */
  follow(states: ReadonlyMap<string, SourceState>): void {
    for (const [name, { configuration, timer }] of this.#retries) {
      const state = states.get(name)
      if (state?.status === 'unavailable' && state.configuration === configuration) continue
      clearTimeout(timer)
      this.#retries.delete(name)
    }
    for (const state of states.values())
      if (state.status === 'unavailable' && state.backend && !this.#retries.has(state.name)) this.#retryLater(state, 1)
  }

  close(): void {
    for (const { timer } of this.#retries.values()) clearTimeout(timer)
    this.#retries.clear()
  }

  #retryLater(state: UnavailableSource, attempt: number): void {
    const pause = pauseBefore(attempt)
    const { report } = this.#options
    const error = errorReport(new Error(typeof state.message === 'string' ? state.message : state.reason))
    report({ kind: 'source-unavailable', source: state.name, attempt, retryInMilliseconds: pause, error })
    const timer = setTimeout(() => void this.#retry(state, attempt), pause)
    timer.unref()
    this.#retries.set(state.name, { configuration: state.configuration, timer })
  }

  async #retry(served: UnavailableSource, attempt: number): Promise<void> {
    const state = await this.#options.refresh(served)
    // the metadata may have changed meanwhile, and the source with it: that is tried by itself
    if (this.#retries.get(served.name)?.configuration !== served.configuration) return
    if (state.status === 'unavailable') {
      this.#retryLater(state, attempt + 1)
      return
    }
    this.#retries.delete(served.name)
    this.#options.recovered(state)
  }
}

/** 1 s, doubling up to 60 s; the random half keeps several instances from knocking together. */
const pauseBefore = (attempt: number): number =>
  Math.round(Math.min(60_000, 1000 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2))
