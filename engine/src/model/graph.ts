import type { ObjectAddress, ObjectType } from '@svc/schema'
import { Map as ImmutableMap } from 'immutable'
import type { Claim } from './names/claim.ts'
import type { TableId } from './object-ids.ts'
import type { GraphqlTable } from './resolve/graphql-table.ts'
import type { TableShape } from './resolve/table-shape.ts'
import { SharedMap, type SharedMapInWork } from './shared-map.ts'

/** A table that is consistent in itself. It is not served while its names clash with another one's. */
export interface TableNode {
  readonly id: TableId
  readonly address: ObjectAddress
  readonly shape: TableShape
  readonly graphql: GraphqlTable
  readonly served: boolean
}

/**
 * What an object read of others, there or not: a table (its shape), a relationship, a function of the database, a name.
 * A change of it resolves the object again.
 */
export type ReadKey = string

/** What an object of some part resolves to, by the part's key and the object's id. */
export const partReadKey = (part: string, id: string): ReadKey => `${part} ${id}`
/** Whether metadata has an object, whatever it resolves to. */
export const declaredReadKey = (type: ObjectType, id: string): ReadKey => `declared ${type} ${id}`
/** Read by all objects that read that of some object of the kind. */
export const anyDeclaredReadKey = (type: ObjectType): ReadKey => `declared ${type}`

export const tableReadKey = (id: TableId): ReadKey => `table ${id}`
export const relationshipReadKey = (id: TableId, name: string): ReadKey => `relationship ${id} ${name}`

export const remoteRelationshipReadKey = (id: TableId, name: string): ReadKey => `remote relationship ${id} ${name}`

export const computedFieldReadKey = (id: TableId, name: string): ReadKey => `computed field ${id} ${name}`
/** What a table is called in GraphQL: read by what is named after it. */
export const tableNameReadKey = (id: TableId): ReadKey => `name of ${id}`
/**
 * The owner of a name of GraphQL, be it of a type or, by `rootKey`, of a root field. The name itself, which no other
 * key is like: a table has a dozen, and none has to be made and hashed to see that nothing depends on it.
 */
export const nameReadKey = (name: string): ReadKey => name
/** Whether a column of some table is of that scalar. */
export const scalarReadKey = (name: string): ReadKey => `scalar ${name}`
/** Read by all objects that read the types of columns. */
export const anyScalarReadKey: ReadKey = 'any scalar'
/** Whether a role may select from a table. */
export const selectReadKey = (id: TableId, role: string): ReadKey => `select ${id} ${role}`
export const inheritedRoleReadKey = (role: string): ReadKey => `inherited role ${role}`
/** What a source's database says of the SQL of a native query. */
export const verdictReadKey = (source: string, own: string): ReadKey => `verdict ${source}/${own}`
/** Whether a native query is served, with its relationships. */
export const servedReadKey = (id: string): ReadKey => partReadKey('served native query', id)
/** The objects that declare a relationship of that name for some rows. */
export const declaredRelationshipReadKey = (rows: TableId, name: string): ReadKey => `relationship of ${rows} ${name}`
/** A type of a source's database, by its name as metadata has it. */
export const databaseTypeReadKey = (source: string, name: string): ReadKey => `database type ${source}/${name}`
/** Which kinds of database there are: read by what is of types of any of them. */
export const sourceKindsReadKey: ReadKey = 'kinds of sources'
/** What the server of a remote schema says. */
export const remoteReadKey = (name: string): ReadKey => `remote schema ${name}`
export const functionReadKey = (source: string, own: string): ReadKey => `function ${source}/${own}`

/** What a model stores to make the next one from: how each table was resolved and which object read what. */
export interface ModelGraph {
  readonly nodes: SharedMap<TableNode>
  /** By addressText of the reader: what it read beyond its own table's shape. */
  readonly reads: SharedMap<readonly ReadKey[]>
  /** The same the other way: readers by addressText. */
  readonly readers: SharedMap<ImmutableMap<string, ObjectAddress>>
  /** The owner of the name of a type, and with that of a row type of the names of all types derived from it. */
  readonly types: SharedMap<ObjectAddress>
  /** Those of them that tables have and that end like a derived one: there are hardly any. */
  readonly likeDerived: ImmutableMap<string, true>
  /** Served tables by the scalars of their columns, those left out that the backend knows: few columns are of others. */
  readonly oddScalars: ImmutableMap<string, ImmutableMap<TableId, true>>
  /** By addressText: the names that an object has, tables left out. */
  readonly claims: ImmutableMap<string, readonly Claim[]>
  /** Whose `<n>_one` a root field is or would be, by `rootKey`. */
  readonly aliases: ImmutableMap<string, TableId>
  /** Tables that are not served because of a clash, by the table that has the name. */
  readonly blocked: ImmutableMap<TableId, ImmutableMap<TableId, true>>
  /** How many objects name each role. */
  readonly roleUses: ImmutableMap<string, number>
}

/** The graph of a model that is being made. */
export type GraphInWork = {
  readonly [K in keyof ModelGraph]: ModelGraph[K] extends SharedMap<infer V> ? SharedMapInWork<V> : ModelGraph[K]
}

export const emptyGraph: ModelGraph = {
  nodes: new SharedMap(),
  reads: new SharedMap(),
  readers: new SharedMap(),
  types: new SharedMap(),
  likeDerived: ImmutableMap(),
  oddScalars: ImmutableMap(),
  claims: ImmutableMap(),
  aliases: ImmutableMap(),
  blocked: ImmutableMap(),
  roleUses: ImmutableMap(),
}
