import type { ServerConfig } from './read-config.ts'
import { settingKeys, settings } from './settings.ts'

/** The effective settings in snake case for the log (spec 04 §4), without secrets. */
export function shownConfig(config: ServerConfig): Readonly<Record<string, unknown>> {
  const rows = settingKeys
    .filter((key) => settings[key].served && settings[key].place === 'serve')
    .map((key) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      settings[key].secret ? undefined : plain(config[key]),
    ])
  return {
    ...Object.fromEntries(rows.filter(([, value]) => value !== undefined)),
    server_host: config.listenHost,
    admin_secret_set: config.secrets.length > 0,
    database: config.database.kind,
    cors_config: {
      disabled: config.disableCors,
      allowed_origins: config.localPagesOnly
        ? 'pages of this machine'
        : config.corsDomain.kind === 'any'
          ? '*'
          : config.corsDomain.text,
    },
  }
}

function plain(value: unknown): unknown {
  if (value instanceof Set) return [...value]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : value
}
