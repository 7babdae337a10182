/**
 * Random relationships between the tables of two databases under random permissions: what the engine answers, compared
 * with plain SQL that asks both databases row by row. Nothing of the engine is used to say what is right.
 */
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import type { Engine } from '../engine.ts'

type Random = (below: number) => number

function randomOf(seed: number): Random {
  let state = seed >>> 0 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % below
  }
}

const sources = ['default', 'other'] as const
type Source = (typeof sources)[number]
const columns = ['id', 'a', 'b', 't'] as const
type Column = (typeof columns)[number]

interface Table {
  readonly name: string
  readonly source: Source
  readonly relationships: Relationship[]
  /** What the role may see; null: nothing. */
  permission: Permission | null
}

interface Relationship {
  readonly name: string
  readonly target: Table
  readonly form: 'object' | 'array'
  readonly mapping: Readonly<Partial<Record<Column, Column>>>
}

interface Permission {
  readonly columns: readonly Column[]
  /** As metadata and as SQL, whose $1 is the session variable. */
  readonly filter: object
  readonly sql: string
  readonly aggregates: boolean
  readonly limit: number | null
}

const session = 'p'

function randomPermission(random: Random): Permission | null {
  if (random(6) === 0) return null
  const filters: readonly (readonly [object, string])[] = [
    [{}, 'true'],
    [{ a: { _gt: 1 } }, 'a > 1'],
    [{ t: { _eq: 'X-Svc-T' } }, `t = '${session}'`],
    [
      { _or: [{ b: { _is_null: true } }, { t: { _neq: 'X-Svc-T' } }] },
      `(b IS NULL OR t IS DISTINCT FROM '${session}')`,
    ],
    [{ _not: { b: { _in: [0, 2] } } }, 'NOT (b IN (0, 2))'],
  ]
  const [filter, sql] = filters[random(filters.length)] ?? [{}, 'true']
  const shown = columns.filter((column) => column === 'id' || random(3) > 0)
  return { columns: shown, filter, sql, aggregates: random(2) === 0, limit: random(4) === 0 ? 3 : null }
}

function randomTables(random: Random): readonly Table[] {
  const tables = sources.flatMap((source) =>
    [0, 1].map(
      (i): Table => ({ name: `${source[0]}${i}`, source, relationships: [], permission: randomPermission(random) }),
    ),
  )
  for (const table of tables) {
    const others = tables.filter(({ source }) => source !== table.source)
    for (let i = 0; i < 1 + random(3); i++) {
      const target = others[random(others.length)]
      if (!target) continue
      const form = random(2) === 0 ? 'object' : 'array'
      const from = (['a', 'b', 'id'] as const)[random(3)] ?? 'a'
      // one row at most: an object would be any of several
      const to = form === 'object' ? 'id' : ((['a', 'b', 'id'] as const)[random(3)] ?? 'a')
      const more = form === 'array' && random(3) === 0 ? { t: 't' as const } : {}
      table.relationships.push({ name: `r${i}`, target, form, mapping: { [from]: to, ...more } })
    }
  }
  return tables
}

const literal = (value: number | string | null): string => (value === null ? 'NULL' : typeof value === 'number' ? `${value}` : `'${value}'`) // biome-ignore format: one line

function rowsSql(random: Random, name: string): string {
  const values = Array.from({ length: 2 + random(7) }, (_, id) => {
    const number = () => (random(5) === 0 ? null : random(5))
    const text = random(6) === 0 ? null : (['p', 'q', 'ä"', '😀', ''][random(5)] ?? 'p')
    return `(${[id, number(), number(), text].map(literal).join()})`
  })
  return `DROP TABLE IF EXISTS ${name}; CREATE TABLE ${name} (id int PRIMARY KEY, a int, b int, t text); INSERT INTO ${name} VALUES ${values.join()};`
}

/** A selection set, printed for the engine and walked by the oracle. */
type Selected =
  | { readonly kind: 'column'; readonly as: string; readonly column: Column }
  | {
      readonly kind: 'rows' | 'count'
      readonly as: string
      readonly relationship: Relationship
      readonly args: Args
      readonly inside: readonly Selected[]
    }

