import type { Environment } from '../config/index.ts'

/** What a source's configuration is read with: the variables that it refers to, and the server's own settings. */
export interface ConfigurationContext {
  readonly environment: Environment
  readonly defaults: SourceDefaults
}

export type { Environment }

/** What the server's own settings say about sources. */
export interface SourceDefaults {
  /** SVC_GRAPHQL_USE_PREPARED_STATEMENTS; a source's own false is what every export writes and cannot mean never. */
  readonly usePreparedStatements: boolean
  /**
   * For pool settings that a source leaves out; the contract's values when absent
   * (reference/metadata-operations#sources).
   */
  readonly maxConnections?: number
  readonly idleTimeout?: number
  readonly connectionLifetime?: number
  readonly poolTimeout?: number
  /** --trace-sql-query. */
  readonly namesTraces?: boolean
  /** Where BigQuery answers instead of Google's own addresses. */
  readonly bigquery?: { readonly apiEndpoint?: string; readonly tokenEndpoint?: string }
  /** Processes that share what a source may have of connections; 1 when absent. */
  readonly processes?: number
}

/**
 * Something a configuration refers to is not there; the message is shown as the reason
 * (reference/metadata-document#inconsistent-objects).
 */
export class UnresolvedConfiguration extends Error {}

/** Returns an environment variable that a configuration refers to. Throws UnresolvedConfiguration where it is not set. */
export function variableOf(name: string, environment: Environment): string {
  const value = Object.hasOwn(environment, name) ? environment[name] : undefined
  if (value === undefined) throw new UnresolvedConfiguration(`environment variable '${name}' not set`)
  return value
}
