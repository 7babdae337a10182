import pg from 'pg'
import { type Random, seededRandom } from '../admin/random.ts'
import type { Engine } from '../engine.ts'
import {
  type Answer,
  type Condition,
  type Conflict,
  type NewRow,
  type Operation,
  type Permissions,
  Refused,
  type TableName,
  type TablePermissions,
  WrittenTables,
} from './written-tables.ts'

const schema = `
  CREATE TABLE a (id int PRIMARY KEY, n int CHECK (n >= -5), t text, secret int DEFAULT 7);
  CREATE TABLE b (id int PRIMARY KEY, n int CHECK (n >= -5), t text, a_id int REFERENCES a, secret int DEFAULT 7)`
const roles = 12
const texts = ['x', 'y', 'z']

function randomCondition(random: Random, table: TableName, depth = 2, related = true): Condition {
  const part = () => randomCondition(random, table, depth - 1, related)
  const columns = table === 'b' && related ? (['id', 'n', 'a_id'] as const) : (['id', 'n'] as const)
  if (depth > 0 && random.chance(0.3))
    return random.pick([
      () => ({ all: [part(), part()] }),
      () => ({ any: [part(), part()] }),
      () => ({ not: part() }),
    ])()
  if (related && depth > 0 && random.chance(0.2))
    return { related: randomCondition(random, table === 'a' ? 'b' : 'a', 1, false) }
  if (random.chance(0.2)) return { isNull: random.pick(['n', 't'] as const), not: random.chance(0.5) }
  if (random.chance(0.25)) return { column: 't', operator: '_eq', value: random.pick(texts) }
  return { column: random.pick(columns), operator: random.pick(['_gt', '_lt'] as const), value: random.below(12) - 2 }
}

const anything: Condition = { all: [] }
const mostly = (random: Random, table: TableName): Condition =>
  random.chance(0.5) ? anything : { any: [randomCondition(random, table), randomCondition(random, table)] }

function randomPermissions(random: Random): Permissions {
  const of = (table: TableName): TablePermissions => {
    const presets = (): Record<string, number | string> =>
      random.chance(0.3) ? { t: random.pick(texts) } : random.chance(0.2) ? { n: random.below(9) } : {}
    const own = table === 'b' ? ['n', 't', 'a_id'] : ['n', 't']
    const write = (always: readonly string[]) => {
      const set = presets()
      const columns = [...always, ...own.filter((name) => random.chance(0.8) || name === 'a_id')]
      return { columns: columns.filter((name) => !(name in set)), presets: set, check: mostly(random, table) }
    }
    return {
      insert: write(['id']),
      update: { ...write([]), filter: mostly(random, table) },
      delete: { filter: mostly(random, table) },
    }
  }
  return { a: of('a'), b: of('b') }
}

function printCondition(condition: Condition, table: TableName): object {
  const print = (part: Condition) => printCondition(part, table)
  if ('column' in condition) return { [condition.column]: { [condition.operator]: condition.value } }
  if ('isNull' in condition) return { [condition.isNull]: { _is_null: !condition.not } }
  if ('not' in condition) return { _not: print(condition.not) }
  if ('related' in condition)
    return { [table === 'b' ? 'a' : 'bs']: printCondition(condition.related, table === 'b' ? 'a' : 'b') }
  return 'all' in condition ? { _and: condition.all.map(print) } : { _or: condition.any.map(print) }
}

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

function randomOperation(random: Random, permissions: Permissions): Operation {
  const table = random.pick(['a', 'b'] as const)
  const of = permissions[table]
  const byKey = (): Condition => ({ column: 'id', operator: '_eq', value: random.below(12) })
  const where = () => (random.chance(0.3) ? byKey() : randomCondition(random, table))
  if (random.chance(0.2)) return { kind: 'delete', table, where: where() }
  if (random.chance(0.35)) {
    const updates = Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => {
      const columns = of.update.columns.filter(() => random.chance(0.6))
      const inc = columns.includes('n') && random.chance(0.3) ? { n: random.below(5) - 2 } : {}
      const set = columns.filter((name) => !(name in inc)).map((name) => [name, randomValue(random, name)])
      return { where: where(), set: Object.fromEntries(set), inc: inc as Record<string, number> }
    })
    return { kind: 'update', table, updates }
  }
  // one row with rows inside it and no conflicts, which may be one statement
  const isPlain = random.chance(0.3)
  const conflictOf = (name: TableName): Conflict | null =>
    isPlain || random.chance(0.5)
      ? null
      : {
          columns: random.chance(0.3) ? [] : permissions[name].update.columns.filter(() => random.chance(0.6)),
          where: random.chance(0.6) ? anything : randomCondition(random, name),
        }
  const rowOf = (name: TableName, nested: boolean, taken: Set<number>, isChild = false): NewRow => {
    const columns = permissions[name].insert.columns.filter(
      (column) =>
        column === 'id' || (random.chance(0.7) && !((isChild || nested) && name === 'b' && column === 'a_id')),
    )
    let id = random.below(isPlain ? 200 : 12)
    while (taken.has(id)) id = random.below(40)
    taken.add(id)
    const values = Object.fromEntries(
      columns.map((column) => [column, column === 'id' ? id : randomValue(random, column)]),
    )
    if (!nested) return { values }
    const children = new Set<number>()
    const other = name === 'a' ? 'b' : 'a'
    const length = name === 'a' ? 1 + random.below(3) : 1
    const rows = Array.from({ length }, () => rowOf(other, false, children, true))
    return { values, nested: { rows, conflict: conflictOf(other) } }
  }
  const taken = new Set<number>()
  const length = isPlain ? 1 : random.chance(0.1) ? 12 : 1 + random.below(3)
  const rows = Array.from({ length }, () =>
    rowOf(table, isPlain || random.chance(0.4), random.chance(0.1) ? new Set() : taken),
  )
  return { kind: 'insert', table, rows, conflict: conflictOf(table) }
}

