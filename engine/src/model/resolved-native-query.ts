import type { CodePart } from '@svc/schema'
import type { DatabaseType, QualifiedName } from '../ir/index.ts'
import type { NativeQueryId, TableId } from './object-ids.ts'

/** A stored procedure that is called for the rows, and the columns that it returns. */
export interface ResolvedProcedure {
  readonly procedure: QualifiedName
  readonly columns: readonly { readonly name: string; readonly type: DatabaseType; readonly nullable: boolean }[]
}

/** A query in SQL, or a stored procedure, as a root field (reference/database-objects#native-queries). */
export interface ResolvedNativeQuery {
  readonly id: NativeQueryId
  readonly source: string
  /** Its root field, which has neither prefix nor namespace. */
  readonly name: string
  readonly description: string | null
  /** Empty of a stored procedure. */
  readonly parts: readonly CodePart[]
  readonly procedure?: ResolvedProcedure
  readonly arguments: readonly {
    readonly name: string
    readonly type: DatabaseType
    readonly nullable: boolean
    readonly description: string | null
  }[]
  /** `<name>_arguments` */
  readonly argumentsName: string
  /** The logical model of its rows. */
  readonly rows: TableId
  readonly of: QualifiedName
}
