import type { Environment } from './environment.ts'
import { FatalError } from './fatal-error.ts'
import { readSettings } from './read-settings.ts'
import { referenceVariables, shownReferenceVariables } from './reference-variables.ts'
import type { SettingKey, SettingValues } from './settings.ts'

export interface ServerConfig extends SettingValues {
  readonly database: DatabaseChoice
  /** Empty: open mode. */
  readonly secrets: readonly string[]
  /** What to listen on: architecture, decision 10. */
  readonly listenHost: string
  /** Answers cross-origin requests of this machine's pages only. */
  readonly localPagesOnly: boolean
  readonly environment: Environment
}

type DatabaseChoice =
  | { readonly kind: 'embedded'; readonly dataDirectory: string; readonly port: number | null }
  | {
      readonly kind: 'given'
      readonly metadataUrl: string
      /** The source `default` of a new catalogue (reference/server#start): null without --database-url. */
      readonly source: { readonly url: string; readonly fromEnvironment: boolean } | null
    }

/**
 * Flags and environment -> everything the server needs to know (reference/authentication#modes,
 * reference/server#settings, reference/server). Throws FatalError with the line to print.
 */
export function readConfig(flags: ReadonlyMap<SettingKey, string>, environment: Environment): ServerConfig {
  const { values, origins } = readSettings(flags, environment)
  if (values.sandbox !== null && !values.embedded)
    throw new FatalError('Fatal Error: --sandbox is for --embedded: it throws its database away')
  const database = chooseDatabase(values, origins.databaseUrl === 'environment', environment)
  const secrets = [values.adminSecret ?? values.accessKey, ...values.adminSecrets].filter((secret) => secret !== null)
  if (values.wsReadCookie && !values.disableCors)
    throw new FatalError('Fatal Error: ws-read-cookie can only be used when CORS is disabled')
  const open = secrets.length === 0
  return {
    ...values,
    database,
    secrets,
    listenHost: values.serverHost === null ? (open ? '127.0.0.1' : '*') : values.serverHost,
    localPagesOnly: open && origins.corsDomain === 'default',
    environment,
  }
}

function chooseDatabase(values: SettingValues, fromEnvironment: boolean, environment: Environment): DatabaseChoice {
  const url = values.databaseUrl ?? urlOfParts(values)
  if (values.embedded) {
    if (url !== null || values.metadataDatabaseUrl !== null)
      throw new FatalError(
        'Fatal Error: --embedded brings its own database: leave out --database-url and --metadata-database-url, or --embedded',
      )
    return { kind: 'embedded', dataDirectory: values.embeddedDataDirectory, port: values.embeddedPort }
  }
  const metadataUrl = values.metadataDatabaseUrl ?? url
  const hint = shownReferenceVariables(referenceVariables(environment))
  if (metadataUrl === null)
    throw new FatalError(
      'Fatal Error: Either of --metadata-database-url or --database-url option expected ' +
        '(SVC_GRAPHQL_METADATA_DATABASE_URL, SVC_GRAPHQL_DATABASE_URL), or --embedded (SVC_GRAPHQL_EMBEDDED) ' +
        `for a database of its own${hint === '' ? '' : `. Variables of the reference engine do not count: ${hint}`}`,
    )
  return { kind: 'given', metadataUrl, source: url === null ? null : { url, fromEnvironment } }
}

function urlOfParts(values: SettingValues): string | null {
  const { host, port, user, password, dbname, pgConnectionOptions } = values
  if (host === null && user === null && dbname === null) return null
  if (host === null || user === null || dbname === null)
    throw new FatalError('Fatal Error: --host, --user and --dbname are needed together (or --database-url)')
  const credentials = [user, ...(password === null ? [] : [password])].map(encodeURIComponent).join(':')
  const options = pgConnectionOptions === null ? '' : `?options=${encodeURIComponent(pgConnectionOptions)}`
  return `postgresql://${credentials}@${host}:${port ?? 5432}/${encodeURIComponent(dbname)}${options}`
}
