/** What there is in a world, by name. */

import type { Column, ColumnType, Relationship, Routine, Table, Value, World } from './world.ts'

export const columnOf = (table: Table, name: string): Column => {
  const column = table.columns.find((one) => one.name === name)
  if (!column) throw new Error(`no column ${name} in ${table.name}`)
  return column
}

export const isArray = (value: Value): value is readonly (number | string | null)[] => Array.isArray(value)

/** PostgreSQL's text of an array. */
export const arrayText = (items: readonly (number | string | null)[]): string =>
  `{${items.map((item) => (item === null ? 'NULL' : typeof item === 'number' ? item : itemText(item))).join(',')}}`

const itemText = (item: string): string => (/^$|^null$|[\s{}",\\]/i.test(item) ? JSON.stringify(item) : item)

/** GraphQL may name something like that. */
export const isName = (name: string): boolean => /^[_A-Za-z]\w*$/.test(name)

/** How SQL names it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The name in GraphQL of a column or a computed field. */
export const fieldOf = (table: Table, name: string): string =>
  table.columns.find((one) => one.name === name)?.field ?? name

export const tableOf = (world: World, name: string): Table => {
  const table = world.tables.get(name)
  if (!table) throw new Error(`no table ${name}`)
  return table
}

export const relationshipOf = (world: World, table: string, name: string): Relationship => {
  const found = world.relationships.find((one) => one.table === table && one.name === name)
  if (!found) throw new Error(`no relationship ${name} of ${table}`)
  return found
}

export const computedOf = (world: World, table: string, name: string): Routine => {
  const found = world.routines.find((one) => one.table === table && one.name === name)
  if (!found) throw new Error(`no computed field ${name} of ${table}`)
  return found
}

/** Of a column or a scalar computed field. */
export function typeOf(world: World, table: Table, name: string): ColumnType {
  const column = table.columns.find((one) => one.name === name)
  if (column) return column.type
  const { body } = computedOf(world, table.name, name)
  if (body.kind === 'rows') throw new Error(`${name} gives rows`)
  return body.returns
}

/** The table of the rows behind a relationship or a computed field. */
export function rowsTarget(world: World, table: Table, name: string): string {
  const way = world.relationships.find((one) => one.table === table.name && one.name === name)
  if (way) return way.target
  const { body } = computedOf(world, table.name, name)
  return body.kind === 'rows' ? body.target : ''
}