interface Args {
  readonly graphql: readonly string[]
  readonly where: string
  readonly limit: number | null
  readonly offset: number
  readonly descending: boolean
}

function randomArgs(random: Random): Args {
  const conditions: readonly (readonly [string, string])[] = [
    ['', 'true'],
    ['', 'true'],
    ['where: {id: {_gt: 1}}', 'id > 1'],
    ['where: {id: {_in: [0, 2, 4, 6]}}', 'id IN (0, 2, 4, 6)'],
  ]
  const [graphql, where] = conditions[random(conditions.length)] ?? ['', 'true']
  const descending = random(2) === 0
  const limit = random(3) === 0 ? 1 + random(3) : null
  const offset = random(4) === 0 ? 1 : 0
  const order = `order_by: {id: ${descending ? 'desc' : 'asc'}}`
  const parts = [graphql, order, limit === null ? '' : `limit: ${limit}`, offset === 0 ? '' : `offset: ${offset}`]
  return { graphql: parts.filter((part) => part !== ''), where, limit, offset, descending }
}

const plainArgs: Args = { graphql: [], where: 'true', limit: null, offset: 0, descending: false }

function randomSelection(random: Random, table: Table, isAdmin: boolean, depth: number): readonly Selected[] {
  const shown = isAdmin ? columns : (table.permission?.columns ?? [])
  const selected: Selected[] = shown
    .filter(() => random(2) === 0)
    .map((column, i) => ({ kind: 'column', as: random(4) === 0 ? `c${i}` : column, column }))
  for (const relationship of table.relationships) {
    const { target, name, form } = relationship
    if ((!isAdmin && !target.permission) || depth === 0 || random(3) === 0) continue
    for (let copy = 0; copy <= random(2); copy++) {
      const args = form === 'array' ? randomArgs(random) : plainArgs
      const canCount = form === 'array' && (isAdmin || target.permission?.aggregates)
      if (canCount && random(3) === 0) selected.push({ kind: 'count', as: `${name}n${copy}`, relationship, args: { ...plainArgs, where: args.where, graphql: args.graphql.filter((one) => one.startsWith('where')) }, inside: [] }) // biome-ignore format: one line
      else selected.push({ kind: 'rows', as: `${name}x${copy}`, relationship, args, inside: randomSelection(random, target, isAdmin, depth - 1) }) // biome-ignore format: one line
    }
  }
  for (let i = selected.length - 1; i > 0; i--) {
    const j = random(i + 1)
    const [one, other] = [selected[i], selected[j]]
    if (one && other) [selected[i], selected[j]] = [other, one]
  }
  return selected.length > 0 ? selected : [{ kind: 'column', as: 'id', column: 'id' }]
}

function print(selected: readonly Selected[]): string {
  const fields = selected.map((one) => {
    if (one.kind === 'column') return one.as === one.column ? one.column : `${one.as}: ${one.column}`
    const args = one.args.graphql.length > 0 ? `(${one.args.graphql.join(', ')})` : ''
    return one.kind === 'count'
      ? `${one.as}: ${one.relationship.name}_aggregate${args} { aggregate { count } }`
      : `${one.as}: ${one.relationship.name}${args} ${print(one.inside)}`
  })
  return `{ ${fields.join(' ')} }`
}

type Row = Readonly<Record<Column, number | string | null>>

/** Asks the databases, each statement once while the rows are the same. */
class Oracle {
  readonly #clients: ReadonlyMap<Source, pg.Client>
  readonly #known = new Map<string, readonly Row[]>()
  readonly #isAdmin: boolean

  constructor(clients: ReadonlyMap<Source, pg.Client>, isAdmin: boolean) {
    this.#clients = clients
    this.#isAdmin = isAdmin
  }

