/**
 * What a kind of database must offer. A backend knows IR and its database; it knows no GraphQL document,
 * no metadata document and no HTTP.
 */

import type { JsonObject } from '@svc/schema'
import type { RootQuery, Write } from '../ir/index.ts'
import type { LongWork } from '../long-work.ts'
import type { DatabaseTable, EnumShape } from './database-objects.ts'
import type { OpenableSource } from './openable-source.ts'
import type { ConfigurationContext } from './source-configuration.ts'
import type { SourceKind } from './source-kind.ts'
import type { CompiledQuery, CompileOptions, MultiplexedQuery, MultiplexedRoot, WriteFailure } from './statements.ts'
import type { TypeSystem } from './type-system.ts'

export * from './database-objects.ts'
export * from './openable-source.ts'
export * from './source-connection.ts'
export * from './statements.ts'
export * from './type-system.ts'

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
  /** A write, for a transaction (ir/mutation.ts). What it fails with by itself: `writeFailure`. */
  compileWrite(write: Write, options: CompileOptions): CompiledQuery
  /** The same in pieces, for a write of many rows. */
  compileLongWrite(write: Write, options: CompileOptions): LongWork<CompiledQuery>
  /** Why a compiled write failed, where that is none of the database's own reasons. */
  writeFailure(error: unknown): WriteFailure | null
  compileMultiplexed(roots: readonly MultiplexedRoot[], options: CompileOptions): MultiplexedQuery
  /** Why a read that has no effects failed, where another database could answer it; null: it is the answer. */
  readFailure(error: unknown): ReadFailure | null
  /** A source by its configuration in metadata, with what that refers to. Throws UnresolvedConfiguration. */
  source(name: string, configuration: JsonObject, context: ConfigurationContext): OpenableSource
}
