import {
  defaultKind,
  isRecord,
  type Json,
  type JsonObject,
  kindOfSource,
  type MetadataDocument,
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
}

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
  for (const source of recordsOf(sources)) {
    if (kindOfSource(source) !== defaultKind) continue
    const name = String(source.name)
    const { body } = await client.query({ type: 'run_sql', args: { source: name, sql: statement, read_only: true } })
    facts.set(name, tablesIn(body, sizes))
  }
  return facts
}

const recordsOf = (json: Json | undefined): readonly JsonObject[] =>
  Array.isArray(json) ? (json as readonly Json[]).filter(isRecord) : []

const statement = `SELECT coalesce(json_agg(json_build_object(
  'name', n.nspname || '.' || c.relname, 'rows', c.reltuples, 'is_table', c.relkind IN ('r', 'p', 'm'),
  'types', (SELECT json_object_agg(a.attname, format_type(a.atttypid, NULL)) FROM pg_catalog.pg_attribute a
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
  'indexed', (SELECT json_agg(a.attname) FROM pg_catalog.pg_index i
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
    WHERE i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL))), '[]')::text
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'm', 'v', 'f') AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'`

function tablesIn(body: unknown, sizes: 'known' | 'unknown'): ReadonlyMap<string, TableFacts> {
  const { result } = isRecord(body) ? body : {}
  const [, row] = Array.isArray(result) ? (result as readonly (readonly string[])[]) : []
  const listed: unknown = JSON.parse(row?.[0] ?? '[]')
  return new Map(
    recordsOf(listed as Json).map(({ name, rows, is_table, types, indexed }) => [
      String(name),
      {
        // -1: it was never counted
        rows: sizes === 'known' && Number(rows) >= 0 ? Number(rows) : null,
        isTable: is_table === true,
        types: new Map(Object.entries(isRecord(types) ? types : {}).map(([column, type]) => [column, String(type)])),
        indexed: new Set(Array.isArray(indexed) ? indexed.map(String) : []),
      },
    ]),
  )
}
