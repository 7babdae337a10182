/**
 * What a kind of database must offer. A backend knows IR and its database; it knows no GraphQL document,
 * no metadata document and no HTTP.
 */

import type { JsonObject } from '@svc/schema'
import type { ApiError } from '../errors.ts'
import type { RootQuery } from '../ir/index.ts'
import type { DatabaseTable, EnumShape } from './database-objects.ts'
import type { CapturedOperation } from './event-store.ts'
import type { OpenableSource } from './openable-source.ts'
import type { ConfigurationContext } from './source-configuration.ts'
import type { SourceKind } from './source-kind.ts'
import type { CompiledQuery, CompileOptions, MultiplexedQuery, MultiplexedRoot } from './statements.ts'
import type { TypeSystem } from './type-system.ts'
import type { WriteCompiler } from './writes.ts'

export * from './database-objects.ts'
export * from './features.ts'
export * from './openable-source.ts'
export * from './source-connection.ts'
export * from './statements.ts'
export * from './type-system.ts'
export * from './writes.ts'

/**
 * Why a read without effects failed on a replica: `unreachable`: the database is unavailable. `elsewhere`: it cannot be answered
 * there and now (a conflict with recovery, something that is read-only, no memory). `differs`: tables, columns or functions
 * differ from those of the source.
 */
export type ReadFailure = 'unreachable' | 'elsewhere' | 'differs'

export interface Backend {
  readonly kind: string
  /** What spans call such databases: OpenTelemetry's `db.system.name`. */
  readonly system: string
  /** The kinds of source that it serves. */
  readonly kinds: readonly SourceKind[]
  readonly types: TypeSystem
  /** What it shows of types where an experimental feature is on, by the feature's name. */
  readonly experimentalTypes?: Readonly<Record<string, TypeSystem>>
  compileQuery(query: RootQuery, options: CompileOptions): CompiledQuery
  readonly failures: Failures
  /** A source by its configuration in metadata, with what that refers to. Throws UnresolvedConfiguration. */
  source(name: string, configuration: JsonObject, context: ConfigurationContext): OpenableSource
  /** Makes programs of writes; `SourceConnection.runWrites` runs them. Absent: `features.mutations` is null. */
  readonly writes?: WriteCompiler
  /** Absent: `features.subscriptions` are not served. */
  compileMultiplexed?(roots: readonly MultiplexedRoot[], options: CompileOptions): MultiplexedQuery
  /** Absent: no table is an enum. */
  enumShape?(table: DatabaseTable): EnumShape
  /** Why changes of a table cannot be captured as events; null where they can. Absent: those of every table can. */
  captureProblem?(table: DatabaseTable, operations: readonly CapturedOperation[]): string | null
}

/** What the errors of a kind of database mean to other modules, which compare no codes or messages of it. */
interface Failures {
  /** What requests are answered with while a source cannot be reached; `reason`: what the database or the network said. */
  unreachable(reason: unknown): ApiError
  /** Whether the database failed and not the statement: it cannot be reached, or accepts no more connections. */
  isUnreachable(error: ApiError): boolean
  /** Why a read that has no effects failed, where another database could answer it; null: it is the answer. */
  ofRead(error: unknown): ReadFailure | null
}
