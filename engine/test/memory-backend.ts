/**
 * A backend for tests whose tables are lists of rows in this process: with a prefix, settings, a dialect and capabilities
 * of its own. A statement is a text in its dialect, whose shape is the query itself.
 */
import { type JsonObject, nameRules, type Schema } from '@svc/schema'
import {
  type Backend,
  type DatabaseTable,
  type Features,
  type Introspection,
  postgres,
  readsOnly,
  type SourceConnection,
  type WriteProgram,
} from '../src/backends/index.ts'
import { bind, type Dialect, ident, join, print, printInlined, type Sql, sql } from '../src/backends/sql.ts'
import { ApiError, Path } from '../src/errors.ts'
import type { BooleanExpression, DatabaseType, RootQuery, RowField, Value } from '../src/ir/index.ts'
import { type MemoryTables, rowsOf, satisfies, shown, type TextOf } from './memory-rows.ts'
import { memoryWrites, runMemoryWrites } from './memory-writes.ts'

const memoryDialect: Dialect = {
  identifier: (name) => `\`${name.replaceAll('`', '``')}\``,
  literal: (text) => `'${text.replaceAll("'", "''")}'`,
  placeholder: (position) => `@p${position}`,
}

type MemorySql = Sql<Value>

/** Reads, and writes of plain values. */
const writing: Features = {
  ...readsOnly,
  mutations: { upsert: null, nestedInserts: false, updateMany: false, assignments: ['set'] },
}

/** `databases`: by the name that a source's configuration has under `database`. */
export function memoryBackend(
  databases: Readonly<Record<string, MemoryTables>>,
  configuration: Schema<JsonObject>,
  { kind, features }: { readonly kind: string; readonly features: Features } = { kind: 'memory', features: writing },
): Backend {
  const stored = new Map(Object.entries(databases).map(([name, tables]) => [name, { tables }]))
  return {
    kind,
    system: 'memory',
    kinds: [
      {
        kind,
        prefixes: [kind],
        names: nameRules.public,
        configuration,
        has: (name) => lacking.every((pattern) => !pattern.test(name)),
      },
    ],
    types: { ...postgres.types, features },
    compileQuery(query) {
      const fragment = compileRoot(query)
      const { text, slots } = print(fragment, memoryDialect)
      return {
        text,
        slots,
        effects: 'none',
        shape: new MemoryQuery(query),
        inlined: (show) => printInlined(fragment, (slot) => show(slot) ?? 'NULL', memoryDialect),
      }
    },
    failures: {
      unreachable: (reason) => new ApiError('unexpected', Path.root, 'no such memory', { internal: reason }),
      isUnreachable: () => false,
      ofRead: () => null,
    },
    ...(features.mutations && { writes: memoryWrites }),
    source: (name, { database }) => ({
      key: `${name} ${String(database)}`,
      shown: `memory:${String(database)}`,
      open: async () => connection(stored.get(String(database)) ?? { tables: {} }, features.mutations !== null),
    }),
  }
}

/** What a database in memory has no part for. */
const lacking = [/function/, /(^|_)event(s|_|$)/, /computed_field/, /set_table_is_enum/, /run_sql/, /procedure/]

/** What a statement is answered by. */
class MemoryQuery {
  readonly query: RootQuery

  constructor(query: RootQuery) {
    this.query = query
  }
}

/** Of the optional parts it has writes, where its backend does. */
function connection(stored: { tables: MemoryTables }, writes: boolean): SourceConnection {
  const introspection: Introspection = {
    tables: new Map(
      Object.entries(stored.tables).map(([name, { columns }]) => [`public.${name}`, describe(name, columns)]),
    ),
    serverVersion: 1,
  }
  return {
    connections: () => ({ open: 0, idle: 0, waiting: 0 }),
    ping: async () => {},
    introspect: async () => introspection,
    queryRows: async () => [],
    query: async (plan, parameters) => {
      if (!(plan.shape instanceof MemoryQuery)) throw new Error('another backend compiled this')
      const textOf = (value: Value) => parameters[plan.slots.indexOf(value)] ?? null
      return Buffer.from(JSON.stringify(run(plan.shape.query, stored.tables, textOf)))
    },
    ...(writes && {
      runWrites: async (programs: readonly WriteProgram[]) => {
        const { tables, answers } = runMemoryWrites(programs, stored.tables)
        stored.tables = tables
        return answers
      },
    }),
    explain: async (text) => [`Scan in memory: ${text}`],
    rest() {},
    close: async () => {},
  }
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
    insertable: true,
    updatable: true,
    deletable: true,
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

function run(query: RootQuery, tables: MemoryTables, textOf: TextOf): unknown {
  if (query.kind !== 'rows' && query.kind !== 'row') throw new Error('rows only')
  const where = query.kind === 'rows' ? query.rows.where : query.where
  const rows = rowsOf(tables, query.from.name)
    .filter((row) => satisfies(row, where, textOf))
    .map((row) => shown(row, query.fields, tables, textOf))
  return query.kind === 'row' || query.single ? (rows[0] ?? null) : rows
}
