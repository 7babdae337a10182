import type { z } from 'zod'
import { choose, filled, isRecord, mapOf, name, optional, record, type Schema, text, type Value } from '../shape.ts'

export const rootFieldNames = [
  'select',
  'select_by_pk',
  'select_aggregate',
  'select_stream',
  'insert',
  'insert_one',
  'update',
  'update_by_pk',
  'update_many',
  'delete',
  'delete_by_pk',
] as const
export type RootFieldName = (typeof rootFieldNames)[number]

/** A root field's own name and comment; only a name is a text. `""` as a comment means: no description. */
export type CustomRootField = string | { readonly name?: string; readonly comment?: string }

const customRootField: Schema<CustomRootField> = choose<CustomRootField>((value) =>
  typeof value === 'string' ? name : rootFieldObject,
)
const rootFieldObject: Schema<CustomRootField> = record({ name: optional(name), comment: optional(text) }).transform(
  (field): CustomRootField => (field.name !== undefined && Object.keys(field).length === 1 ? field.name : field),
)

/** Own names of root fields (reference/metadata-operations#tables). The same name twice is refused. */
export const customRootFields: Schema<{ readonly [K in RootFieldName]?: CustomRootField }> = record(
  Object.fromEntries(rootFieldNames.map((field) => [field, optional(customRootField)])),
)
  .transform((fields) =>
    Object.fromEntries(
      Object.entries(fields).filter(([, field]) => !(isRecord(field) && Object.keys(field).length === 0)),
    ),
  )
  .superRefine((fields, context) => refuseSameNames(Object.values<unknown>(fields), context))

/** No two root fields of a table or function have one name of its configuration. */
export function refuseSameNames(fields: readonly unknown[], context: Pick<z.core.$RefinementCtx, 'addIssue'>): void {
  const names = fields.map((field) => (isRecord(field) ? field.name : field))
  const twice = [...new Set(names.filter((own, i) => typeof own === 'string' && names.indexOf(own) !== i))]
  if (twice.length > 0)
    context.addIssue({
      code: 'custom',
      message: `the following custom root field names are duplicated: ${twice.join(', ')}`,
    })
}

export type ColumnConfiguration = { readonly custom_name?: string; readonly comment?: string }

const columnConfiguration = record({ custom_name: optional(name), comment: optional(text) })

/** A column may be called `constructor`. */
const own = <T>(map: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined

/**
 * The older map of names and the newer column_config say the same; the newer one wins
 * (reference/metadata-operations#tables).
 */
export function mergeColumnNames(
  configured: Readonly<Record<string, ColumnConfiguration>>,
  names: Readonly<Record<string, string>>,
): {
  column_config: Readonly<Record<string, ColumnConfiguration>>
  custom_column_names: Readonly<Record<string, string>>
} {
  const columns = [...new Set([...Object.keys(configured), ...Object.keys(names)])].sort()
  const column_config = Object.fromEntries(
    columns.map((column) => {
      const given = own(configured, column) ?? {}
      const custom_name = given.custom_name ?? own(names, column)
      return [column, custom_name === undefined ? given : { custom_name, ...given }]
    }),
  )
  const custom_column_names = Object.fromEntries(
    columns.flatMap((column) => {
      const custom_name = own(column_config, column)?.custom_name
      return custom_name === undefined ? [] : [[column, custom_name] as const]
    }),
  )
  return { column_config, custom_column_names }
}

/**
 * The customisation of a table (reference/metadata-operations#tables, reference/metadata-document#objects):
 * `identifier` is a spelling of custom_name.
 */
export const tableConfiguration = record(
  {
    column_config: filled(mapOf(columnConfiguration), {}),
    comment: optional(text),
    custom_column_names: filled(mapOf(name), {}),
    custom_name: optional(name),
    custom_root_fields: filled(customRootFields, {}),
  },
  { aliases: { identifier: 'custom_name' }, agreeing: true },
).transform((given) => ({ ...given, ...mergeColumnNames(given.column_config, given.custom_column_names) }))
export type TableConfiguration = Value<typeof tableConfiguration>

export const emptyTableConfiguration: TableConfiguration = {
  column_config: {},
  custom_column_names: {},
  custom_root_fields: {},
}

/** Nothing customised: the configuration is left out of the export. */
export const isDefaultConfiguration = (configuration: TableConfiguration): boolean =>
  Object.values(configuration).every(
    (part) => typeof part === 'object' && part !== null && Object.keys(part).length === 0,
  )

export const optionalTableConfiguration: Schema<TableConfiguration | undefined> = optional(
  tableConfiguration,
).transform((value) => (value === undefined || isDefaultConfiguration(value) ? undefined : value))
