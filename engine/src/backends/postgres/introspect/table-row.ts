import type { JsonObject } from '@svc/schema'
import type { DatabaseType, QualifiedName } from '../../../ir/index.ts'
import type { DatabaseColumn, DatabaseTable, ForeignKey } from '../../backend.ts'

/** A row of `readTables` -> the table it describes. */
export function tableOfRow(row: readonly (string | null)[]): DatabaseTable {
  const [oid, schema, name, fingerprint, relkind, description, updatable, columns, indexes, foreignKeys, ...alone] = row
  const bits = Number(updatable)
  const keys = parseList<IndexRow>(indexes).map(([constraint, primary, partial, of, isConstraint]) => {
    return { primary, key: { constraint, columns: of ?? [], partial, isConstraint } }
  })
  const primaryKey = keys.find(({ primary }) => primary)?.key
  return {
    table: { schema: schema ?? '', name: name ?? '' },
    kind: kinds[relkind ?? ''] ?? 'table',
    description: description ?? null,
    columns: parseList<ColumnRow>(columns).map(columnOfRow),
    primaryKey: primaryKey ? { constraint: primaryKey.constraint, columns: primaryKey.columns } : null,
    uniqueKeys: keys.filter(({ primary }) => !primary).map(({ key }) => key),
    foreignKeys: parseList<ForeignKeyRow>(foreignKeys).map(foreignKeyOfRow),
    insertable: (bits & 8) !== 0,
    updatable: (bits & 4) !== 0,
    deletable: (bits & 16) !== 0,
    insertsAlone: alone[0] === 'true',
    writesAlone: alone[1] === 'true',
    readsAlone: alone[2] === 'true',
    fingerprint: fingerprint ?? '',
    oid: oid ?? '',
  }
}

type ColumnRow = readonly [
  position: number,
  name: string,
  notNull: boolean,
  hasDefault: boolean,
  identity: string,
  generated: string,
  type: TypeRow,
  comment: string | null,
]
export type TypeRow = readonly [schema: string, name: string, typtype: string, array: boolean]
type IndexRow = readonly [
  name: string,
  primary: boolean,
  partial: boolean,
  columns: readonly string[] | null,
  isConstraint: boolean,
]
type ForeignKeyRow = readonly [
  constraint: string,
  oid: string,
  schema: string,
  name: string,
  from: readonly string[],
  to: readonly string[],
]

const parseList = <Row>(json: string | null | undefined): readonly Row[] =>
  json === null || json === undefined ? [] : (JSON.parse(json) as readonly Row[])

function columnOfRow(row: ColumnRow): DatabaseColumn {
  const [position, name, notNull, hasDefault, identity, generated, type, description] = row
  return {
    name,
    position,
    type: typeOfRow(type),
    nullable: !notNull,
    // a generated column's expression is stored where defaults are
    hasDefault: (hasDefault && generated === '') || identity !== '',
    generated: generation(identity, generated),
    description,
  }
}

function generation(identity: string, generated: string): DatabaseColumn['generated'] {
  if (generated !== '') return 'stored'
  if (identity === '') return 'never'
  return identity === 'a' ? 'identity-always' : 'identity-by-default'
}

export function typeOfRow([schema, name, typtype, array]: TypeRow): DatabaseType {
  const key = `${array ? 'a' : 's'}${typtype} ${schema.length} ${schema}${name}`
  const known = types.get(key)
  if (known) return known
  const type: DatabaseType = { schema, name, kind: typeKinds[typtype] ?? 'other', array }
  if (types.size >= mostTypes) types.clear()
  types.set(key, type)
  return type
}

/** The 50,000 columns of 5,000 tables are of a dozen types: what is known of a type is looked up by its reference. */
const types = new Map<string, DatabaseType>()
const mostTypes = 10_000

function foreignKeyOfRow([constraint, oid, schema, name, from, to]: ForeignKeyRow): ForeignKey {
  const target: QualifiedName = { schema, name }
  return { constraint, oid, target, columns: from.map((column, i) => ({ from: column, to: to[i] ?? '' })) }
}

const kinds: Readonly<Record<string, DatabaseTable['kind']>> = {
  r: 'table',
  v: 'view',
  m: 'materialized-view',
  f: 'foreign-table',
  p: 'partitioned-table',
}

const typeKinds: Readonly<Record<string, DatabaseType['kind']>> = {
  b: 'base',
  e: 'enum',
  c: 'composite',
  r: 'range',
  m: 'range',
}

/** A table's name as JSON has it. */
export const tableJson = ({ schema, name }: QualifiedName): JsonObject => ({ schema, name })
