import { ownKey } from '@svc/schema'
import type { QualifiedName } from '../../../ir/index.ts'
import type { DatabaseTable, Introspection } from '../../backend.ts'
import type { ResultSet } from '../connect/run-request.ts'
import { catalogueBatch } from './catalogue.ts'
import { type CatalogueRow, tablesOf } from './tables-of.ts'

/**
 * Reads the catalogue in one round trip (docs/sql-server.md#sources). Tables that did not change keep their reference
 * of `previous`, and so does the whole where none did; with `only`, all other tables are unchanged.
 */
export async function introspect(
  run: (batch: string) => Promise<readonly ResultSet[]>,
  previous: Introspection | null,
  only?: readonly QualifiedName[],
): Promise<Introspection> {
  const [columns = [], primaryKeys = [], foreignKeys = []] = (await run(catalogueBatch)).map(rowsByName)
  const named = only && new Set(only.map((table) => keyOf(table)))
  const tables = new Map<string, DatabaseTable>()
  const isSelected = (key: string) => !named || named.has(key)
  for (const table of tablesOf(columns, primaryKeys, foreignKeys)) {
    const key = keyOf(table.table)
    if (!isSelected(key)) continue
    const known = previous?.tables.get(key)
    tables.set(key, known?.fingerprint === table.fingerprint ? known : table)
  }
  if (named && previous) for (const [key, table] of previous.tables) if (!isSelected(key)) tables.set(key, table)
  const isAsWas =
    previous?.tables.size === tables.size && [...tables].every(([key, table]) => previous.tables.get(key) === table)
  return isAsWas ? previous : { tables, serverVersion: 0 }
}

const keyOf = ({ schema, name }: QualifiedName): string => ownKey('table', { table: { schema, name } })

/** The rows of a set by the names of their columns. */
const rowsByName = ({ columns, rows }: ResultSet): readonly CatalogueRow[] =>
  rows.map((row) => Object.fromEntries(columns.map(({ name }, i) => [name, row[i]])))
