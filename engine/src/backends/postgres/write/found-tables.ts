import type { QualifiedName } from '../../../ir/index.ts'
import type { DatabaseTable, RestsOn, Statement } from '../../backend.ts'

/** How the tables of a statement were last found. `new`: they were not read yet. */
type State =
  | { readonly kind: 'new' | 'doubtful' | 'refuted' }
  /** They are as it needs them; `at`: since when, as the server's clock says. */
  | { readonly kind: 'found'; readonly at: string }

interface Known {
  state: State
  isReading: boolean
  /** Failures one after another. */
  failures: number
  /** When it may be read again, by `performance.now()`. */
  next: number
}

export interface Catalogue {
  /** The server's clock. */
  now(): Promise<string>
  /** Those that are there. */
  read(tables: readonly QualifiedName[]): Promise<readonly DatabaseTable[]>
}

/**
 * Which statements of a source may be sent without the session, since their tables were found to be as they need them. A statement
 * that was analysed later than that fails (guard.ts): on a connection that is new, after a change of any client, after
 * the table was analysed. Then its tables are read again.
 */
export class FoundTables {
  readonly #catalogue: Catalogue
  readonly #known = new WeakMap<Statement, Known>()

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
  }

  /** Of statements that are sent together. Reads in the background what is not known. */
  state(plans: readonly Statement[]): State {
    let earliest: State & { readonly kind: 'found' } = { kind: 'found', at: '' }
    for (const plan of plans) {
      const known = this.#of(plan)
      if (known.state.kind !== 'found') {
        void this.#read(plan, known)
        return known.state
      }
      // of one transaction: all of them were found before the least recent
      if (earliest.at === '' || known.state.at < earliest.at) earliest = known.state
    }
    return earliest
  }

  /**
   * A statement failed: something of its tables may have changed since `at`. Statements in flight then fail for the
   * same reason.
   */
  failed(plans: readonly Statement[], at: string): void {
    for (const plan of plans) {
      const known = this.#of(plan)
      if (known.state.kind !== 'found' || known.state.at > at) continue
      known.failures += 1
      known.state = { kind: 'doubtful' }
      // each connection fails once; a statement that is prepared again and again fails each time
      const pause = known.failures > FREE ? Math.min(FIRST_PAUSE * 2 ** (known.failures - FREE), LONGEST_PAUSE) : 0
      known.next = performance.now() + pause
      void this.#read(plan, known)
    }
  }

  succeeded(plans: readonly Statement[]): void {
    for (const plan of plans) this.#of(plan).failures = 0
  }

  #of(plan: Statement): Known {
    const known = this.#known.get(plan)
    if (known) return known
    const fresh: Known = { state: { kind: 'new' }, isReading: false, failures: 0, next: 0 }
    this.#known.set(plan, fresh)
    return fresh
  }

  /** Never rejects: what could not be read remains unknown. */
  async #read({ restsOn }: Statement, known: Known): Promise<void> {
    if (!restsOn || known.isReading || performance.now() < known.next) return
    known.isReading = true
    const before = known.state
    try {
      const at = await this.#catalogue.now()
      const isAsNeeded = await this.#isAsNeeded(restsOn.tables)
      // a failure meanwhile is of a later change
      if (known.state === before) known.state = isAsNeeded ? { kind: 'found', at } : { kind: 'refuted' }
      if (!isAsNeeded) known.next = performance.now() + LONGEST_PAUSE
    } catch {
      known.next = performance.now() + FIRST_PAUSE
    } finally {
      known.isReading = false
    }
  }

  async #isAsNeeded(needed: RestsOn['tables']): Promise<boolean> {
    const names = new Map(needed.map(({ table }) => [keyOf(table), table]))
    const tables = await this.#catalogue.read([...names.values()])
    const found = new Map(tables.map((table) => [keyOf(table.table), table]))
    return needed.every(({ table, rows }) => {
      const one = found.get(keyOf(table))
      return one !== undefined && isAlone(one, rows)
    })
  }
}

function isAlone(table: DatabaseTable, rows: RestsOn['tables'][number]['rows']): boolean {
  switch (rows) {
    case 'inserted':
      return table.insertsAlone === true
    case 'changed':
      return table.writesAlone === true
    case 'read':
      return table.readsAlone === true
  }
}

const keyOf = ({ schema, name }: QualifiedName): string => JSON.stringify([schema, name])

const FREE = 32
/** Milliseconds. */
const FIRST_PAUSE = 10
const LONGEST_PAUSE = 10_000