function randomValue(random: Random, column: string): number | string | null {
  if (random.chance(0.15)) return null
  return column === 't' ? random.pick(texts) : column === 'n' ? random.below(14) - 6 : random.below(12)
}

/** By the field of one row, where it is about one. */
function asOne(operation: Operation): Operation {
  const isKey = (where: Condition) => 'column' in where && where.column === 'id' && where.operator === '_eq'
  switch (operation.kind) {
    case 'insert':
      return operation.rows.length === 1 ? { ...operation, one: true } : operation
    case 'update': {
      const [only, ...others] = operation.updates
      return only && others.length === 0 && isKey(only.where) ? { ...operation, one: true } : operation
    }
    case 'delete':
      return isKey(operation.where) ? { ...operation, one: true } : operation
  }
}

/** As GraphQL, its inputs as literals or in a variable. */
function printOperation(
  operation: Operation,
  key: string,
  inVariables: boolean,
  variables: Record<string, unknown>,
  declared: string[],
  asked: { readonly related: boolean; readonly secret: boolean },
): string {
  const { table } = operation
  const own = `id n t${asked.secret ? ' secret' : ''}`
  const returning = table === 'b' ? `{ ${own} a_id${asked.related ? ' a { id n }' : ''} }` : `{ ${own} }`
  const answer = `{ affected_rows returning ${returning} }`
  const given = (name: string, type: string, value: unknown) => {
    if (!inVariables) return literal(value)
    variables[`${key}_${name}`] = value
    declared.push(`$${key}_${name}: ${type}`)
    return `$${key}_${name}`
  }
  switch (operation.kind) {
    case 'insert': {
      const rows = operation.rows.map((row) => printRow(row, table))
      const objects = operation.one
        ? `_one(object: ${given('object', `${table}_insert_input!`, rows[0])}`
        : `(objects: ${given('objects', `[${table}_insert_input!]!`, rows)}`
      const conflict = operation.conflict
      const more = conflict
        ? `, on_conflict: ${given('conflict', `${table}_on_conflict`, printConflict(conflict, table))}`
        : ''
      return `${key}: insert_${table}${objects}${more}) ${operation.one ? returning : answer}`
    }
    case 'update': {
      const updates = operation.updates.map(({ where, set, inc }) => ({
        where: printCondition(where, table),
        ...(Object.keys(set).length > 0 && { _set: set }),
        ...(Object.keys(inc).length > 0 && { _inc: inc }),
      }))
      const [only] = operation.updates
      if (operation.one && only && 'column' in only.where) {
        const operators = Object.entries({ _set: only.set, _inc: only.inc }).filter(
          ([, of]) => Object.keys(of).length > 0,
        )
        const set = operators.map(([name, of]) => `, ${name}: ${literal(of)}`).join('')
        return `${key}: update_${table}_by_pk(pk_columns: {id: ${only.where.value}}${set}) ${returning}`
      }
      return `${key}: update_${table}_many(updates: ${given('updates', `[${table}_updates!]!`, updates)}) ${answer}`
    }
    case 'delete': {
      if (operation.one && 'column' in operation.where)
        return `${key}: delete_${table}_by_pk(id: ${operation.where.value}) ${returning}`
      const where = given('where', `${table}_bool_exp!`, printCondition(operation.where, table))
      return `${key}: delete_${table}(where: ${where}) ${answer}`
    }
  }
}

/** An enum where GraphQL has one. */
class Enum {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
  toJSON(): string {
    return this.name
  }
}

const printConflict = ({ columns, where }: Conflict, table: TableName): object => ({
  constraint: new Enum(`${table}_pkey`),
  update_columns: columns.map((name) => new Enum(name)),
  where: printCondition(where, table),
})

function printRow({ values, nested }: NewRow, table: TableName): object {
  if (!nested) return values
  const other = table === 'a' ? 'b' : 'a'
  const rows = nested.rows.map((row) => printRow(row, other))
  const on_conflict = nested.conflict ? { on_conflict: printConflict(nested.conflict, other) } : {}
  return { ...values, [table === 'a' ? 'bs' : 'a']: { data: table === 'a' ? rows : rows[0], ...on_conflict } }
}

function literal(value: unknown): string {
  if (value instanceof Enum) return value.name
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, part]) => `${key}: ${literal(part)}`)
      .join(', ')}}`
  return JSON.stringify(value)
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
