import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { PostgresConfiguration, PostgresConnection } from '@svc/schema'
import type { ConnectionSettings, SslSettings } from '../backend.ts'
import { type Environment, type SourceDefaults, UnresolvedConfiguration, variableOf } from '../source-configuration.ts'

/**
 * Reads a source's configuration with what it refers to (reference/metadata-operations#sources). Throws
 * UnresolvedConfiguration.
 */
export function connectionSettings(
  source: string,
  { connection_info: info, extensions_schema: extensionsSchema }: PostgresConfiguration,
  environment: Environment,
  defaults: SourceDefaults,
): ConnectionSettings {
  const pool = info.pool_settings
  const most = pool?.max_connections ?? defaults.maxConnections ?? 50
  return {
    source,
    databaseUrl: databaseUrl(info.database_url, environment),
    maxConnections: Math.max(
      1,
      Math.floor(Math.min(most, pool?.total_max_connections ?? most) / (defaults.processes ?? 1)),
    ),
    idleTimeout: pool?.idle_timeout ?? defaults.idleTimeout ?? 180,
    connectionLifetime: pool?.connection_lifetime ?? defaults.connectionLifetime ?? 600,
    poolTimeout: pool?.pool_timeout ?? defaults.poolTimeout ?? null,
    retries: pool?.retries ?? 1,
    isolationLevel: info.isolation_level ?? 'read-committed',
    usePreparedStatements: defaults.usePreparedStatements,
    ...(defaults.namesTraces && { namesTraces: true }),
    extensionsSchema: extensionsSchema === 'public' ? null : (extensionsSchema ?? null),
    ssl: sslSettings(info.ssl_configuration, environment),
  }
}

function databaseUrl(url: PostgresConnection['database_url'], environment: Environment): string {
  if (typeof url === 'string')
    return url.replaceAll(/\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g, (_, name: string) => variableOf(name, environment))
  if (url.from_env !== undefined) return variableOf(url.from_env, environment)
  if (url.dynamic_from_file !== undefined) return fileText(url.dynamic_from_file)
  if (url.connection_parameters === undefined) throw new UnresolvedConfiguration('no database URL is given')
  const { username, password, host, port, database } = url.connection_parameters
  const credentials = [username, ...(password ? [password] : [])].map(encodeURIComponent).join(':')
  // a socket's folder is no host name
  return host.startsWith('/')
    ? `postgres://${credentials}@localhost:${port}/${encodeURIComponent(database)}?host=${encodeURIComponent(host)}`
    : `postgres://${credentials}@${host}:${port}/${encodeURIComponent(database)}`
}

function sslSettings(ssl: PostgresConnection['ssl_configuration'], environment: Environment): SslSettings | null {
  if (!ssl) return null
  const read = (value: { readonly from_env: string } | undefined) =>
    value ? variableOf(value.from_env, environment) : null
  return {
    mode: ssl.sslmode,
    rootCertificate: read(ssl.sslrootcert),
    certificate: read(ssl.sslcert),
    key: read(ssl.sslkey),
    password: read(ssl.sslpassword),
  }
}

const longestUrl = 65_536

/** Waits for nothing: reading a device or a pipe would never end, nor does that of some files of the system. */
function fileText(path: string): string {
  const unreadable = new UnresolvedConfiguration(`the file '${path}' with the database URL cannot be read`)
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    if (!fstatSync(file).isFile()) throw unreadable
    const bytes = Buffer.alloc(longestUrl + 1)
    const length = readSync(file, bytes)
    if (length > longestUrl) throw unreadable
    return bytes.toString('utf8', 0, length).trim()
  } catch {
    throw unreadable
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
