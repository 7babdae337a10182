/**
 * Backends whose databases stand in memory: all that is known of a database is what it is made of here, and nothing can be
 * asked of it. For metadata of kinds of source that a test cannot have a database of.
 */
import type { Backend, DatabaseFunction, DatabaseTable, Introspection } from '../src/backends/index.ts'

/** Tables by their names as texts show them (`dbo.artist`), each with its columns and their types: `id` is the key. */
export type StandInTables = Readonly<Record<string, Readonly<Record<string, string>>>>

export function standIn(backend: Backend, tables: StandInTables, functions: readonly DatabaseFunction[] = []): Backend {
  const described = Object.entries(tables).map(([name, columns]) => describe(backend, name, columns))
  const introspection: Introspection = {
    tables: new Map(described.map((table) => [`${table.table.schema}.${table.table.name}`, table])),
    serverVersion: 1,
  }
  const hasFunctions = functions.length > 0
  return {
    ...backend,
    source: (name) => ({
      key: `${backend.kind} ${name}`,
      shown: backend.kind,
      open: async () => ({
        connections: () => ({ open: 0, idle: 0, waiting: 0 }),
        ping: async () => {},
        introspect: async () => introspection,
        query: async () => Buffer.from('[]'),
        queryRows: async () => [],
        explain: async () => [],
        rest() {},
        close: async () => {},
        ...(hasFunctions && {
          readFunctions: async (names: readonly { readonly schema: string; readonly name: string }[]) =>
            names.map((one) => functions.filter(({ function: f }) => f.schema === one.schema && f.name === one.name)),
        }),
      }),
    }),
  }
}

function describe({ types, kind }: Backend, shown: string, columns: Readonly<Record<string, string>>): DatabaseTable {
  const [schema = '', name = ''] = shown.split('.')
  const isWritten = types.features.mutations !== null
  return {
    table: { schema, name },
    kind: 'table',
    description: null,
    columns: Object.entries(columns).map(([column, type], i) => {
      const known = types.baseType(type)
      if (!known) throw new Error(`${kind} has no type ${type}`)
      return {
        name: column,
        position: i + 1,
        type: known,
        nullable: column !== 'id',
        hasDefault: false,
        generated: 'never',
        description: null,
      }
    }),
    primaryKey: isWritten && 'id' in columns ? { constraint: `${name}_pk`, columns: ['id'] } : null,
    uniqueKeys: [],
    foreignKeys: [],
    insertable: isWritten,
    updatable: isWritten,
    deletable: isWritten,
    fingerprint: '1',
    oid: shown,
  }
}
