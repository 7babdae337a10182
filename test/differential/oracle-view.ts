/** Which rows and cells a role sees, said straight from the specification: row by row, cell by cell. */
import { evaluate } from './oracle-condition.ts'
import type { Permission, RootField, Row, SessionVariable, Table, Value, World } from './world.ts'
import { tableOf } from './world-lookup.ts'

export const ADMIN = 'admin'

export type Session = Readonly<Record<SessionVariable, string>>

/** Who asks, of what, and how numbers are shown. */
export interface Asker {
  readonly world: World
  readonly view: View
  readonly session: Session
  /** Large and exact numbers are shown as text. */
  readonly stringify: boolean
}

/** What a role sees of a table, and what of its rows. */
export interface View {
  /** Null: the role may not select from it. */
  grant(table: string): Grant | null
  /** Those of these rows that the role sees. */
  visible(table: Table, rows: readonly Row[]): readonly Row[]
  /** What the role sees of a column's value, or of a scalar computed field's. */
  cell(table: Table, row: Row, name: string, value: Value): Value
}

export interface Grant {
  readonly columns: readonly string[]
  readonly computed: readonly string[]
  readonly limit: number | null
  readonly aggregations: boolean
  /** Of the query root; null: all. */
  readonly roots: readonly RootField[] | null
}

export function viewOf(world: World, role: string, session: Session): View {
  if (role === ADMIN)
    return { grant: (name) => wholeGrant(world, name), visible: (_, rows) => rows, cell: (_, __, ___, value) => value }
  const known = new Map<string, Map<Row, boolean>>()
  const sees = (name: string, table: Table, row: Row): boolean => {
    const key = `${name} ${table.name}`
    const rows = known.get(key) ?? new Map<Row, boolean>()
    known.set(key, rows)
    const answer = rows.get(row) ?? seesRow(name, table, row)
    rows.set(row, answer)
    return answer
  }
  const seesRow = (name: string, table: Table, row: Row): boolean => {
    const own = permissionOf(world, name, table)
    if (own) return evaluate({ world, session, view: null }, own.filter, { table, row }) === true
    return parentsOf(world, name).some((parent) => sees(parent, table, row))
  }
  const seesCell = (name: string, table: Table, row: Row, value: string): boolean => {
    const own = permissionOf(world, name, table)
    if (own) return holds(own, value) && sees(name, table, row)
    return parentsOf(world, name).some((parent) => seesCell(parent, table, row, value))
  }
  return {
    grant: (name) => grantOf(world, role, tableOf(world, name)),
    visible: (table, rows) => rows.filter((row) => sees(role, table, row)),
    // rows that the role does not see are looked at where a function gives them: a value no parent lacks is no secret
    cell: (table, row, name, value) =>
      seesCell(role, table, row, name) || (!sees(role, table, row) && isEverywhere(world, role, table, name))
        ? value
        : null,
  }
}

const holds = ({ columns, computed }: Pick<Grant, 'columns' | 'computed'>, name: string): boolean =>
  columns.includes(name) || computed.includes(name)

/** Whether every role that this one is made of and that may select from the table has the value. */
function isEverywhere(world: World, name: string, table: Table, value: string): boolean {
  const own = permissionOf(world, name, table)
  if (own) return holds(own, value)
  return parentsOf(world, name)
    .filter((parent) => grantOf(world, parent, table))
    .every((parent) => isEverywhere(world, parent, table, value))
}

const parentsOf = (world: World, name: string): readonly string[] => world.roles.get(name)?.parents ?? []
const permissionOf = (world: World, name: string, table: Table): Permission | undefined =>
  world.roles.get(name)?.permissions.get(table.name)

/** What is there to be seen of a table. */
const valuesOf = (world: World, table: Table) => ({
  columns: table.columns.map(({ name }) => name),
  computed: world.routines
    .filter((one) => one.table === table.name && one.body.kind !== 'rows')
    .map(({ name }) => name),
})

const wholeGrant = (world: World, name: string): Grant => {
  const table = tableOf(world, name)
  return { ...valuesOf(world, table), limit: null, aggregations: table.kind !== 'model', roots: null }
}

function grantOf(world: World, name: string, table: Table): Grant | null {
  const own = permissionOf(world, name, table)
  if (own) return own
  const grants = parentsOf(world, name).flatMap((parent) => grantOf(world, parent, table) ?? [])
  if (grants.length === 0) return null
  const limits = grants.flatMap(({ limit }) => limit ?? [])
  const { columns, computed } = valuesOf(world, table)
  return {
    columns: columns.filter((column) => grants.some((grant) => grant.columns.includes(column))),
    computed: computed.filter((field) => grants.some((grant) => grant.computed.includes(field))),
    limit: limits.length > 0 ? Math.max(...limits) : null,
    aggregations: grants.some(({ aggregations }) => aggregations),
    roots: grants.every(({ roots }) => roots) ? grants.flatMap(({ roots }) => roots ?? []) : null,
  }
}
