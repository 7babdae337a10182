/** Which rows and cells a role sees, said straight from the specification: row by row, cell by cell. */
import { evaluate } from './oracle-condition.ts'
import {
  type Permission,
  type Role,
  type Row,
  type SessionVariable,
  type Table,
  tableOf,
  type Value,
  type World,
} from './world.ts'

export const ADMIN = 'admin'

export type Session = Readonly<Record<SessionVariable, string>>

/** What a role is told of a table, and what of its rows. */
export interface View {
  /** Null: the role may not select from it. */
  grant(table: string): Grant | null
  rows(table: string): readonly Row[]
  cell(table: string, row: Row, column: string): Value
}

export interface Grant {
  readonly columns: readonly string[]
  readonly limit: number | null
  readonly aggregations: boolean
}

export function viewOf(world: World, role: string, session: Session): View {
  const seen = new Map<string, ReadonlySet<Row>>()
  const rowsOf = (name: string, table: Table): ReadonlySet<Row> => {
    const key = `${name} ${table.name}`
    const known = seen.get(key)
    if (known) return known
    const rows = new Set(table.rows.filter((row) => seesRow(name, table, row)))
    seen.set(key, rows)
    return rows
  }
  const seesRow = (name: string, table: Table, row: Row): boolean => {
    const own = permissionOf(world, name, table)
    if (own) return evaluate(world, own.filter, { table, row }, session) === true
    return parentsOf(world, name).some((parent) => rowsOf(parent, table).has(row))
  }
  const seesCell = (name: string, table: Table, row: Row, column: string): boolean => {
    const own = permissionOf(world, name, table)
    if (own) return own.columns.includes(column) && rowsOf(name, table).has(row)
    return parentsOf(world, name).some((parent) => seesCell(parent, table, row, column))
  }
  if (role === ADMIN)
    return {
      grant: (name) => ({
        columns: tableOf(world, name).columns.map((one) => one.name),
        limit: null,
        aggregations: true,
      }),
      rows: (name) => tableOf(world, name).rows,
      cell: (_, row, column) => row[column] ?? null,
    }
  return {
    grant: (name) => grantOf(world, role, tableOf(world, name)),
    rows: (name) => [...rowsOf(role, tableOf(world, name))],
    cell: (name, row, column) => (seesCell(role, tableOf(world, name), row, column) ? (row[column] ?? null) : null),
  }
}

const roleOf = (world: World, name: string): Role | undefined => world.roles.get(name)
const parentsOf = (world: World, name: string): readonly string[] => roleOf(world, name)?.parents ?? []
const permissionOf = (world: World, name: string, table: Table): Permission | undefined =>
  roleOf(world, name)?.permissions.get(table.name)

function grantOf(world: World, name: string, table: Table): Grant | null {
  const own = permissionOf(world, name, table)
  if (own) return own
  const grants = parentsOf(world, name).flatMap((parent) => grantOf(world, parent, table) ?? [])
  if (grants.length === 0) return null
  const limits = grants.flatMap(({ limit }) => limit ?? [])
  return {
    columns: table.columns
      .map((one) => one.name)
      .filter((column) => grants.some(({ columns }) => columns.includes(column))),
    limit: limits.length > 0 ? Math.max(...limits) : null,
    aggregations: grants.some(({ aggregations }) => aggregations),
  }
}
