import type { Environment } from './environment.ts'
import { FatalError } from './fatal-error.ts'
import { referenceVariables, shownReferenceVariables } from './reference-variables.ts'
import { envPrefix, type Setting } from './setting.ts'
import { type SettingKey, type SettingValues, settingKeys, settings } from './settings.ts'

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

type Origin = 'flag' | 'environment' | 'default'

interface Settings {
  readonly values: SettingValues
  readonly origins: Readonly<Record<SettingKey, Origin>>
}

/** Flag over environment over default. Throws FatalError for the first text that cannot be read. */
function readSettings(flags: ReadonlyMap<SettingKey, string>, environment: Environment): Settings {
  const read = settingKeys.map((key) => [key, readSetting(settings[key], flags.get(key), environment)] as const)
  return {
    values: Object.fromEntries(read.map(([key, { value }]) => [key, value])) as unknown as SettingValues,
    origins: Object.fromEntries(read.map(([key, { origin }]) => [key, origin])) as Record<SettingKey, Origin>,
  }
}

function readSetting(setting: Setting<unknown>, flag: string | undefined, environment: Environment) {
  if (flag !== undefined) {
    const value = readText(setting, flag, `Command line flag --${setting.flag}`)
    return { value: setting.inverse ? !value : value, origin: 'flag' as const }
  }
  const name = setting.env === null ? null : envPrefix + setting.env
  const given = name === null ? undefined : environment[name]
  if (name === null || given === undefined || (given === '' && !emptyMeansSomething(setting)))
    return { value: setting.fallback, origin: 'default' as const }
  return { value: readText(setting, given, `Environment variable ${name}`), origin: 'environment' as const }
}

/** An empty list is a list. An empty secret is refused: it is neither a secret nor a clear wish for none. */
const emptyMeansSomething = (setting: Setting<unknown>) =>
  setting.fallback instanceof Set || setting.flag === 'admin-secret'

function readText(setting: Setting<unknown>, given: string, where: string): unknown {
  if (setting.flag === 'admin-secret' && given === '')
    throw new FatalError(`Fatal Error:- ${where}: is empty; give it a value or do not set it`)
  const result = setting.schema.safeParse(given)
  if (result.success) return result.data
  const why = result.error.issues[0]?.message ?? 'cannot be read'
  throw new FatalError(`Fatal Error:- ${where}: ${setting.secret ? 'cannot be read' : why}`)
}
