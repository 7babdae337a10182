/**
 * A backend for tests whose tables are lists of rows in this process: with a prefix, settings, a dialect and capabilities
 * of its own. It "compiles" to a text in its dialect and finds the query again by that text.
 */
import { type JsonObject, nameRules, type Schema } from '@svc/schema'
import {
  type Backend,
  type DatabaseTable,
  type Introspection,
  postgres,
  type SourceConnection,
} from '../src/backends/index.ts'
import { bind, type Dialect, ident, join, literal, print, printInlined, type Sql, sql } from '../src/backends/sql.ts'
import type { BooleanExpression, DatabaseType, Join, RootQuery, RowField, Value } from '../src/ir/index.ts'

export type MemoryRow = Readonly<Record<string, string | number | null>>

/** Tables by name: their columns with their types, their key, and their rows. */
export type MemoryTables = Readonly<
  Record<string, { readonly columns: Readonly<Record<string, 'text' | 'int4'>>; readonly rows: readonly MemoryRow[] }>
>

export const memoryDialect: Dialect = {
  identifier: (name) => `\`${name.replaceAll('`', '``')}\``,
  literal: (text) => `'${text.replaceAll("'", "''")}'`,
  placeholder: (position) => `@p${position}`,
}

type MemorySql = Sql<Value>

/** `databases`: by the name that a source's configuration has under `database`. */
export function memoryBackend(
  databases: Readonly<Record<string, MemoryTables>>,
  configuration: Schema<JsonObject>,
): Backend {
  const compiled = new Map<string, { readonly query: RootQuery; readonly slots: readonly Value[] }>()
  const refuse = (what: string) => (): never => {
    throw new Error(`a database in memory has no ${what}`)
  }
  return {
    kind: 'memory',
    kinds: [
      {
        kind: 'memory',
        prefixes: ['memory'],
        names: nameRules.public,
        configuration,
        has: (name) => !name.includes('function'),
      },
    ],
    types: postgres.types,
    enumShape: () => ({ ok: false, reasons: ['there are no enum tables'] }),
    compileQuery(query) {
      const fragment = compileRoot(query)
      const { text, slots } = print(fragment, memoryDialect)
      compiled.set(text, { query, slots })
      return {
        text,
        slots,
        effects: 'none',
        inlined: (show) => printInlined(fragment, (slot) => literal(show(slot) ?? 'NULL'), memoryDialect),
      }
    },
    compileWrite: refuse('writes'),
    compileLongWrite: refuse('writes'),
    writeFailure: () => null,
    readFailure: () => null,
    compileMultiplexed: refuse('subscriptions'),
    source: (name, { database }) => ({
      key: `${name} ${String(database)}`,
      shown: `memory:${String(database)}`,
      open: async () => connection(databases[String(database)] ?? {}, compiled),
    }),
  }
}

function connection(
  tables: MemoryTables,
  compiled: ReadonlyMap<string, { readonly query: RootQuery; readonly slots: readonly Value[] }>,
): SourceConnection {
  const introspection: Introspection = {
    tables: new Map(Object.entries(tables).map(([name, { columns }]) => [`public.${name}`, describe(name, columns)])),
    serverVersion: 1,
  }
  const known: Partial<SourceConnection> = {
    introspect: async () => introspection,
    readFunctions: async (names) => names.map(() => []),
    readTypes: async (names) => names.map(() => null),
    checkQueries: async (queries) => queries.map(() => ({ status: 'unchecked' as const })),
    query: async (plan, parameters) => {
      const found = compiled.get(plan.text)
      if (!found) throw new Error('nobody compiled this')
      const textOf = (value: Value) => parameters[found.slots.indexOf(value)] ?? null
      return Buffer.from(JSON.stringify(run(found.query, tables, textOf)))
    },
    explain: async (text) => [`Scan in memory: ${text}`],
    rest() {},
    close: async () => {},
  }
  return new Proxy(known as SourceConnection, {
    get(target, key) {
      if (Object.hasOwn(target, key) || key === 'then') return target[key as keyof SourceConnection]
      throw new Error(`a database in memory was asked for ${String(key)}`)
    },
  })
}

const typeOf = (name: string): DatabaseType => ({ schema: 'pg_catalog', name, kind: 'base', array: false })

