import type { JsonObject, MssqlConfiguration } from '@svc/schema'
import { type ConfigurationContext, UnresolvedConfiguration, variableOf } from '../../source-configuration.ts'
import { parseConnectionString, type ServerAddress } from './connection-string.ts'

export type IsolationLevel = 'read-uncommitted' | 'read-committed' | 'repeatable-read' | 'snapshot' | 'serializable'

/** What a source's configuration says, environment variables read. */
export interface SourceSettings extends ServerAddress {
  readonly source: string
  readonly maxConnections: number
  /** Seconds; 0: a connection is closed as soon as it is not used. */
  readonly idleTimeout: number
  /** Seconds that a request waits for a connection. */
  readonly poolTimeout: number
  readonly isolationLevel: IsolationLevel
}

/** Reads a source's configuration (docs/sql-server.md#sources). Throws UnresolvedConfiguration. */
export function sourceSettings(
  source: string,
  { connection_info: info }: MssqlConfiguration,
  { environment, defaults }: ConfigurationContext,
): SourceSettings {
  const { connection_string: given } = info
  const text = typeof given === 'string' ? given : variableOf(given.from_env, environment)
  const pool = info.pool_settings ?? {}
  const isPooled = pool.enable !== false
  const most = count(pool, 'max_connections') ?? defaults.maxConnections ?? 50
  return {
    ...parseConnectionString(text),
    source,
    maxConnections: Math.max(1, Math.floor(most / (defaults.processes ?? 1))),
    idleTimeout: isPooled ? (count(pool, 'idle_timeout') ?? defaults.idleTimeout ?? 5) : 0,
    poolTimeout: defaults.poolTimeout ?? 30,
    isolationLevel: isolationLevel(info.isolation_level ?? 'read-committed'),
  }
}

function count(pool: JsonObject, name: string): number | null {
  const value = pool[name]
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new UnresolvedConfiguration(`${name} in pool_settings is no whole number`)
}

function isolationLevel(text: string): IsolationLevel {
  switch (text) {
    case 'read-uncommitted':
    case 'read-committed':
    case 'repeatable-read':
    case 'snapshot':
    case 'serializable':
      return text
  }
  throw new UnresolvedConfiguration(
    'isolation_level is none of read-uncommitted, read-committed, repeatable-read, snapshot and serializable',
  )
}
