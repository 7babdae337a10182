import type pg from 'pg'
import type { Args, Selected } from './selection.ts'
import { type Column, type Database, isDatabase, literal, type Row, type Table } from './tables.ts'

/** Asks the each statement once while the rows are the same. */
export class Oracle {
  readonly #clients: ReadonlyMap<Database, pg.Client>
  readonly #known = new Map<string, readonly Row[]>()
  readonly #isAdmin: boolean

  constructor(clients: ReadonlyMap<Database, pg.Client>, isAdmin: boolean) {
    this.#clients = clients
    this.#isAdmin = isAdmin
  }

  /** Those that have these values. Aggregates see past the permission's limit (reference/queries#limits-of-permissions). */
  async rows(
    table: Table,
    values: readonly (readonly [Column, Row[Column]])[],
    args: Args,
    isCounted = false,
  ): Promise<readonly Row[]> {
    const { name, source, permission } = table
    if (!isDatabase(source)) {
      const found = table.rows.filter((row) => args.holds(Number(row.id)) && values.every(([column, value]) => row[column] === value)) // biome-ignore format: one line
      const ordered = args.descending ? [...found].reverse() : found
      return ordered.slice(args.offset, args.limit === null ? undefined : args.offset + args.limit)
    }
    const condition = values.map(([column, value]) => `${column} = ${literal(value)}`).join(' AND ') || 'true'
    const most = this.#isAdmin || isCounted ? null : (permission?.limit ?? null)
    const limits = [args.limit, most].filter((one) => one !== null)
    const filter = this.#isAdmin ? 'true' : (permission?.sql ?? 'false')
    const sql = `SELECT * FROM ${name} WHERE (${filter}) AND (${args.where}) AND (${condition}) ORDER BY id ${args.descending ? 'DESC' : 'ASC'} LIMIT ${limits.length > 0 ? Math.min(...limits) : 'ALL'} OFFSET ${args.offset}`
    const known = this.#known.get(sql) ?? (await this.#clients.get(source)?.query(sql))?.rows ?? []
    this.#known.set(sql, known)
    return known
  }

  async object(row: Row, selected: readonly Selected[]): Promise<object> {
    const entries: [string, unknown][] = []
    for (const one of selected)
      entries.push([one.as, one.kind === 'column' ? row[one.column] : await this.#joined(row, one)])
    return Object.fromEntries(entries)
  }

  async #joined(
    row: Row,
    { kind, relationship, args, inside }: Exclude<Selected, { kind: 'column' }>,
  ): Promise<unknown> {
    const { mapping, target, form } = relationship
    const pairs = Object.entries(mapping) as [Column, Column][]
    if (pairs.some(([from]) => row[from] === null)) return null
    const found = await this.rows(
      target,
      pairs.map(([from, to]) => [to, row[from]] as const),
      args,
      kind === 'count',
    )
    if (kind === 'count') return { aggregate: { count: found.length } }
    const objects: object[] = []
    for (const one of found) objects.push(await this.object(one, inside))
    return form === 'array' ? objects : (objects[0] ?? null)
  }
}
