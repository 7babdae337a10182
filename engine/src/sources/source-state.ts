import type { JsonObject } from '@svc/schema'
import type {
  Backend,
  DatabaseFunction,
  EnumValues,
  Introspection,
  QueryDefinition,
  QueryVerdict,
  SourceConnection,
} from '../backends/index.ts'
import type { DatabaseType, QualifiedName } from '../ir/index.ts'
import type { Routing } from './routing/routing.ts'

/** The tables that metadata marks as enums, by own key, and their values. */
export type SourceEnums = ReadonlyMap<string, EnumValues>

/** The functions that metadata names, by own key of a function, and all the database has of that name. */
export type SourceFunctions = ReadonlyMap<string, NamedFunctions>

/** The native queries that metadata declares, and the types that it names for them and for logical models. */
export interface SourceQueries {
  /** By own key of a native query. */
  readonly checked: ReadonlyMap<string, CheckedQuery>
  /** By their names as metadata has them; null: there is no such type. */
  readonly types: ReadonlyMap<string, DatabaseType | null>
}

export interface CheckedQuery {
  readonly definition: QueryDefinition
  readonly verdict: QueryVerdict
}

/** What metadata declares of a source, for its database to check. */
export interface DeclaredQueries {
  readonly queries: ReadonlyMap<string, QueryDefinition>
  readonly types: ReadonlySet<string>
}

export interface NamedFunctions {
  readonly name: QualifiedName
  readonly overloads: readonly DatabaseFunction[]
}

/** What is known of one source at a moment; plain data for the model, which compares by reference. */
export type SourceState = ReadySource | UnavailableSource

export interface ReadySource {
  readonly status: 'ready'
  readonly name: string
  readonly backend: Backend
  readonly configuration: JsonObject
  readonly introspection: Introspection
  readonly enums: SourceEnums
  readonly functions: SourceFunctions
  readonly queries: SourceQueries
  /** Of the database itself, whatever `routing` says. */
  readonly connection: SourceConnection
  /** Where requests go instead; absent: nowhere. */
  readonly routing?: Routing
}

export interface UnavailableSource {
  readonly status: 'unavailable'
  readonly name: string
  /** Null: this version, or what is installed of it, serves no source of its kind; trying again is useless. */
  readonly backend: Backend | null
  readonly configuration: JsonObject
  /** Nothing is known of any; they are read once the source is there. */
  readonly enums: SourceEnums
  /** Only their names. */
  readonly functions: SourceFunctions
  /** Unchecked, and no type is known. */
  readonly queries: SourceQueries
  /** `Inconsistent object: connection error`, an unset environment variable … */
  readonly reason: string
  /** What the database or the network said; undefined where the reason says it all. */
  readonly message: unknown
}
