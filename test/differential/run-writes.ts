import pg from 'pg'
import { seededRandom } from '../admin/random.ts'
import type { Engine } from '../engine.ts'
import { printCondition, printOperation } from './print-writes.ts'
import { asOne, randomOperation, randomPermissions } from './random-writes.ts'
import {
  type Answer,
  type Condition,
  type Operation,
  type Permissions,
  Refused,
  WrittenTables,
} from './written-tables.ts'

const schema = `
  CREATE TABLE a (id int PRIMARY KEY, n int CHECK (n >= -5), t text, secret int DEFAULT 7);
  CREATE TABLE b (id int PRIMARY KEY, n int CHECK (n >= -5), t text, a_id int REFERENCES a, secret int DEFAULT 7)`
const roles = 12
async function install(engine: Engine, permissions: readonly Permissions[]): Promise<void> {
  const tables = ['a', 'b'] as const
  const operations = permissions.flatMap((of, i) =>
    tables.flatMap((table) => {
      const create = (kind: string, permission: object) => ({
        type: `pg_create_${kind}_permission`,
        args: { table, role: `r${i}`, permission },
      })
      const { insert, update, delete: remove } = of[table]
      const printed = (condition: Condition) => printCondition(condition, table)
      return [
        create('select', { columns: table === 'a' ? ['id', 'n', 't'] : ['id', 'n', 't', 'a_id'], filter: {} }),
        create('insert', { columns: insert.columns, set: insert.presets, check: printed(insert.check) }),
        create('update', {
          columns: update.columns,
          set: update.presets,
          check: printed(update.check),
          filter: printed(update.filter),
        }),
        create('delete', { filter: printed(remove.filter) }),
      ]
    }),
  )
  const { status, text } = await engine.metadata('bulk', [
    ...tables.map((table) => ({ type: 'pg_track_table', args: { table } })),
    {
      type: 'pg_create_object_relationship',
      args: { table: 'b', name: 'a', using: { foreign_key_constraint_on: 'a_id' } },
    },
    {
      type: 'pg_create_array_relationship',
      args: { table: 'a', name: 'bs', using: { foreign_key_constraint_on: { table: 'b', column: 'a_id' } } },
    },
    ...operations,
  ])
  if (status !== 200) throw new Error(text)
}

const byId = <R extends { readonly id: number }>(rows: readonly R[]): readonly R[] =>
  [...rows].sort((a, b) => a.id - b.id)

function expected(operation: Operation, answer: Answer, tables: WrittenTables['tables'], related: boolean): unknown {
  const shown = answer.map(({ affected, rows }) => ({
    affected_rows: affected,
    returning: byId(rows).map(({ id, n, t, a_id = null }) => {
      if (operation.table === 'a') return { id, n, t }
      if (!related) return { id, n, t, a_id }
      const a = a_id === null ? undefined : tables.a.get(a_id)
      return { id, n, t, a_id, a: a ? { id: a.id, n: a.n } : null }
    }),
  }))
  if (operation.one) return shown[0]?.returning[0] ?? null
  if (operation.kind !== 'update') return shown[0]
  return shown
}

const sorted = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(sorted)
  // of one row
  if (json === null || !Object.hasOwn(Object(json), 'affected_rows')) return json
  const { affected_rows, returning } = json as { affected_rows: number; returning: { id: number }[] }
  return { affected_rows, returning: byId(returning) }
}

export interface WritesFound {
  readonly what: string
  readonly query: string
  readonly role: string
}

