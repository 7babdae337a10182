/**
 * The table of settings (reference/server#settings): flags, environment, --help and the documentation all come from it.
 */
import type { NamedLater, Setting } from './setting.ts'
import { databaseSettings } from './settings-database.ts'
import { refusedSettings } from './settings-refused.ts'
import { serveSettings } from './settings-serve.ts'
import { websocketSettings } from './settings-websocket.ts'

const named = { ...databaseSettings, ...serveSettings, ...websocketSettings, ...refusedSettings }

export type SettingKey = keyof typeof named
export type SettingValues = {
  readonly [K in SettingKey]: (typeof named)[K] extends NamedLater<infer T> ? T : never
}

export const settings = Object.fromEntries(Object.entries(named).map(([key, make]) => [key, make(key)])) as unknown as {
  readonly [K in SettingKey]: Setting<SettingValues[K]>
}

export const settingKeys = Object.keys(settings) as readonly SettingKey[]
