import type { DatabaseType, QualifiedName } from '../ir/index.ts'
import type { SourceNaming } from './naming/source-naming.ts'
import type { FunctionId, TableId } from './object-ids.ts'

/** A tracked function (reference/database-objects#tracked-functions). */
export interface ResolvedFunction {
  readonly id: FunctionId
  readonly source: string
  readonly function: QualifiedName
  readonly set: boolean
  readonly volatile: boolean
  readonly arguments: readonly ResolvedArgument[]
  /** The type of the rows that it returns. */
  readonly table: TableId
  readonly of: QualifiedName
  readonly exposedAs: 'query' | 'mutation'
  /** Of its source. */
  readonly naming: SourceNaming
  /** `<fn>_args` */
  readonly argumentsName: string
  readonly field: string
  /** Null: it returns one row. */
  readonly aggregateField: string | null
  /** In Relay's schema, where its rows are nodes. Null: it returns one row. */
  readonly connectionField: string | null
  readonly description: string | null
  /** Those with a permission of their own. */
  readonly roles: ReadonlySet<string>
}

/** What an argument of a function is filled with. */
export type ResolvedArgument =
  | { readonly kind: 'row'; readonly name: string | null }
  /** A column of the row. */
  | { readonly kind: 'column'; readonly name: string | null; readonly column: string }
  | { readonly kind: 'session'; readonly name: string; readonly type: DatabaseType }
  | {
      readonly kind: 'user'
      /** Null: it has none in the database. */
      readonly name: string | null
      /** In GraphQL. */
      readonly field: string
      readonly type: DatabaseType
      readonly hasDefault: boolean
      /** It may not be null. */
      readonly isRequired?: true
    }
