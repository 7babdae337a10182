// Made from the declarations by `npm run cdk`: do not edit.

import type { IResolvable } from 'cdktf'

export interface Timeouts {
  /** For the create, as in `30s` or `2m`. */
  readonly create?: string | undefined
  /** For the update, as in `30s` or `2m`. */
  readonly update?: string | undefined
  /** For the delete, as in `30s` or `2m`. */
  readonly delete?: string | undefined
}

export interface TableName {
  /** Schema in the database. Default: `"public"`. */
  readonly schema?: string | undefined
  /** Name in the database. */
  readonly name: string
}

export interface RootField {
  /** Its name. */
  readonly name?: string | undefined
  /** Description of the field in GraphQL; empty: none. */
  readonly comment?: string | undefined
}

export interface RemoteForeignKey {
  /** The other table, best as an output of it. */
  readonly table: TableName | IResolvable
  /** Its columns that have the foreign key. */
  readonly columns: readonly string[]
}

export interface ManualConfiguration {
  /** The other table, best as an output of it. */
  readonly remoteTable: TableName | IResolvable
  /** Columns of this table, and those of the other one that they equal. */
  readonly columnMapping: Readonly<Record<string, string>> | IResolvable
  /** When the other row of a nested insert is inserted. One of `before_parent`, `after_parent`. */
  readonly insertionOrder?: string | undefined
}

export interface FunctionName {
  /** Schema in the database. Default: `"public"`. */
  readonly schema?: string | undefined
  /** Name in the database. */
  readonly name: string
}

export interface NativeQueryRelationship {
  /** Its name, which is also its field. */
  readonly name: string
  /** The table it leads to. Either this or `remote_native_query`. */
  readonly remoteTable?: TableName | IResolvable | undefined
  /** The native query it leads to. Either this or `remote_table`. */
  readonly remoteNativeQuery?: string | undefined
  /** Fields of a row, and the columns on the other side that they equal. */
  readonly columnMapping: Readonly<Record<string, string>> | IResolvable
  /** For people who read the metadata. */
  readonly comment?: string | undefined
}

export interface OutgoingHeader {
  /** Its name. */
  readonly name: string
  /** What it says. Either this or `value_from_env`. */
  readonly value?: string | undefined
  /** Variable of the engine's environment that holds what it says. Either this or `value`. */
  readonly valueFromEnv?: string | undefined
}

export interface InputValidation {
  /** Address of the webhook. May name variables of the engine: `{{CHECKS_URL}}`. */
  readonly url: string
  /** Headers it is called with. */
  readonly headers?: readonly (OutgoingHeader | IResolvable)[] | IResolvable | undefined
  /** Seconds it may take. Default: `10`. */
  readonly timeout?: number | undefined
  /** Whether it gets the headers of the client's request. Default: `false`. */
  readonly forwardClientHeaders?: boolean | IResolvable | undefined
}

export interface CollectionQuery {
  /** Its name in the collection. */
  readonly name: string
  /** The GraphQL document: an operation, and fragments that it uses. */
  readonly query: string
}

export interface ScheduleRetry {
  /** How often a failed call is tried again. Default: `0`. */
  readonly numRetries?: number | undefined
  /** Seconds between two tries. Default: `10`. */
  readonly retryIntervalSeconds?: number | undefined
  /** Seconds a call may take. Default: `60`. */
  readonly timeoutSeconds?: number | undefined
  /** Seconds after which a call that is overdue is dropped. Default: `21600`. */
  readonly toleranceSeconds?: number | undefined
}
