import type { Random } from '../admin/random.ts'

/** By name: its type on both databases. */
const columns = {
  id: ['int8', 'INT64'],
  ref: ['int8', 'INT64'],
  n: ['int8', 'INT64'],
  x: ['float8', 'FLOAT64'],
  p: ['numeric', 'NUMERIC'],
  s: ['text COLLATE "C"', 'STRING'],
  b: ['bool', 'BOOL'],
  d: ['date', 'DATE'],
  t: ['timestamptz', 'TIMESTAMP'],
} as const

export type Column = keyof typeof columns
export const columnNames = Object.keys(columns) as readonly Column[]

/** Each refers to the next by `ref`, the last to the first: `to` is that row, `from` are those that refer to a row. */
export const tables = ['alpha', 'beta', 'gamma'] as const
export type Table = (typeof tables)[number]

export const tableBeyond = (table: Table, relationship: 'to' | 'from'): Table => {
  const step = relationship === 'to' ? 1 : tables.length - 1
  return tables[(tables.indexOf(table) + step) % tables.length] ?? 'alpha'
}

export type Value = number | string | boolean | null
export type Row = readonly Value[]

const words = ['ant', 'Ant', 'bee', 'BEE', 'cat', '', "it's", 'a\\b', '50%', 'x_y', 'é']

/** Few different values, so that conditions find something. */
export function randomValue(random: Random, column: Column): Exclude<Value, null> {
  switch (column) {
    case 'id':
      return 1 + random.below(12)
    case 'ref':
    case 'n':
      return random.below(12) - 1
    case 'x':
    case 'p':
      return (random.below(13) - 3) / 4
    case 's':
      return random.pick(words)
    case 'b':
      return random.chance(0.5)
    case 'd':
      return `20${random.pick(['01', '10', '24'])}-0${1 + random.below(3)}-15`
    case 't':
      return `2024-02-0${1 + random.below(3)}T0${random.below(2)}:00:00.12${random.below(3)}Z`
  }
}

export const randomRows = (random: Random): readonly Row[] =>
  Array.from({ length: 4 + random.below(8) }, (_, i) =>
    columnNames.map((column) => (column === 'id' ? i + 1 : random.chance(0.2) ? null : randomValue(random, column))),
  )

const literal = (value: Value): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value)

export function postgresSql(table: Table, rows: readonly Row[]): string {
  const list = columnNames.map((name) => `${name} ${columns[name][0]}`).join(', ')
  const values = rows.map(
    (row) => `(${row.map((value) => (typeof value === 'string' ? `E${literal(value)}` : literal(value))).join(', ')})`,
  )
  return `DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (${list}, PRIMARY KEY (id)); INSERT INTO ${table} VALUES ${values.join(', ')}`
}

export function bigquerySql(table: Table, rows: readonly Row[]): readonly string[] {
  const list = columnNames.map((name) => `${name} ${columns[name][1]}`).join(', ')
  const values = rows.map(
    (row) => `(${row.map((value, i) => cast(value, columns[columnNames[i] ?? 'id'][1])).join(', ')})`,
  )
  return [`CREATE TABLE shop.${table} (${list})`, `INSERT INTO shop.${table} VALUES ${values.join(', ')}`]
}

const cast = (value: Value, type: string): string =>
  value === null
    ? 'NULL'
    : type === 'STRING' || type === 'INT64'
      ? literal(value)
      : `CAST(${literal(value)} AS ${type})`