  async rows({ name, source, permission }: Table, condition: string, args: Args): Promise<readonly Row[]> {
    const most = this.#isAdmin ? null : (permission?.limit ?? null)
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
      pairs.map(([from, to]) => `${to} = ${literal(row[from])}`).join(' AND '),
      args,
    )
    if (kind === 'count') return { aggregate: { count: found.length } }
    const objects: object[] = []
    for (const one of found) objects.push(await this.object(one, inside))
    return form === 'array' ? objects : (objects[0] ?? null)
  }
}

export interface JoinsCompared {
  readonly compared: number
  /** Values that came from the other database. */
  readonly joined: number
  readonly found: { readonly seed: number; readonly query: string; readonly role: string; readonly engine: unknown; readonly oracle: unknown } | null // biome-ignore format: one line
}

const perWorld = 50

/** `otherUrl`: a database that the engine reaches as its source `other`. */
export async function runJoins(
  engine: Engine,
  otherUrl: string,
  seed: number,
  queries: number,
): Promise<JoinsCompared> {
  const clients = new Map<Source, pg.Client>()
  for (const [source, url] of [
    ['default', engine.databaseUrl],
    ['other', otherUrl],
  ] as const) {
    // biome-ignore format: one line
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    clients.set(source, client)
  }
  let [compared, joined] = [0, 0]
  try {
    for (let world = 0; compared < queries; world++) {
      const random = randomOf(seed * 7919 + world * 104_729 + 1)
      const tables = randomTables(random)
      for (const { name, source } of tables) await clients.get(source)?.query(rowsSql(random, name))
      await replace(engine, otherUrl, tables)
      for (let i = 0; i < perWorld && compared < queries; i++) {
        const isAdmin = random(3) === 0
        const roots = tables.filter(({ permission }) => isAdmin || permission)
        const root = roots[random(roots.length)]
        if (!root) break
        const selected = randomSelection(random, root, isAdmin, 3)
        const args = randomArgs(random)
        const query = `{ ${root.name}(${args.graphql.join(', ')}) ${print(selected)} }`
        const role = isAdmin ? 'admin' : 'user'
        const { body } = await engine.post('/v1/graphql', { query }, { 'x-svc-role': role, 'x-svc-t': session })
        const oracle = new Oracle(clients, isAdmin)
        const rows: object[] = []
        for (const row of await oracle.rows(root, 'true', args)) rows.push(await oracle.object(row, selected))
        const expected = { data: { [root.name]: rows } }
        joined += (query.match(/r\d[xn]\d/g) ?? []).length
        if (!isDeepStrictEqual(body, expected) || JSON.stringify(body) !== JSON.stringify(expected))
          return { compared, joined, found: { seed, query, role, engine: body, oracle: expected } }
        compared++
      }
    }
  } finally {
    for (const client of clients.values()) await client.end()
  }
  return { compared, joined, found: null }
}

/** All relationships and permissions at once. */
async function replace(engine: Engine, otherUrl: string, tables: readonly Table[]): Promise<void> {
  const sourceOf = (source: Source) => ({
    name: source,
    kind: 'postgres',
    configuration: { connection_info: { database_url: source === 'default' ? engine.databaseUrl : otherUrl } },
    tables: tables
      .filter((table) => table.source === source)
      .map(({ name, relationships, permission }) => ({
        table: { schema: 'public', name },
        remote_relationships: relationships.map(({ name: own, target, form, mapping }) => ({
          name: own,
          definition: {
            to_source: { source: target.source, table: { schema: 'public', name: target.name }, relationship_type: form, field_mapping: mapping }, // biome-ignore format: one line
          },
        })),
        select_permissions: permission
          ? [
              {
                role: 'user',
                permission: {
                  columns: permission.columns,
                  filter: permission.filter,
                  allow_aggregations: permission.aggregates,
                  ...(permission.limit !== null && { limit: permission.limit }),
                },
              },
            ]
          : [],
      })),
  })
  const empty = { version: 3, sources: [] }
  for (const metadata of [empty, { version: 3, sources: sources.map(sourceOf) }]) {
    const { status, text } = await engine.metadata('replace_metadata', metadata)
    if (status !== 200) throw new Error(text)
  }
}
