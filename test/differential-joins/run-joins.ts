/**
 * Random relationships between the tables of two databases, the types and fields of a remote schema and the output of an
 * action, under random permissions, in queries and in what mutations return: what the engine answers, compared with plain SQL
 * that asks both databases row by row, and with the rows that the servers have. Nothing of the engine is used to say what is
 * right.
 */
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import type { Engine } from '../engine.ts'
import { startHandlers } from '../serving/action-handlers.ts'
import { startRemoteServer } from '../serving/remote-server.ts'

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

const databases = ['default', 'other'] as const
type Database = (typeof databases)[number]
/** The remote schema, whose types are tables too, and an action, whose output is a row. */
type Source = Database | 'remote' | 'action'
const columns = ['id', 'a', 'b', 't'] as const
type Column = (typeof columns)[number]

interface Table {
  readonly name: string
  readonly source: Source
  readonly relationships: Relationship[]
  /** What the role may see; null: nothing. Of rows of servers it sees all. */
  permission: Permission | null
  /** Of a server. */
  readonly rows: readonly Row[]
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

const seesAll: Permission = { columns, filter: {}, sql: 'true', aggregates: false, limit: null }

const isDatabase = (source: Source): source is Database => source === 'default' || source === 'other'

/** Where relationships from one source may lead. */
function canReach(from: Source, to: Source): boolean {
  // relationships of an output lead to one source
  if (from === 'action') return to === 'default'
  return to !== 'action' && (from === 'remote' || from !== to)
}

function randomTables(random: Random): readonly Table[] {
  const tables = [
    ...databases.flatMap((source) =>
      [0, 1].map(
        (i): Table => ({
          name: `${source[0]}${i}`,
          source,
          relationships: [],
          permission: randomPermission(random),
          rows: [],
        }),
      ),
    ),
    ...(['X0', 'X1', 'Y0'] as const).map(
      (name): Table => ({
        name,
        source: name === 'Y0' ? 'action' : 'remote',
        relationships: [],
        permission: seesAll,
        rows: randomRows(random),
      }),
    ),
  ]
  for (const table of tables) {
    const others = tables.filter((other) => other !== table && canReach(table.source, other.source))
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

const randomRows = (random: Random): readonly Row[] =>
  Array.from({ length: 2 + random(7) }, (_, id) => {
    const number = () => (random(5) === 0 ? null : random(5))
    const text = random(6) === 0 ? null : (['p', 'q', 'ä"', '😀', ''][random(5)] ?? 'p')
    return { id, a: number(), b: number(), t: text }
  })

function rowsSql(random: Random, name: string): string {
  const values = randomRows(random).map((row) => `(${columns.map((column) => literal(row[column])).join()})`)
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
  /** The same of the remote schema's lists. */
  readonly remote: readonly string[]
  readonly where: string
  readonly holds: (id: number) => boolean
  readonly limit: number | null
  readonly offset: number
  readonly descending: boolean
}

function randomArgs(random: Random): Args {
  const conditions: readonly (readonly [string, string, string, (id: number) => boolean])[] = [
    ['', '', 'true', () => true],
    ['', '', 'true', () => true],
    ['where: {id: {_gt: 1}}', 'above: 1', 'id > 1', (id) => id > 1],
    ['where: {id: {_in: [0, 2, 4, 6]}}', 'among: [0, 2, 4, 6]', 'id IN (0, 2, 4, 6)', (id) => id % 2 === 0 && id < 8],
  ]
  const [graphql, remote, where, holds] = conditions[random(conditions.length)] ?? ['', '', 'true', () => true]
  const descending = random(2) === 0
  const limit = random(3) === 0 ? 1 + random(3) : null
  const offset = random(4) === 0 ? 1 : 0
  const order = `order_by: {id: ${descending ? 'desc' : 'asc'}}`
  const page = [limit === null ? '' : `limit: ${limit}`, offset === 0 ? '' : `offset: ${offset}`]
  const given = (parts: readonly string[]) => parts.filter((part) => part !== '')
  return {
    graphql: given([graphql, order, ...page]),
    remote: given([remote, descending ? 'down: true' : '', ...page]),
    where,
    holds,
    limit,
    offset,
    descending,
  }
}

const plainArgs: Args = { graphql: [], remote: [], where: 'true', holds: () => true, limit: null, offset: 0, descending: false } // biome-ignore format: one line

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
      const canCount = form === 'array' && isDatabase(target.source) && (isAdmin || target.permission?.aggregates)
      if (canCount && random(3) === 0) selected.push({ kind: 'count', as: `${name}n${copy}`, relationship, args: { ...plainArgs, where: args.where, holds: args.holds, graphql: args.graphql.filter((one) => one.startsWith('where')) }, inside: [] }) // biome-ignore format: one line
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
    const args = printArgs(one.args, one.relationship.target.source)
    return one.kind === 'count'
      ? `${one.as}: ${one.relationship.name}_aggregate${args} { aggregate { count } }`
      : `${one.as}: ${one.relationship.name}${args} ${print(one.inside)}`
  })
  return `{ ${fields.join(' ')} }`
}

