import type { ServerConfig } from './read-config.ts'
import { settingKeys, settings } from './settings.ts'

/** The effective settings in snake case for the log (reference/logs), without secrets. */
export function shownConfig(config: ServerConfig): Readonly<Record<string, unknown>> {
  const rows = settingKeys
    .filter((key) => settings[key].served && settings[key].place === 'serve')
    .map((key) => [
      key.replace(/[A-Z]|(?<=[a-z]{2})[0-9]+/g, (part) => `_${part.toLowerCase()}`),
      settings[key].secret ? undefined : plain(config[key]),
    ])
  return {
    ...Object.fromEntries(rows.filter(([, value]) => value !== undefined)),
    port: config.serverPort,
    server_host: config.listenHost,
    transaction_isolation: config.txIso,
    auth_hook: config.authHook === null ? null : originOf(config.authHook),
    jwt_secret: config.jwtSecret === null && config.jwtSecrets === null ? null : '(set)',
    unauth_role: config.unauthorizedRole,
    live_query_options: {
      batch_size: config.liveQueriesMultiplexedBatchSize,
      refetch_delay: config.liveQueriesMultiplexedRefetchInterval / 1000,
    },
    streaming_query_options: {
      batch_size: config.streamingQueriesMultiplexedBatchSize,
      refetch_delay: config.streamingQueriesMultiplexedRefetchInterval / 1000,
    },
    admin_secret_set: config.secrets.length > 0,
    database: config.database.kind,
    cors_config: {
      disabled: config.disableCors,
      ws_read_cookie: config.wsReadCookie,
      allowed_origins: config.localPagesOnly
        ? 'pages of this machine'
        : config.corsDomain.kind === 'any'
          ? '*'
          : config.corsDomain.text,
    },
  }
}

/** Paths and queries may hold keys. */
const originOf = (url: string): string => URL.parse(url)?.origin ?? '(set)'

function plain(value: unknown): unknown {
  if (value instanceof Set) return [...value]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : value
}
