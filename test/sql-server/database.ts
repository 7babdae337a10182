/** What a database holds. Nothing of it is ever changed in place, so that a rollback is the value from before. */
import { randomUUID } from 'node:crypto'
import { foldCase } from './compare.ts'
import { ServerError } from './server-error.ts'
import type { Declaration, Expression, Path, Predicate, Query, Statement } from './syntax.ts'
import type { Cell, SqlType } from './types.ts'

export type Row = readonly Cell[]
export type TableColumn = {
  readonly id: number
  readonly name: string
  readonly type: SqlType
  readonly isNullable: boolean
  readonly isIdentity: boolean
  readonly isGenerated: boolean
  readonly default: Expression | null
  readonly defaultName: string | null
  readonly computed: Expression | null
}
export type Key = {
  readonly id: number
  readonly name: string
  readonly kind: 'primary' | 'unique' | 'index'
  readonly isUnique: boolean
  readonly columns: readonly number[]
  readonly where: Predicate | null
}
export type ForeignKey = {
  readonly id: number
  readonly name: string
  readonly columns: readonly number[]
  readonly table: number
  readonly references: readonly number[]
  readonly onDelete: string
}
type Check = { readonly id: number; readonly name: string; readonly predicate: Predicate }
type Named = { readonly id: number; readonly schema: string; readonly name: string }
export type Table = Named & {
  readonly kind: 'table'
  readonly columns: readonly TableColumn[]
  readonly rows: readonly Row[]
  readonly keys: readonly Key[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly checks: readonly Check[]
}
export type View = Named & {
  readonly kind: 'view'
  readonly query: Query
  readonly columns: readonly string[] | null
  readonly text: string
}
export type Module = Named & {
  readonly kind: 'procedure' | 'function' | 'trigger'
  readonly table: number | null
  readonly parameters: readonly Declaration[]
  readonly body: readonly Statement[]
  /** Of a trigger: INSERT, UPDATE, DELETE. */
  readonly events: readonly string[]
  readonly text: string
}
export type DatabaseObject = Table | View | Module

export type Database = {
  readonly name: string
  readonly guid: string
  readonly schemas: ReadonlyMap<string, { readonly id: number; readonly name: string }>
  readonly objects: ReadonlyMap<string, DatabaseObject>
}

/** Numbers that no rollback takes back: ids of objects, identities, row versions. */
export class Counters {
  #next = 1_000_000
  #version = 2000n
  readonly #identities = new Map<number, bigint>()

  nextId(): number {
    return ++this.#next
  }
  nextVersion(): Buffer {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(++this.#version)
    return bytes
  }
  nextIdentity(table: number): bigint {
    const value = (this.#identities.get(table) ?? 0n) + 1n
    this.#identities.set(table, value)
    return value
  }
  identityOf(table: number): bigint | null {
    return this.#identities.get(table) ?? null
  }
  /** An explicit value for an identity column moves the counter on. */
  sawIdentity(table: number, value: bigint): void {
    if (value > (this.#identities.get(table) ?? 0n)) this.#identities.set(table, value)
  }
  restartIdentity(table: number): void {
    this.#identities.delete(table)
  }
  /** The next value follows `value`, or is it where no row was ever inserted. */
  reseed(table: number, value: bigint): void {
    this.#identities.set(table, this.#identities.has(table) ? value : value - 1n)
  }
}

export const emptyDatabase = (name: string): Database => ({
  name,
  guid: randomUUID().toUpperCase(),
  schemas: new Map([
    ['dbo', { id: 1, name: 'dbo' }],
    ['guest', { id: 2, name: 'guest' }],
    ['information_schema', { id: 3, name: 'INFORMATION_SCHEMA' }],
    ['sys', { id: 4, name: 'sys' }],
  ]),
  objects: new Map(),
})

export const nameKey = (schema: string, name: string): string => `${foldCase(schema)}.${foldCase(name)}`
export const isSameName = (one: string, other: string): boolean => foldCase(one) === foldCase(other)

/** Schema and name of a path; dbo where it has none. */
export function splitPath(path: Path): { readonly schema: string; readonly name: string } {
  const name = path.at(-1) ?? ''
  return { schema: path.at(-2) || 'dbo', name }
}

export function findObject(database: Database, path: Path): DatabaseObject | null {
  const { schema, name } = splitPath(path)
  return database.objects.get(nameKey(schema, name)) ?? null
}

export const putObject = (database: Database, object: DatabaseObject): Database => ({
  ...database,
  objects: new Map(database.objects).set(nameKey(object.schema, object.name), object),
})

export function dropObject(database: Database, { schema, name }: DatabaseObject): Database {
  const objects = new Map(database.objects)
  objects.delete(nameKey(schema, name))
  return { ...database, objects }
}

export const tablesOf = (database: Database): readonly Table[] =>
  [...database.objects.values()].filter((object) => object.kind === 'table')

export function columnIndex(table: Pick<Table, 'columns'>, name: string): number {
  const index = table.columns.findIndex((column) => isSameName(column.name, name))
  if (index < 0) throw new ServerError(207, `Invalid column name '${name}'.`)
  return index
}

export const cellsOf = (table: Table, row: Row, ids: readonly number[]): Row =>
  ids.map((id) => row[table.columns.findIndex((column) => column.id === id)] ?? null)

/** The name of a temporary table or table variable among those of a session. */
export const foldTemporary = (name: string): string => foldCase(name)
