import type { CodePart } from '@svc/schema'
import type { DatabaseType, QualifiedName } from '../ir/index.ts'
import type { NativeQueryId, TableId } from './object-ids.ts'

/** A query in SQL as a root field (reference/database-objects#native-queries). */
export interface ResolvedNativeQuery {
  readonly id: NativeQueryId
  readonly source: string
  /** Its root field, which has neither prefix nor namespace. */
  readonly name: string
  readonly description: string | null
  readonly parts: readonly CodePart[]
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