/** Random mutations, one after another; after each, answer and tables are compared with the oracle's. */
export async function runWrites(
  engine: Engine,
  seed: number,
  count: number,
): Promise<{ readonly written: number; readonly refused: number; readonly found: WritesFound | null }> {
  const random = seededRandom(seed)
  const client = new pg.Client({ connectionString: engine.databaseUrl })
  await client.connect()
  let written = 0
  let refused = 0
  try {
    await client.query(schema)
    const permissions = Array.from({ length: roles }, () => randomPermissions(random))
    await install(engine, permissions)
    let oracle = new WrittenTables()
    for (let i = 0; i < count; i++) {
      const at = random.below(roles)
      const of = permissions[at]
      if (!of) continue
      const drawn = Array.from({ length: random.chance(0.2) ? 2 : 1 }, () => randomOperation(random, of))
      const operations = drawn.length === 1 && random.chance(0.7) ? drawn.map(asOne) : drawn
      const asked = { related: random.chance(0.5), secret: random.chance(0.02) }
      const variables: Record<string, unknown> = {}
      const declared: string[] = []
      const inVariables = random.chance(0.5)
      const fields = operations.map((one, k) => printOperation(one, `f${k}`, inVariables, variables, declared, asked))
      const query = `mutation${declared.length > 0 ? ` (${declared.join(', ')})` : ''} { ${fields.join('\n')} }`
      const tried = new WrittenTables(oracle.tables)
      let wanted: Record<string, unknown> | null = {}
      try {
        if (asked.secret) throw new Refused('a column that the role does not see')
        const answers = operations.map((one) => tried.run(one, of))
        // what a field follows it finds as it was when it was its turn: only the last sees the end
        const isOne = operations.length === 1
        operations.forEach((one, k) => {
          const answer = answers[k] ?? []
          if (wanted)
            wanted[`f${k}`] = isOne
              ? expected(one, answer, tried.tables, asked.related)
              : answer.map(({ affected }) => affected)
        })
        oracle = tried
        written++
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        wanted = null
        refused++
      }
      const { body } = await engine.post('/v1/graphql', { query, variables }, { 'X-Svc-Role': `r${at}` })
      const role = `${at}: ${JSON.stringify(of)}`
      const found = (what: string) => ({
        written,
        refused,
        found: { what, query: `${query}\n${JSON.stringify(variables)}`, role },
      })
      const code = body.errors?.[0]?.extensions?.code
      if ((code === 'validation-failed' && !asked.secret) || code === 'parse-failed')
        return found(`not understood: ${JSON.stringify(body)}`)
      if ((wanted === null) !== (body.errors !== undefined))
        return found(`expected ${wanted === null ? 'a refusal' : 'success'}, got ${JSON.stringify(body)}`)
      if (wanted) {
        const got = Object.fromEntries(
          Object.entries(body.data as Record<string, unknown>).map(([key, json], k) => {
            if (operations.length === 1) return [key, isEmptyUpdates(json, operations[k]) ? json : sorted(json)]
            const parts = Array.isArray(json) ? json : [json]
            return [key, parts.map(({ affected_rows }) => affected_rows)]
          }),
        )
        const want = emptied(wanted, body.data)
        if (JSON.stringify(got) !== JSON.stringify(want))
          return found(`expected ${JSON.stringify(want)}\n     got ${JSON.stringify(got)}`)
      }
      for (const table of ['a', 'b'] as const) {
        const { rows } = await client.query(
          `SELECT ${table === 'a' ? 'id, n, t' : 'id, n, t, a_id'} FROM ${table} ORDER BY id`,
        )
        const own = byId([...oracle.tables[table].values()]).map(({ id, n, t, a_id }) =>
          table === 'a' ? { id, n, t } : { id, n, t, a_id: a_id ?? null },
        )
        if (JSON.stringify(rows) !== JSON.stringify(own))
          return found(`table ${table} holds ${JSON.stringify(rows)}\nexpected ${JSON.stringify(own)}`)
      }
    }
    return { written, refused, found: null }
  } finally {
    await client.end()
  }
}

const isEmptyUpdates = (json: unknown, operation: Operation | undefined): boolean =>
  operation?.kind === 'update' && Array.isArray(json) && json.length === 0

/** Updates that set nothing at all are answered by an empty list (reference/mutations#update). */
const emptied = (wanted: Record<string, unknown>, data: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(wanted).map(([key, value]) => {
      const json = data[key]
      const isNothing = Array.isArray(json) && json.length === 0 && Array.isArray(value)
      const isZero = (one: unknown) => one === 0 || (one as { affected_rows?: number } | null)?.affected_rows === 0
      return [key, isNothing && value.every(isZero) ? [] : value]
    }),
  )
