import type { DryRun, ReloadMetadataArgs, RunSqlArgs } from '@svc/schema'
import type { SourceKind } from '../backends/index.ts'
import { checksMetadata } from '../changes/index.ts'
import { ApiError, type Path } from '../errors.ts'
import type { PreparedOperation } from '../metadata/index.ts'
import type { RowOperation } from '../row-api/index.ts'
import type { PreparedRead } from './read-operation.ts'

/**
 * A decoded request or member of a bulk. `path` is where its run-time errors stand (reference/metadata-requests#paths).
 */
export type Command =
  | OperationCommand
  | BulkCommand
  | { readonly kind: 'reload'; readonly type: string; readonly args: ReloadMetadataArgs; readonly path: Path }
  | ReadCommand
  | RowCommand

interface OperationCommand {
  readonly kind: 'operation'
  readonly type: string
  readonly operation: PreparedOperation
  readonly path: Path
  readonly condition: Condition | null
}

/** The condition that the outcome must meet; null: none. */
export interface Condition {
  /** Refused where another client has changed one of the objects it touches after this version (docs/metadata-api.md). */
  readonly since: number | null
  /** The hash of a draft: refused unless all leads to it (docs/drafts.md). */
  readonly draft: string | null
  /** Of the member that has the condition. */
  readonly path: Path
}

export interface BulkCommand {
  readonly kind: 'bulk'
  readonly type: string
  /**
   * Stops at the first error, goes on after errors, checks only the end, or runs all at once
   * (reference/metadata-requests#bulks).
   */
  readonly mode: 'plain' | 'keep-going' | 'atomic' | 'concurrent'
  readonly members: readonly Command[]
  readonly path: Path
  readonly condition: Condition | null
}

/** Changes no metadata. */
export interface ReadCommand {
  readonly kind: 'read'
  readonly type: string
  readonly operation: PreparedRead
  readonly version: 1 | 2
  readonly path: Path
}

/** Speaks to a database. */
export type RowCommand =
  | {
      readonly kind: 'run-sql'
      readonly type: string
      readonly args: RunSqlArgs
      /** The kind its source has to be of; null: any. */
      readonly sourceKind: SourceKind | null
      readonly path: Path
    }
  | { readonly kind: 'rows'; readonly type: string; readonly operation: RowOperation; readonly path: Path }

export interface AdminRequest {
  readonly command: Command
  /** The version the caller started from. */
  readonly resourceVersion: number | null
  readonly dryRun: DryRun | null
}

/** Whether something is true of a command, or of any member of a bulk. */
const isAny = (command: Command, isSuch: (one: Exclude<Command, BulkCommand>) => boolean): boolean =>
  command.kind === 'bulk' ? command.members.some((member) => isAny(member, isSuch)) : isSuch(command)

/** Whether running it may make a new version of the metadata or read the databases again. */
export const modifies = (command: Command): boolean =>
  isAny(command, (one) => {
    switch (one.kind) {
      case 'operation':
      case 'reload':
        return true
      case 'run-sql':
        return checksMetadata(one.args)
      case 'read':
      case 'rows':
        return false
    }
  })

/** Whether running it may change something, in metadata or next to it: what the audit log has. */
export const changesSomething = (command: Command): boolean =>
  isAny(command, (one) => {
    switch (one.kind) {
      case 'operation':
      case 'reload':
      case 'run-sql':
        return true
      case 'read':
        return one.operation.effects === 'lasting'
      case 'rows':
        return false
    }
  })

/** Whether running it may change rows of tables through the row API. */
export const writesRows = (command: Command): boolean =>
  command.kind === 'rows' && command.type !== 'select' && command.type !== 'count'

/** Returns the error with which a concurrent_bulk refuses a member that writes (reference/metadata-requests#bulks). */
export const onlyReads = (path: Path): ApiError =>
  new ApiError('unexpected', path, 'Only read-only queries are allowed in a concurrent_bulk', { status: 500 })

/**
 * Everything but rows is the admin's; a bulk is as strict as its strictest member
 * (reference/metadata-requests#endpoints).
 */
export const adminOnly = (command: Command): boolean => isAny(command, ({ kind }) => kind !== 'rows')