const printArgs = ({ graphql, remote }: Args, source: Source): string => {
  const parts = isDatabase(source) ? graphql : remote
  return parts.length > 0 ? `(${parts.join(', ')})` : ''
}

type Row = Readonly<Record<Column, number | string | null>>

/** Asks the databases, each statement once while the rows are the same. */
class Oracle {
  readonly #clients: ReadonlyMap<Database, pg.Client>
  readonly #known = new Map<string, readonly Row[]>()
  readonly #isAdmin: boolean

  constructor(clients: ReadonlyMap<Database, pg.Client>, isAdmin: boolean) {
    this.#clients = clients
    this.#isAdmin = isAdmin
  }

  /** Those that have these values. */
  async rows(table: Table, values: readonly (readonly [Column, Row[Column]])[], args: Args): Promise<readonly Row[]> {
    const { name, source, permission } = table
    if (!isDatabase(source)) {
      const found = table.rows.filter((row) => args.holds(Number(row.id)) && values.every(([column, value]) => row[column] === value)) // biome-ignore format: one line
      const ordered = args.descending ? [...found].reverse() : found
      return ordered.slice(args.offset, args.limit === null ? undefined : args.offset + args.limit)
    }
    const condition = values.map(([column, value]) => `${column} = ${literal(value)}`).join(' AND ') || 'true'
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
      pairs.map(([from, to]) => [to, row[from]] as const),
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
  /** Values that came from another database or server. */
  readonly joined: number
  readonly mutations: number
  readonly found: { readonly seed: number; readonly query: string; readonly role: string; readonly engine: unknown; readonly oracle: unknown } | null // biome-ignore format: one line
}

const perWorld = 50

/** A root field, and what gives the value that it has. */
async function randomRoot(random: Random, table: Table, isAdmin: boolean, oracle: Oracle, kind: 'query' | 'mutation') {
  const selected = randomSelection(random, table, isAdmin, 3)
  const inside = print(selected)
  const one = async (id: number): Promise<unknown> => {
    const [row] = await oracle.rows(table, [['id', id]], plainArgs)
    return row ? oracle.object(row, selected) : null
  }
  const { name, source } = table
  const key = `k${random(1000)}`
  if (kind === 'mutation') {
    const id = random(8)
    // nothing changes, and the row is returned
    const text = `${key}: update_${name}_by_pk(pk_columns: {id: ${id}}, _inc: {b: 0}) ${inside}`
    return { text, key, value: () => one(id) }
  }
  if (source === 'action') {
    const id = random(8)
    return { text: `${key}: ${name}(id: ${id}) ${inside}`, key, value: () => one(id) }
  }
  const args = randomArgs(random)
  const field = source === 'remote' ? `${name}s` : name
  const value = async () => {
    const rows: object[] = []
    for (const row of await oracle.rows(table, [], args)) rows.push(await oracle.object(row, selected))
    return rows
  }
  return { text: `${key}: ${field}${printArgs(args, source)} ${inside}`, key, value }
}

/** `otherUrl`: a database that the engine reaches as its source `other`. */
export async function runJoins(
  engine: Engine,
  otherUrl: string,
  seed: number,
  queries: number,
): Promise<JoinsCompared> {
  const clients = new Map<Database, pg.Client>()
  for (const [source, url] of [
    ['default', engine.databaseUrl],
    ['other', otherUrl],
  ] as const) {
    // biome-ignore format: one line
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    clients.set(source, client)
  }
  let tables: readonly Table[] = []
  const servers = await startServers((name) => tables.find((table) => table.name === name)?.rows ?? [])
  let [compared, joined, mutations] = [0, 0, 0]
  try {
    for (let world = 0; compared < queries; world++) {
      const random = randomOf(seed * 7919 + world * 104_729 + 1)
      tables = randomTables(random)
      for (const { name, source } of tables)
        if (isDatabase(source)) await clients.get(source)?.query(rowsSql(random, name))
      await replace(engine, { otherUrl, ...servers }, tables)
      for (let i = 0; i < perWorld && compared < queries; i++) {
        const isAdmin = random(3) === 0
        const kind = random(4) === 0 ? 'mutation' : 'query'
        const visible = tables.filter(({ permission }) => isAdmin || permission)
        const possible = kind === 'mutation' ? visible.filter(({ source }) => isDatabase(source)) : visible
        const oracle = new Oracle(clients, isAdmin)
        const roots = new Map<string, Awaited<ReturnType<typeof randomRoot>>>()
        for (let n = 0; n <= random(2); n++) {
          const table = possible[random(possible.length)]
          const root = table && (await randomRoot(random, table, isAdmin, oracle, kind))
          if (root) roots.set(root.key, root)
        }
        if (roots.size === 0) continue
        const query = `${kind} { ${[...roots.values()].map(({ text }) => text).join(' ')} }`
        const role = isAdmin ? 'admin' : 'user'
        const { body } = await engine.post('/v1/graphql', { query }, { 'x-svc-role': role, 'x-svc-t': session })
        const values: [string, unknown][] = []
        for (const { key, value } of roots.values()) values.push([key, await value()])
        const expected = { data: Object.fromEntries(values) }
        joined += (query.match(/r\d[xn]\d/g) ?? []).length
        if (!isDeepStrictEqual(body, expected) || JSON.stringify(body) !== JSON.stringify(expected))
          return { compared, joined, mutations, found: { seed, query, role, engine: body, oracle: expected } }
        compared++
        if (kind === 'mutation') mutations++
      }
    }
  } finally {
    for (const client of clients.values()) await client.end()
    await servers.close()
  }
  return { compared, joined, mutations, found: null }
}

interface Servers {
  readonly remoteUrl: string
  readonly actionUrl: string
  close(): Promise<void>
}

const remoteSdl = `
  type Query { ${['X0', 'X1'].map((name) => `${name}(id: Int!): ${name}  ${name}s(id: Int, a: Int, b: Int, t: String, above: Int, among: [Int!], down: Boolean, limit: Int, offset: Int): [${name}!]!`).join('  ')} }
  ${['X0', 'X1'].map((name) => `type ${name} { id: Int!  a: Int  b: Int  t: String }`).join('  ')}
` // biome-ignore format: one line

type AskedRows = Partial<Row> & { readonly above?: number; readonly among?: readonly number[]; readonly down?: boolean; readonly limit?: number; readonly offset?: number } // biome-ignore format: one line

/** A GraphQL server and a handler of an action, over rows in memory. */
async function startServers(rowsOf: (name: string) => readonly Row[]): Promise<Servers> {
  const one = (name: string) => ({ id }: { readonly id: number }) => rowsOf(name).find((row) => row.id === id) ?? null // biome-ignore format: one line
  const list =
    (name: string) =>
    ({ above, among, down, limit, offset = 0, ...values }: AskedRows) => {
      const found = rowsOf(name).filter(
        (row) =>
          (above === undefined || Number(row.id) > above) &&
          (among === undefined || among.includes(Number(row.id))) &&
          Object.entries(values).every(([column, value]) => row[column as Column] === value),
      )
      const ordered = down ? [...found].reverse() : found
      return ordered.slice(offset, limit === undefined ? undefined : offset + limit)
    }
  const remote = await startRemoteServer(remoteSdl, { X0: one('X0'), X1: one('X1'), X0s: list('X0'), X1s: list('X1') })
  const handlers = await startHandlers()
  handlers.on('/act', ({ body }) => ({ json: one('Y0')(body.input) }))
  return {
    remoteUrl: remote.url,
    actionUrl: `${handlers.url}/act`,
    close: async () => {
      await Promise.all([remote.close(), handlers.close()])
    },
  }
}

function definitionOf({ target, form, mapping }: Relationship): object {
  if (target.source !== 'remote')
    return {
      to_source: { source: target.source, table: { schema: 'public', name: target.name }, relationship_type: form, field_mapping: mapping }, // biome-ignore format: one line
    }
  const pairs = Object.entries(mapping)
  const field = form === 'object' ? target.name : `${target.name}s`
  return {
    to_remote_schema: {
      remote_schema: 'remote',
      lhs_fields: pairs.map(([from]) => from),
      remote_field: { [field]: { arguments: Object.fromEntries(pairs.map(([from, to]) => [to, `$${from}`])) } },
    },
  }
}

/** All relationships and permissions at once. */
async function replace(
  engine: Engine,
  { otherUrl, remoteUrl, actionUrl }: Omit<Servers, 'close'> & { readonly otherUrl: string },
  tables: readonly Table[],
): Promise<void> {
  const relationshipsOf = (table: Table) =>
    table.relationships.map((one) => ({ name: one.name, definition: definitionOf(one) }))
  const sourceOf = (source: Database) => ({
    name: source,
    kind: 'postgres',
    configuration: { connection_info: { database_url: source === 'default' ? engine.databaseUrl : otherUrl } },
    tables: tables
      .filter((table) => table.source === source)
      .map((table) => ({
        table: { schema: 'public', name: table.name },
        remote_relationships: relationshipsOf(table),
        ...(table.permission && permissionsOf(table.permission)),
      })),
  })
  const fields = columns.map((name) => ({ name, type: name === 'id' ? 'Int!' : name === 't' ? 'String' : 'Int' }))
  const outputs = tables.filter(({ source }) => source === 'action')
  const full = {
    version: 3,
    sources: databases.map(sourceOf),
    remote_schemas: [
      {
        name: 'remote',
        definition: { url: remoteUrl },
        remote_relationships: tables
          .filter(({ source }) => source === 'remote')
          .map((table) => ({ type_name: table.name, relationships: relationshipsOf(table) })),
      },
    ],
    custom_types: {
      objects: outputs.map(({ name, relationships }) => ({
        name: `Output${name}`,
        fields,
        relationships: relationships.map(({ name: own, target, form, mapping }) => ({
          name: own,
          type: form,
          source: target.source,
          remote_table: { schema: 'public', name: target.name },
          field_mapping: mapping,
        })),
      })),
    },
    actions: outputs.map(({ name }) => ({
      name,
      definition: { kind: 'synchronous', type: 'query', arguments: [{ name: 'id', type: 'Int!' }], output_type: `Output${name}`, handler: actionUrl }, // biome-ignore format: one line
      permissions: [{ role: 'user' }],
    })),
  }
  for (const metadata of [{ version: 3, sources: [] }, full]) {
    const { status, text } = await engine.metadata('replace_metadata', metadata)
    if (status !== 200) throw new Error(text)
  }
}

const permissionsOf = ({ columns: shown, filter, aggregates, limit }: Permission) => ({
  select_permissions: [
    {
      role: 'user',
      permission: { columns: shown, filter, allow_aggregations: aggregates, ...(limit !== null && { limit }) },
    },
  ],
  update_permissions: [{ role: 'user', permission: { columns: ['b'], filter } }],
})
