import type { Environment } from './environment.ts'
import { FatalError } from './fatal-error.ts'
import { envPrefix, type Setting } from './setting.ts'
import { type SettingKey, type SettingValues, settingKeys, settings } from './settings.ts'

type Origin = 'flag' | 'environment' | 'default'

export interface Settings {
  readonly values: SettingValues
  readonly origins: Readonly<Record<SettingKey, Origin>>
}

/** Flag over environment over default. Throws FatalError for the first text that cannot be read. */
export function readSettings(flags: ReadonlyMap<SettingKey, string>, environment: Environment): Settings {
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
