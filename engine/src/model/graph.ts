import type { ObjectAddress } from '@svc/schema'
import { Map as ImmutableMap } from 'immutable'
import type { TableId } from './model.ts'
import type { TableFace } from './resolve/table-face.ts'
import type { TableShape } from './resolve/table-shape.ts'

/** A table that is good in itself. Not served while a clash of names keeps it out. */
export interface TableNode {
  readonly id: TableId
  readonly address: ObjectAddress
  readonly shape: TableShape
  readonly face: TableFace
  readonly served: boolean
}

/** What an object read of others: a table (its shape), a relationship, a computed field or a function, there or not. */
export type ReadKey = string

export const tableReadKey = (id: TableId): ReadKey => `table ${id}`
export const relationshipReadKey = (id: TableId, name: string): ReadKey => `relationship ${id} ${name}`

export const computedFieldReadKey = (id: TableId, name: string): ReadKey => `computed field ${id} ${name}`
/** What a table is called in GraphQL: read by what is named after it. */
export const tableNameReadKey = (id: TableId): ReadKey => `name of ${id}`
/** Who has a type's name: read by what has types of its own beside tables. */
export const typeReadKey = (name: string): ReadKey => `type ${name}`
export const functionReadKey = (source: string, own: string): ReadKey => `function ${source}/${own}`

/** What a model keeps to make the next one from: how each table was resolved and who read what. */
export interface ModelGraph {
  readonly nodes: ImmutableMap<TableId, TableNode>
  /** By addressText of the reader: what it read beyond its own table's shape. */
  readonly reads: ImmutableMap<string, readonly ReadKey[]>
  /** The same the other way: readers by addressText. */
  readonly readers: ImmutableMap<ReadKey, ImmutableMap<string, ObjectAddress>>
  /** Who serves a type name and all types derived from it. */
  readonly typeNames: ImmutableMap<string, TableId>
  /** Served tables by the scalars of their columns, those left out that the backend knows: few columns are of others. */
  readonly oddScalars: ImmutableMap<string, ImmutableMap<TableId, true>>
  /** Computed fields by the name of the type of their arguments. */
  readonly argumentTypes: ImmutableMap<string, ObjectAddress>
  /** Whose `<n>_one` a root field is or would be, by `rootKey`. */
  readonly aliases: ImmutableMap<string, TableId>
  /** Tables kept out by a clash, by the table that has the name. */
  readonly blocked: ImmutableMap<TableId, ImmutableMap<TableId, true>>
  /** How many objects name each role. */
  readonly roleUses: ImmutableMap<string, number>
}

export const emptyGraph: ModelGraph = {
  nodes: ImmutableMap(),
  reads: ImmutableMap(),
  readers: ImmutableMap(),
  typeNames: ImmutableMap(),
  oddScalars: ImmutableMap(),
  argumentTypes: ImmutableMap(),
  aliases: ImmutableMap(),
  blocked: ImmutableMap(),
  roleUses: ImmutableMap(),
}
