/**
 * What a kind of database must offer. A backend knows IR and its database; it knows no GraphQL document,
 * no metadata document and no HTTP.
 */

import type { JsonObject } from '@svc/schema'
import type { RootQuery } from '../ir/index.ts'
import type { DatabaseTable, EnumShape } from './database-objects.ts'
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
 * Why a read without effects failed on a replica: `unreachable`: the database is away. `elsewhere`: it cannot be answered
 * there and now (a conflict with recovery, something that is read-only, no memory). `differs`: tables, columns or functions
 * are others than those of the source.
 */
export type ReadFailure = 'unreachable' | 'elsewhere' | 'differs'

export interface Backend {
  readonly kind: string
  /** The kinds of source that it serves. */
  readonly kinds: readonly SourceKind[]
  readonly types: TypeSystem
  enumShape(table: DatabaseTable): EnumShape
  compileQuery(query: RootQuery, options: CompileOptions): CompiledQuery
  /** Makes programs of writes; `SourceConnection.runWrites` runs them. */
  readonly writes: WriteCompiler
  compileMultiplexed(roots: readonly MultiplexedRoot[], options: CompileOptions): MultiplexedQuery
  /** Why a read that has no effects failed, where another database could answer it; null: it is the answer. */
  readFailure(error: unknown): ReadFailure | null
  /** A source by its configuration in metadata, with what that refers to. Throws UnresolvedConfiguration. */
  source(name: string, configuration: JsonObject, context: ConfigurationContext): OpenableSource
}
