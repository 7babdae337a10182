import type { ErrorReport } from './error-report.ts'

export type SourceObservation =
  /** What a request sent to a database: one statement, or those of a transaction that were sent together. */
  | {
      readonly kind: 'statement-executed'
      readonly source: string
      /** OpenTelemetry's name of the kind of database. */
      readonly system: string
      readonly statements: readonly string[]
      readonly milliseconds: number
      /** Its code; null where it succeeded. */
      readonly error: string | null
    }
  /** What metadata declares could not be done in a source's database; metadata is stored nevertheless. */
  | {
      readonly kind: 'source-effects-failed'
      readonly source: string
      readonly effects: readonly string[]
      readonly error: ErrorReport
    }
  | {
      readonly kind: 'source-connected'
      readonly source: string
      /** The kind of its backend. */
      readonly of: string
      readonly url: string
      readonly tables: number
      readonly milliseconds: number
    }
  | {
      readonly kind: 'source-unavailable'
      readonly source: string
      readonly attempt: number
      readonly retryInMilliseconds: number | null
      readonly error: ErrorReport
    }
  | {
      readonly kind: 'remote-schema-unavailable'
      readonly remoteSchema: string
      readonly attempt: number
      readonly retryInMilliseconds: number
      readonly error: ErrorReport
    }
  /** A source's health check was run. `isFinal`: a failure is not tried again before the next interval. */
  | {
      readonly kind: 'health-checked'
      readonly source: string
      readonly status: 'OK' | 'TIMEOUT' | 'ERROR' | 'FAILED'
      readonly error: unknown
      readonly timestamp: string
      readonly attempt: number
      readonly isFinal: boolean
      readonly milliseconds: number
    }
  /** A read replica of a source is sent nothing until it is found to be serving again. */
  | {
      readonly kind: 'replica-left-out'
      readonly source: string
      /** Host, port and database. */
      readonly replica: string
      readonly reason: 'unreachable' | 'lagging' | 'differs'
      readonly message: string
    }
  | {
      readonly kind: 'replica-serving'
      readonly source: string
      readonly replica: string
      readonly lagMilliseconds: number
    }
  /** A read that failed on a replica was sent elsewhere. */
  | {
      readonly kind: 'replica-read-moved'
      readonly source: string
      readonly replica: string
      readonly reason: 'unreachable' | 'elsewhere' | 'differs'
    }
  | { readonly kind: 'source-lost'; readonly source: string; readonly error: ErrorReport }
  | {
      readonly kind: 'source-introspected'
      readonly source: string
      readonly tables: number
      /** Read again because their fingerprint had changed. */
      readonly read: number
      readonly milliseconds: number
    }
  /** Columns of a table are not served, since GraphQL has no type for theirs. */
  | {
      readonly kind: 'columns-left-out'
      readonly source: string
      readonly table: string
      readonly columns: readonly { readonly name: string; readonly type: string }[]
    }
  /** A query of a database that bills each of them has ended. */
  | {
      readonly kind: 'job-ended'
      readonly source: string
      readonly operation: string | null
      readonly role: string
      readonly bytesBilled: number
      readonly milliseconds: number
      /** Null: it succeeded, or no one read on. */
      readonly error: ErrorReport | null
    }
  /** A pooler in between loses named statements: unnamed ones from now on. */
  | { readonly kind: 'prepared-statements-off'; readonly source: string }
