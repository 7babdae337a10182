/**
 * Random relationships between the tables of two the types and fields of a remote schema and the output of an
 * action, under random permissions, in queries and in what mutations return: what the engine answers, compared with plain SQL
 * that asks both databases row by row, and with the rows that the servers have. Nothing of the engine is used to say what is
 * right.
 */
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import type { Engine } from '../engine.ts'
import { replace } from './metadata.ts'
import { Oracle } from './oracle.ts'
import { type Random, randomOf } from './random.ts'
import { plainArgs, print, printArgs, randomArgs, randomSelection } from './selection.ts'
import { startServers } from './servers.ts'
import { type Database, isDatabase, randomTables, rowsSql, session, type Table } from './tables.ts'

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