function describe(name: string, columns: Readonly<Record<string, string>>): DatabaseTable {
  return {
    table: { schema: 'public', name },
    kind: 'table',
    description: null,
    columns: Object.entries(columns).map(([column, type], i) => ({
      name: column,
      position: i + 1,
      type: typeOf(type),
      nullable: column !== 'id',
      hasDefault: false,
      generated: 'never',
      description: null,
    })),
    primaryKey: { constraint: `${name}_pkey`, columns: ['id'] },
    uniqueKeys: [],
    foreignKeys: [],
    insertable: false,
    updatable: false,
    deletable: false,
    fingerprint: '1',
    oid: name,
  }
}

function compileRoot(query: RootQuery): MemorySql {
  if (query.kind !== 'rows' && query.kind !== 'row') throw new Error('a database in memory has rows only')
  const where = query.kind === 'rows' ? query.rows.where : query.where
  return sql<Value>`FIND ${join<Value>(query.fields.map(fieldText), sql`, `)} IN ${ident(query.from.name)} WHERE ${conditionText(where)}`
}

function fieldText(field: RowField): MemorySql {
  switch (field.kind) {
    case 'column':
      return ident(field.of.kind === 'column' ? field.of.name : '?')
    case 'object':
    case 'array':
      return sql<Value>`${ident(field.as)}(${join<Value>(field.fields.map(fieldText), sql`, `)})`
    default:
      return ident(field.as)
  }
}

function conditionText(e: BooleanExpression): MemorySql {
  switch (e.kind) {
    case 'and':
    case 'or':
      return sql<Value>`${e.kind === 'and' ? sql`ALL` : sql`ANY`}(${join<Value>(e.of.map(conditionText), sql`, `)})`
    case 'rooted':
      return conditionText(e.of)
    case 'compare':
      return sql<Value>`${ident(e.left.kind === 'column' ? e.left.name : '?')} ${ident(e.operator)} ${join<Value>(e.right.map(bind), sql`, `)}`
    default:
      return sql`${ident(e.kind)}`
  }
}

type TextOf = (value: Value) => string | null

function run(query: RootQuery, tables: MemoryTables, textOf: TextOf): unknown {
  if (query.kind !== 'rows' && query.kind !== 'row') throw new Error('rows only')
  const where = query.kind === 'rows' ? query.rows.where : query.where
  const rows = rowsOf(tables, query.from.name)
    .filter((row) => satisfies(row, where, textOf))
    .map((row) => shown(row, query.fields, tables, textOf))
  return query.kind === 'row' || query.single ? (rows[0] ?? null) : rows
}

const rowsOf = (tables: MemoryTables, name: string): readonly MemoryRow[] => tables[name]?.rows ?? []

function shown(row: MemoryRow, fields: readonly RowField[], tables: MemoryTables, textOf: TextOf): object {
  return Object.fromEntries(fields.map((field) => [field.as, fieldValue(row, field, tables, textOf)]))
}

function fieldValue(row: MemoryRow, field: RowField, tables: MemoryTables, textOf: TextOf): unknown {
  switch (field.kind) {
    case 'typename':
      return field.name
    case 'column':
      return field.of.kind === 'column' ? row[field.of.name] : null
    case 'object': {
      const [found] = joined(row, field.join, tables).filter((one) => satisfies(one, field.where, textOf))
      return found ? shown(found, field.fields, tables, textOf) : null
    }
    case 'array':
      return joined(row, field.join, tables)
        .filter((one) => satisfies(one, field.rows.where, textOf))
        .map((one) => shown(one, field.fields, tables, textOf))
    default:
      throw new Error(`a database in memory has no ${field.kind}`)
  }
}

const joined = (row: MemoryRow, { table, columns }: Join, tables: MemoryTables): readonly MemoryRow[] =>
  rowsOf(tables, table.name).filter((one) => columns.every(({ from, to }) => one[to] === row[from]))

function satisfies(row: MemoryRow, e: BooleanExpression, textOf: TextOf): boolean {
  switch (e.kind) {
    case 'and':
      return e.of.every((part) => satisfies(row, part, textOf))
    case 'or':
      return e.of.some((part) => satisfies(row, part, textOf))
    case 'not':
      return !satisfies(row, e.of, textOf)
    case 'rooted':
      return satisfies(row, e.of, textOf)
    case 'compare': {
      const own = e.left.kind === 'column' ? row[e.left.name] : null
      return e.operator === 'eq' && e.right.every((value) => String(own) === textOf(value))
    }
    default:
      throw new Error(`a database in memory does not evaluate ${e.kind}`)
  }
}
