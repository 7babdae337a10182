/** What a source's configuration names, resolved, and how that is opened. */
import type { Observation } from '../observe/index.ts'
import type { Template } from '../templates/index.ts'
import type { SourceConnection } from './source-connection.ts'

/** A source that can be opened. */
export interface OpenableSource {
  /** Of equal keys one connection serves both. It may hold secrets. */
  readonly key: string
  /** For logs: without secrets. */
  readonly shown: string
  /** Fails with a SourceUnavailable. */
  open(report: (observation: Observation) => void): Promise<SourceConnection>
  /** Where requests may go instead; absent: nowhere. */
  readonly routing?: RoutingSettings
}

/** The connections that a source's configuration names in addition to its own, and what chooses among them (docs/routing.md). */
export interface RoutingSettings {
  readonly replicas: readonly OpenablePool[]
  /** Of the connection set, by name. */
  readonly members: ReadonlyMap<string, OpenablePool>
  /** Null: reads go to replicas, all else to the source itself. */
  readonly template: Template | null
}

/** Connections that are opened when first used. */
export interface OpenablePool {
  /** Of equal keys one pool serves both. It may hold secrets. */
  readonly key: string
  /** Names it in addition to its source, for traces. */
  readonly name: string
  /** Where it is, for logs and metrics: without secrets. */
  readonly address: string
  /** How many connections it may have. */
  readonly size: number
  /** Throws SourceUnavailable where its settings cannot be read. */
  open(report: (observation: Observation) => void): SourceConnection
}

/** The resolved connection_info of a source (environment variables already read). */
export interface ConnectionSettings {
  readonly source: string
  readonly databaseUrl: string
  readonly maxConnections: number
  /** Seconds. */
  readonly idleTimeout: number
  readonly connectionLifetime: number
  readonly poolTimeout: number | null
  readonly retries: number
  readonly isolationLevel: 'read-committed' | 'repeatable-read' | 'serializable'
  readonly usePreparedStatements: boolean
  /** Statements say at their end which trace they belong to; none remains prepared then, since each differs. */
  readonly namesTraces?: boolean
  /** Where extensions were created, when not in `public`: appended to the search_path. */
  readonly extensionsSchema: string | null
  readonly ssl: SslSettings | null
  /** Milliseconds for which requests wait for a database that was there; 5,000 when absent. */
  readonly retryFor?: number
}

/** `ssl_configuration` with its certificates read (PEM). */
export interface SslSettings {
  readonly mode: string
  readonly rootCertificate: string | null
  readonly certificate: string | null
  readonly key: string | null
  readonly password: string | null
}

/** A source that cannot be reached; the message is what get_inconsistent_metadata shows as `message`. */
export class SourceUnavailable extends Error {}
