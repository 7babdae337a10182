import { equalJson } from '@svc/schema'
import type { DatabaseColumn, DatabaseTable, ForeignKey, TypeSystem } from '../../backends/index.ts'
import type { QualifiedName } from '../../ir/index.ts'
import type { TableId } from '../object-ids.ts'
import type { ResolvedEnum } from '../resolved-rows.ts'
import { noEnums, type TableEnums } from './enum-table.ts'

/**
 * What relationships and permissions see of a table: the database's side of it. Keeps its reference while nothing of
 * this changes, so a comment in the database or a custom name resolves no permission again.
 */
export interface TableShape {
  readonly id: TableId
  readonly source: string
  readonly table: QualifiedName
  readonly types: TypeSystem
  readonly columns: ReadonlyMap<string, DatabaseColumn>
  readonly columnNames: ReadonlySet<string>
  /** Null where there is none. */
  readonly primaryKey: readonly string[] | null
  readonly foreignKeys: readonly ForeignKey[]
  /** By column name: columns that refer to an enum table. */
  readonly enums: ReadonlyMap<string, ResolvedEnum>
}

export function shapeOf(
  id: TableId,
  source: string,
  table: DatabaseTable,
  types: TypeSystem,
  old: TableShape | undefined,
  enums: TableEnums = noEnums,
): TableShape {
  const shape: TableShape = {
    id,
    source,
    table: table.table,
    types,
    columns: new Map(table.columns.map((column) => [column.name, column])),
    columnNames: new Set(table.columns.map((column) => column.name)),
    primaryKey: table.primaryKey?.columns ?? null,
    foreignKeys: table.foreignKeys,
    enums: enums.ofColumns,
  }
  return old && old.types === types && sameShape(old, shape) ? old : shape
}

const sameShape = (a: TableShape, b: TableShape): boolean =>
  a.source === b.source &&
  equalJson(a.table, b.table) &&
  equalJson(a.primaryKey, b.primaryKey) &&
  equalJson([...a.enums], [...b.enums]) &&
  equalJson(a.foreignKeys.map(meaningOfKey), b.foreignKeys.map(meaningOfKey)) &&
  equalJson([...a.columns.values()].map(meaningOfColumn), [...b.columns.values()].map(meaningOfColumn))

const meaningOfColumn = ({ name, type, nullable, generated }: DatabaseColumn) => ({ name, type, nullable, generated })

const meaningOfKey = ({ constraint, target, columns }: ForeignKey) => ({ constraint, target, columns })
