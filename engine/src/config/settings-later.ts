/**
 * Settings of features that this version does not serve: read and checked, so that a user's settings parse,
 * and marked in --help.
 */
import type { SettingOptions } from './setting.ts'
import { textOr, toggle } from './value-kinds.ts'

const later = (help: string, options: Omit<SettingOptions, 'help'> = {}): SettingOptions => ({
  ...options,
  help,
  served: false,
})

export const laterSettings = {
  metadataDatabaseExtensionsSchema: textOr(
    'public',
    later('Schema of extensions in the metadata database: the catalogue needs none.'),
  ),
  remoteSchemaSkipNulls: toggle(false, later('Leave nulls out of remote arguments.')),
  traceSqlQuery: toggle(false, later('Add trace ids to SQL.', { env: 'ENABLE_QUERY_TRACING' })),
  enableTelemetry: toggle(false, later('There is no telemetry.')),
} as const
