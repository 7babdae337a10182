import { defaultStyle, type NameStyle, perStyle } from '../backend-kind.ts'
import { qualifiedName } from '../objects/qualified-name.ts'
import {
  customRootFields,
  emptyTableConfiguration,
  mergeColumnNames,
  optionalTableConfiguration,
  type TableConfiguration,
  tableConfiguration,
} from '../objects/table-configuration.ts'
import {
  boolean,
  choose,
  filled,
  isRecord,
  json,
  lenient,
  list,
  mapOf,
  name,
  oneOf,
  optional,
  record,
  type Schema,
  unless,
  type Value,
} from '../shape.ts'
import { cascade, inTable } from './shared-keys.ts'

/**
 * `<p>_track_table` (reference/metadata-operations#tables). Without `source` it is the table object of the document.
 */
export const trackTableArgs = perStyle((style) =>
  lenient({
    ...inTable(style),
    is_enum: unless(false, boolean),
    configuration: optionalTableConfiguration,
    apollo_federation_config: optional(record({ enable: oneOf('v1') })),
    logical_model: optional(json),
  }),
)
export type TrackTableArgs = Value<ReturnType<typeof trackTableArgs>>

/**
 * track_table of version 1: the table itself, or with what it is marked as
 * (reference/metadata-document#both-spellings). No configuration is read.
 */
export const trackTableVersion1Args: Schema<TrackTableArgs> = choose<TrackTableArgs>((value) =>
  isRecord(value) && value.table !== undefined ? tableAndEnum : bareTable,
)
const tableAndEnum: Schema<TrackTableArgs> = lenient({
  ...inTable(defaultStyle),
  is_enum: unless(false, boolean),
  apollo_federation_config: optional(record({ enable: oneOf('v1') })),
})
const bareTable: Schema<TrackTableArgs> = choose<TrackTableArgs>((value) =>
  qualifiedName(defaultStyle).transform((table) => ({
    source: 'default',
    table,
    ...(isRecord(value) && value.is_enum === true ? { is_enum: true } : {}),
  })),
)

/** A member of track_tables: the args of track_table, or only the name of the table. */
const trackTablesItem = (style: NameStyle): Schema<TrackTableArgs> =>
  choose<TrackTableArgs>((value) =>
    isRecord(value) && value.table !== undefined
      ? trackTableArgs(style)
      : qualifiedName(style).transform((table) => ({ source: 'default', table })),
  )

export const trackTablesArgs = perStyle((style) =>
  lenient({ tables: list(trackTablesItem(style)), allow_warnings: filled(boolean, true) }),
)
export type TrackTablesArgs = Value<ReturnType<typeof trackTablesArgs>>

export const untrackTableArgs = perStyle((style) => lenient({ ...inTable(style), cascade }))
export type UntrackTableArgs = Value<ReturnType<typeof untrackTableArgs>>

const untrackTablesItem = (style: NameStyle): Schema<UntrackTableArgs> =>
  choose<UntrackTableArgs>((value) =>
    isRecord(value) && value.table !== undefined
      ? untrackTableArgs(style)
      : qualifiedName(style).transform((table) => ({ source: 'default', table, cascade: false })),
  )

export const untrackTablesArgs = perStyle((style) =>
  lenient({ tables: list(untrackTablesItem(style)), allow_warnings: filled(boolean, true) }),
)
export type UntrackTablesArgs = Value<ReturnType<typeof untrackTablesArgs>>

/**
 * `<p>_set_table_customization`: a missing configuration resets the table's
 * (reference/metadata-document#both-spellings).
 */
export const setTableCustomizationArgs = perStyle((style) =>
  lenient({
    ...inTable(style),
    configuration: filled<TableConfiguration>(tableConfiguration, emptyTableConfiguration),
  }),
)

/** set_table_custom_fields: replaces these two parts of the configuration (reference/metadata-operations#tables). */
export const setTableCustomFieldsArgs = perStyle((style) =>
  lenient({
    ...inTable(style),
    custom_root_fields: filled(customRootFields, {}),
    custom_column_names: filled(mapOf(name), {}),
  }).transform((args) => ({ ...args, ...mergeColumnNames({}, args.custom_column_names) })),
)

/**
 * `<p>_set_apollo_federation_config`: an absent configuration removes the table from federation
 * (reference/metadata-operations#tables).
 */
export const setApolloFederationConfigArgs = perStyle((style) =>
  lenient({ ...inTable(style), apollo_federation_config: optional(record({ enable: oneOf('v1') })) }),
)
export type SetApolloFederationConfigArgs = Value<ReturnType<typeof setApolloFederationConfigArgs>>

export const setTableIsEnumArgs = perStyle((style) => lenient({ ...inTable(style), is_enum: boolean }))
export type SetTableIsEnumArgs = Value<ReturnType<typeof setTableIsEnumArgs>>
