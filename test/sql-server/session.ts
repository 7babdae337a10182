/**
 * A session on the double's server: its variables, temporary tables and transaction.
 *
 * A transaction that writes works on a value of its own and holds the server's one lock for writing until it ends; others
 * read what was committed last, as READ_COMMITTED_SNAPSHOT has it.
 */
import { castCell } from './cast.ts'
import {
  type Counters,
  type Database,
  foldTemporary,
  type Module,
  nameKey,
  putObject,
  splitPath,
  type Table,
  tablesOf,
} from './database.ts'
import type { Compiled } from './scope.ts'
import { ServerError } from './server-error.ts'
import type { From, Path } from './syntax.ts'
import { bigint, type Cell, int, nvarchar, type Scalar, type SqlType } from './types.ts'

export type ServerState = {
  committed: Database
  readonly counters: Counters
  readonly lock: WriteLock
  transactions: number
}

/** One holder at a time, in the order of the requests. */
export class WriteLock {
  #holder: object | null = null
  #waiting: (() => void)[] = []

  async take(holder: object, signal: AbortSignal): Promise<void> {
    while (this.#holder !== null && this.#holder !== holder) {
      signal.throwIfAborted()
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
    this.#holder = holder
  }
  release(holder: object): void {
    if (this.#holder !== holder) return
    this.#holder = null
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

type Variable = { readonly type: SqlType; readonly cell: Cell }
type Snapshot = { readonly own: Database | null; readonly temporary: ReadonlyMap<string, Table> }

export class Session {
  readonly user: string
  readonly #server: ServerState
  #own: Database | null = null
  #temporary: ReadonlyMap<string, Table> = new Map()
  /** What a rollback returns to. */
  #temporaryBefore: ReadonlyMap<string, Table> = new Map()
  #depth = 0
  #variables: Map<string, Variable> = new Map()
  transaction = 0
  ending: 'commit' | 'rollback' = 'commit'
  isolation = 'READ COMMITTED'
  isCounting = true
  isAborting = false
  isPlanning = false
  identityInsert: number | null = null
  lastIdentity: bigint | null = null
  /** Without what triggers inserted. */
  scopeIdentity: bigint | null = null
  rowCount = 0
  lastError = 0
  caught: ServerError | null = null
  /** INSERTED and DELETED, while a trigger runs. */
  triggered: ReadonlyMap<string, Table> = new Map()
  /** The table in FROM whose rows the statement changes. */
  changed: From | null = null

  constructor(server: ServerState, user: string) {
    this.#server = server
    this.user = user
  }

  get counters(): Counters {
    return this.#server.counters
  }
  get database(): Database {
    return this.#own ?? this.#server.committed
  }
  set database(database: Database) {
    this.#own = database
  }

  /** Before a statement that writes to the database: waits for the lock. */
  async prepareWrite(signal: AbortSignal): Promise<void> {
    if (this.#own) return
    await this.#server.lock.take(this, signal)
    this.#own = this.#server.committed
  }
  /** After each statement: what it wrote is published, unless a transaction is open. */
  settle(): void {
    if (this.transaction !== 0 || !this.#own) return
    this.#server.committed = this.#own
    this.#own = null
    this.#server.lock.release(this)
  }

  snapshot(): Snapshot {
    return { own: this.#own, temporary: this.#temporary }
  }
  restore({ own, temporary }: Snapshot): void {
    this.#own = own ?? (this.#own ? this.#server.committed : null)
    this.#temporary = temporary
  }

  get depth(): number {
    return this.#depth
  }
  begin(): void {
    this.#depth++
    if (this.#depth > 1) return
    this.transaction = ++this.#server.transactions
    this.#temporaryBefore = this.#temporary
  }
  commit(): void {
    if (this.#depth === 0)
      throw new ServerError(3902, 'The COMMIT TRANSACTION request has no corresponding BEGIN TRANSACTION.')
    this.#depth--
    if (this.#depth > 0) return
    this.transaction = 0
    this.ending = 'commit'
    this.settle()
  }
  rollback(): void {
    if (this.#depth === 0)
      throw new ServerError(3903, 'The ROLLBACK TRANSACTION request has no corresponding BEGIN TRANSACTION.')
    this.#depth = 0
    this.transaction = 0
    this.ending = 'rollback'
    this.#own = null
    this.#temporary = this.#temporaryBefore
    this.#server.lock.release(this)
  }
  reset(): void {
    if (this.#depth > 0) this.rollback()
    this.#temporary = new Map()
    this.isCounting = true
    this.isAborting = false
    this.isPlanning = false
    this.identityInsert = null
  }
  close(): void {
    this.reset()
    this.#server.lock.release(this)
  }

  isTemporary({ name }: Pick<Table, 'name'>): boolean {
    return name.startsWith('#') || name.startsWith('@')
  }
  hasTrigger({ id }: Table): boolean {
    return [...this.database.objects.values()].some((object) => object.kind === 'trigger' && object.table === id)
  }
  triggersOf({ id }: Table, event: string): readonly Module[] {
    return [...this.database.objects.values()].filter(
      (object): object is Module => object.kind === 'trigger' && object.table === id && object.events.includes(event),
    )
  }
  findTable(path: Path): Table | null {
    const { schema, name } = splitPath(path)
    const triggered = path.length === 1 ? this.triggered.get(name.toUpperCase()) : undefined
    if (triggered) return triggered
    if (this.isTemporary({ name })) return this.#temporary.get(foldTemporary(name)) ?? null
    const object = this.database.objects.get(nameKey(schema, name))
    return object?.kind === 'table' ? object : null
  }
  tableAt(path: Path, number = 208, message = `Invalid object name '${path.join('.')}'.`): Table {
    const table = this.findTable(path)
    if (table) return table
    const { schema, name } = splitPath(path)
    if (number === 208 && this.database.objects.get(nameKey(schema, name))?.kind === 'view')
      throw new ServerError(50001, 'the double changes no rows through views')
    throw new ServerError(number, message)
  }
  tableById(id: number): Table | null {
    return (
      [...this.triggered.values(), ...this.#temporary.values(), ...tablesOf(this.database)].find(
        (table) => table.id === id,
      ) ?? null
    )
  }
  putTable(table: Table): void {
    if (this.isTemporary(table)) this.#temporary = new Map(this.#temporary).set(foldTemporary(table.name), table)
    else this.database = putObject(this.database, table)
  }
  dropTemporary(table: Table): boolean {
    if (!this.isTemporary(table)) return false
    const temporary = new Map(this.#temporary)
    temporary.delete(foldTemporary(table.name))
    this.#temporary = temporary
    return true
  }
  get temporaryNames(): readonly string[] {
    return [...this.#temporary.keys()]
  }

  /** Runs with variables of its own, as a batch, a call or a procedure does; #tables made in a call are dropped. */
  async inScope<T>(
    variables: readonly (readonly [string, Variable])[],
    isCall: boolean,
    run: () => Promise<T>,
  ): Promise<T> {
    const [outer, before] = [this.#variables, new Set(this.#temporary.keys())]
    this.#variables = new Map(variables.map(([name, variable]) => [name.toUpperCase(), variable]))
    try {
      return await run()
    } finally {
      this.#variables = outer
      for (const [name, table] of this.#temporary)
        if (!before.has(name) && (isCall || name.startsWith('@'))) this.dropTemporary(table)
    }
  }
  declare(name: string, type: SqlType, cell: Cell): void {
    if (this.#variables.has(name.toUpperCase()))
      throw new ServerError(
        134,
        `The variable name '${name}' has already been declared. Variable names must be unique within a query batch or stored procedure.`,
        15,
      )
    this.#variables.set(name.toUpperCase(), { type, cell })
  }
  assign(name: string, cell: Cell, from: SqlType): void {
    const variable = this.#variables.get(name.toUpperCase())
    if (!variable) throw undeclared(name)
    this.#variables.set(name.toUpperCase(), { ...variable, cell: castCell(cell, from, variable.type) })
  }
  variable(name: string): Compiled {
    const key = name.toUpperCase()
    const fixed = this.#global(key)
    if (fixed) return fixed
    const variable = this.#variables.get(key)
    if (!variable) throw undeclared(name)
    return { type: variable.type, run: () => this.#variables.get(key)?.cell ?? null }
  }
  #global(key: string): Compiled | null {
    const value = (type: SqlType, run: () => Scalar | null): Compiled => ({ type, run })
    switch (key) {
      case '@@ROWCOUNT':
        return value(int, () => BigInt(this.rowCount))
      case '@@TRANCOUNT':
        return value(int, () => BigInt(this.#depth))
      case '@@ERROR':
        return value(int, () => BigInt(this.lastError))
      case '@@IDENTITY':
        return value({ name: 'numeric', precision: 38, scale: 0 }, () => this.lastIdentity)
      case '@@SPID':
        return value({ name: 'smallint' }, () => 51n)
      case '@@VERSION':
        return value(nvarchar(300), () => 'Microsoft SQL Server 2019 (RTM) - 15.0.2000.5 (X64)')
      case '@@MAX_PRECISION':
        return value(bigint, () => 38n)
      default:
        return null
    }
  }
}

const undeclared = (name: string) => new ServerError(137, `Must declare the scalar variable "${name}".`, 15, 2)
