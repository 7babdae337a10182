import { RecentMap } from '../../../recent-map.ts'

/**
 * Which statements a connection has prepared. A nested plan costs the server about 0.1 MB per connection, so the least
 * recently used ones are closed.
 */
export class PreparedNames {
  readonly #limit: number
  readonly #held = new RecentMap<string, string>()
  /** A use failed: whether the server has them is not known. */
  readonly #doubtful = new Set<string>()
  /** It was so once: what was sent behind it may still be refused after it was parsed again. */
  readonly #suspected = new Set<string>()
  #lostElsewhere = false

  constructor(limit = 200) {
    this.#limit = limit
  }

  /** What has to be sent before a statement can be bound. */
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
   * A use of it failed. Closing what is not there is no error, so a doubtful one is closed before it is parsed again.
   * `lost`: the server did not have it, or had another by its name.
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

  /** The server has deallocated all but these. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of [...this.#held.keys()]) if (!names.has(name)) this.#held.delete(name)
    for (const name of this.#doubtful) if (!names.has(name)) this.#doubtful.delete(name)
  }

  /** Statements got lost though nothing here can have lost them: there is a pooler in between. */
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
