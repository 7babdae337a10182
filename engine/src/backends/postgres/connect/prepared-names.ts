import { RecentMap } from '../../../recent-map.ts'

/**
 * Which statements a connection has prepared. A nested plan costs the server about 0.1 MB per connection, so the least
 * recently used ones are closed.
 */
export class PreparedNames {
  readonly #limit: number
  readonly #held = new RecentMap<string, string>()
  /** Names of which a use failed, so that it is not known whether the server has them. */
  readonly #doubtful = new Set<string>()
  /** Names that were doubtful once: what was sent behind them may still be refused after they were parsed again. */
  readonly #suspected = new Set<string>()
  #lostElsewhere = false

  constructor(limit = 200) {
    this.#limit = limit
  }

  /** Returns what has to be sent before a statement can be bound. */
  use(name: string): Preparation {
    if (this.#held.get(name) !== undefined) return PREPARED
    const closes = this.#doubtful.delete(name) ? [name] : []
    this.#held.set(name, name)
    const { oldest } = this.#held
    if (this.#held.size > this.#limit && oldest !== undefined) {
      this.#held.delete(oldest)
      closes.push(oldest)
    }
    return { parse: true, closes }
  }

  /**
   * Records that a use of a statement failed. It is closed before it is parsed again, since closing what is not there
   * is no error. `lost`: the server did not have it, or had another by its name.
   */
  failed(name: string, parsed: boolean, lost: boolean): void {
    // behind a failed parse on the same connection that is no wonder
    if (lost && !this.#suspected.has(name)) this.#lostElsewhere = true
    if (!parsed && !lost) return
    this.#held.delete(name)
    this.#doubtful.add(name)
    if (this.#suspected.size >= MOST_SUSPECTED) this.#suspected.clear()
    this.#suspected.add(name)
  }

  /** Records that the server has deallocated all but these. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of [...this.#held.keys()]) if (!names.has(name)) this.#held.delete(name)
    for (const name of this.#doubtful) if (!names.has(name)) this.#doubtful.delete(name)
  }

  /** Whether statements were lost which no request of ours can have lost: there is a pooler in between. */
  get lostElsewhere(): boolean {
    return this.#lostElsewhere
  }
}

const MOST_SUSPECTED = 1000

interface Preparation {
  readonly parse: boolean
  readonly closes: readonly string[]
}

const PREPARED: Preparation = { parse: false, closes: [] }
