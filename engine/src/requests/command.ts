import type {
  DryRun,
  GetMetadataChangesArgs,
  InsertRowsArgs,
  ListOfSourceArgs,
  ReloadMetadataArgs,
  RunSqlArgs,
  TestWebhookTransformArgs,
} from '@svc/schema'
import { checksMetadata } from '../changes/index.ts'
import type { Path } from '../errors.ts'
import type { PreparedOperation } from '../metadata/index.ts'

/** A decoded request or member of a bulk. `path` is where its run-time errors stand (spec 01 §1.5). */
export type Command =
  | OperationCommand
  | BulkCommand
  | { readonly kind: 'reload'; readonly type: string; readonly args: ReloadMetadataArgs; readonly path: Path }
  | ReadCommand
  | RowCommand

export interface OperationCommand {
  readonly kind: 'operation'
  readonly type: string
  readonly operation: PreparedOperation
  readonly path: Path
  readonly condition: Condition | null
}

/** Refused where somebody has changed, after `since`, one of the objects it touches (docs/metadata-api.md). */
export interface Condition {
  readonly since: number
  readonly path: Path
}

export interface BulkCommand {
  readonly kind: 'bulk'
  readonly type: string
  /** Stops at the first error, goes on after errors, or judges only the end (spec 01 §1.7). */
  readonly mode: 'plain' | 'keep-going' | 'atomic'
  readonly members: readonly Command[]
  readonly path: Path
  readonly condition: Condition | null
}

/** Changes nothing. */
export type ReadCommand =
  | { readonly kind: 'export'; readonly type: string; readonly version: 1 | 2; readonly path: Path }
  | { readonly kind: 'inconsistent'; readonly type: string; readonly version: 1 | 2; readonly path: Path }
  | { readonly kind: 'changes'; readonly type: string; readonly args: GetMetadataChangesArgs; readonly path: Path }
  | {
      readonly kind: 'test-transform'
      readonly type: string
      readonly args: TestWebhookTransformArgs
      readonly path: Path
    }
  | {
      readonly kind: 'list'
      readonly type: string
      readonly of: 'native_query' | 'logical_model'
      readonly args: ListOfSourceArgs
      readonly path: Path
    }

/** Speaks to a database. */
export type RowCommand =
  | { readonly kind: 'run-sql'; readonly type: string; readonly args: RunSqlArgs; readonly path: Path }
  | { readonly kind: 'insert'; readonly type: string; readonly args: InsertRowsArgs; readonly path: Path }

export interface AdminRequest {
  readonly command: Command
  /** The version the caller started from. */
  readonly resourceVersion: number | null
  readonly dryRun: DryRun | null
}

/** Whether running it may give a new version of the metadata or read the databases again. */
export function modifies(command: Command): boolean {
  switch (command.kind) {
    case 'operation':
    case 'reload':
      return true
    case 'run-sql':
      return checksMetadata(command.args)
    case 'export':
    case 'inconsistent':
    case 'changes':
    case 'list':
    case 'test-transform':
    case 'insert':
      return false
    case 'bulk':
      return command.members.some(modifies)
  }
}

/** Everything but rows is the admin's; a bulk is as strict as its strictest member (spec 01 §1.1). */
export function adminOnly(command: Command): boolean {
  switch (command.kind) {
    case 'operation':
    case 'reload':
    case 'run-sql':
    case 'export':
    case 'inconsistent':
    case 'changes':
    case 'list':
    case 'test-transform':
      return true
    case 'insert':
      return false
    case 'bulk':
      return command.members.some(adminOnly)
  }
}
