import {
  defaultKind,
  type Json,
  type JsonObject,
  kindOfSource,
  type MetadataDocument,
  recordOf,
  recordsIn,
  textsIn,
  writeDeclared,
} from '@svc/schema'
import type { MetadataClient } from '../client/index.ts'

export interface TableFacts {
  /** PostgreSQL's estimate; null where it is not known. */
  readonly rows: number | null
  /** Whether it can have indexes: no view and no foreign table. */
  readonly isTable: boolean
  /** Types of columns, by name. */
  readonly types: ReadonlyMap<string, string>
  /** Columns that an index of all rows begins with. */
  readonly indexed: ReadonlySet<string>
  /** Tables that foreign keys lead to, `{ schema, name }`, by the `foreignKeyText` of their columns. */
  readonly references: ReadonlyMap<string, JsonObject>
}

export const foreignKeyText = (columns: readonly string[]): string => JSON.stringify(columns.toSorted())

/** By source, then by `schema.name`. */
export type SourceFacts = ReadonlyMap<string, ReadonlyMap<string, TableFacts>>

/** From the databases that an engine serves; `sizes`: whether the number of rows means anything. Throws ClientError. */
export async function readSourceFacts(
  client: MetadataClient,
  document: MetadataDocument,
  sizes: 'known' | 'unknown',
): Promise<SourceFacts> {
  const { sources } = writeDeclared(document)
  const facts = new Map<string, ReadonlyMap<string, TableFacts>>()
  for (const source of recordsIn(sources)) {
    if (kindOfSource(source) !== defaultKind) continue
    const name = String(source.name)
    const { body } = await client.query({ type: 'run_sql', args: { source: name, sql: statement, read_only: true } })
    facts.set(name, tablesIn(body, sizes))
  }
  return facts
}

const statement = `SELECT coalesce(json_agg(json_build_object(
  'id', c.oid, 'schema', n.nspname, 'name', c.relname, 'rows', c.reltuples, 'is_table', c.relkind IN ('r', 'p', 'm'),
  'columns', (SELECT json_agg(json_build_object('number', a.attnum, 'name', a.attname, 'type', format_type(a.atttypid, NULL)))
    FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
  'indexed', (SELECT json_agg(i.indkey[0]) FROM pg_catalog.pg_index i
    WHERE i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL),
  'references', (SELECT json_agg(json_build_object('columns', k.conkey, 'id', k.confrelid)) FROM pg_catalog.pg_constraint k
    WHERE k.conrelid = c.oid AND k.contype = 'f'))), '[]')::text
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'm', 'v', 'f') AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'`

function tablesIn(body: unknown, sizes: 'known' | 'unknown'): ReadonlyMap<string, TableFacts> {
  const { result } = recordOf(body)
  const [, row] = Array.isArray(result) ? (result as readonly (readonly string[])[]) : []
  const listed = recordsIn(JSON.parse(row?.[0] ?? '[]') as Json)
  const names = new Map(listed.map(({ id, schema = null, name = null }) => [String(id), { schema, name }]))
  return new Map(
    listed.map(({ schema, name, rows, is_table, columns, indexed, references }) => {
      const ofTable = recordsIn(columns)
      const byNumber = new Map(ofTable.map(({ number, name: own }) => [String(number), String(own)]))
      // an expression has no number of a column
      const named = (numbers: Json | undefined) => textsIn(numbers).flatMap((number) => byNumber.get(number) ?? [])
      const facts: TableFacts = {
        // -1: it was never counted
        rows: sizes === 'known' && Number(rows) >= 0 ? Number(rows) : null,
        isTable: is_table === true,
        types: new Map(ofTable.map(({ name: own, type }) => [String(own), String(type)])),
        indexed: new Set(named(indexed)),
        references: new Map(
          recordsIn(references).flatMap(({ columns: numbers, id }) => {
            const table = names.get(String(id))
            return table ? [[foreignKeyText(named(numbers)), table] as const] : []
          }),
        ),
      }
      return [`${schema}.${name}`, facts] as const
    }),
  )
}
