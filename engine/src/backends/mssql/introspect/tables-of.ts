import { hash } from 'node:crypto'
import type { DatabaseColumn, DatabaseTable, ForeignKey } from '../../backend.ts'

/** By the names of the columns. */
export type CatalogueRow = Readonly<Record<string, unknown>>

/** Tables of the rows of the catalogue's queries, each in the order of its query. */
export function tablesOf(
  columns: readonly CatalogueRow[],
  primaryKeys: readonly CatalogueRow[],
  foreignKeys: readonly CatalogueRow[],
): readonly DatabaseTable[] {
  const keysOf = byTable(primaryKeys)
  const linksOf = byTable(foreignKeys)
  return [...byTable(columns)].map(([oid, rows]) => tableOf(oid, rows, keysOf.get(oid) ?? [], linksOf.get(oid) ?? []))
}

function byTable(rows: readonly CatalogueRow[]): ReadonlyMap<string, readonly CatalogueRow[]> {
  return Map.groupBy(rows, (row) => text(row, 'object_id'))
}

function tableOf(
  oid: string,
  columns: readonly CatalogueRow[],
  primaryKey: readonly CatalogueRow[],
  foreignKeys: readonly CatalogueRow[],
): DatabaseTable {
  const [first = {}] = columns
  const [key] = primaryKey
  const facts = {
    table: { schema: text(first, 'schema'), name: text(first, 'name') },
    // what can be written to a view is the database's to say
    kind: text(first, 'kind') === 'VIEW' ? ('view' as const) : ('table' as const),
    description: null,
    columns: columns.map(columnOf),
    primaryKey: key
      ? { constraint: text(key, 'constraint'), columns: primaryKey.map((row) => text(row, 'column')) }
      : null,
    uniqueKeys: [],
    foreignKeys: foreignKeysOf(foreignKeys),
    insertable: true,
    updatable: true,
    deletable: true,
    oid,
  }
  return { ...facts, fingerprint: hash('sha1', JSON.stringify(facts)) }
}

const columnOf = (row: CatalogueRow): DatabaseColumn => ({
  name: text(row, 'column'),
  position: Number(row.column_id),
  type: {
    schema: text(row, 'type_schema'),
    name: text(row, 'type'),
    kind: 'base',
    array: false,
    ...collationOf(row),
    ...digitsOf(row),
  },
  nullable: isTrue(row.is_nullable),
  hasDefault: false,
  generated: isTrue(row.is_identity) ? 'identity-always' : isFilledByServer(row) ? 'stored' : 'never',
  description: null,
})

/** A computed column, or one that says since when and until when a row was as it is. */
const isFilledByServer = (row: CatalogueRow): boolean =>
  isTrue(row.is_computed) || Number(row.generated_always_type ?? 0) !== 0

/** Of a decimal of the server's own. */
function digitsOf(row: CatalogueRow): { readonly wholeDigits?: number } {
  const isDecimal = text(row, 'type_schema') === 'sys' && ['decimal', 'numeric'].includes(text(row, 'type'))
  return isDecimal ? { wholeDigits: Number(row.precision) - Number(row.scale) } : {}
}

/** Of a text that has another than its database. The name is printed as it is: it is one of the server's list. */
function collationOf(row: CatalogueRow): { readonly collation?: string } {
  const [collation, own] = [text(row, 'collation'), text(row, 'own_collation')]
  return collation !== own && own !== '' && /^[A-Z][A-Za-z0-9_]+$/.test(collation) ? { collation } : {}
}

function foreignKeysOf(rows: readonly CatalogueRow[]): readonly ForeignKey[] {
  return [...Map.groupBy(rows, (row) => text(row, 'constraint_id'))].map(([oid, pairs]) => {
    const [first = {}] = pairs
    return {
      constraint: text(first, 'constraint'),
      oid,
      target: { schema: text(first, 'target_schema'), name: text(first, 'target') },
      columns: pairs.map((row) => ({ from: text(row, 'column'), to: text(row, 'target_column') })),
    }
  })
}

const text = (row: CatalogueRow, name: string): string => String(row[name] ?? '')

const isTrue = (value: unknown): boolean => value === true || value === 1
