import { isRecord, type Json, rootFieldNames } from '@svc/schema'
import { type Inputs, within } from './attributes-of.ts'
import { defineInSource } from './define-resource.ts'
import { inSource, onlyIn, tableIdentity, tableName } from './in-table.ts'
import { changedKeys } from './object-changes.ts'

const rootFields: Inputs = Object.fromEntries(
  rootFieldNames.map((field) => [
    field,
    {
      description: `The root field \`${field}\`.`,
      typeName: 'RootField',
      of: { name: 'Its name.', comment: 'Description of the field in GraphQL; empty: none.' },
    },
  ]),
)

/** Nothing is said with an empty map that is not said without it. */
const unlessEmpty = (map: Json | undefined): Json | undefined =>
  isRecord(map) && Object.keys(map).length === 0 ? undefined : map

/** A field of which only the name is set is a text in the metadata. */
const spellOut = (fields: Json | undefined): Json | undefined =>
  isRecord(fields)
    ? Object.fromEntries(
        Object.entries(fields).map(([field, own]) => [field, typeof own === 'string' ? { name: own } : own]),
      )
    : fields

const changeable: ReadonlySet<string> = new Set(['configuration', 'is_enum', 'apollo_federation_config'])

/** A tracked table or view (reference/metadata-operations#tables). */
export const table = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'Table',
  type: 'table',
  description:
    'A table or view of a source that the engine serves. When it goes, its relationships and permissions go with it.',
  inputs: {
    ...inSource,
    table: { ...tableName('The table or view in the database.', family), replace: true },
    is_enum: 'Whether its rows are the values of an enum.',
    ...within('configuration', {
      custom_name: 'Name of its type, and in its root fields.',
      comment: "Description of its type; empty: none. Without it, the table's own comment.",
      custom_root_fields: { description: 'Names and descriptions of single root fields.', of: rootFields },
      column_config: {
        description: 'Names and descriptions of its columns.',
        of: { custom_name: 'Name of its field.', comment: 'Description of the column in GraphQL; empty: none.' },
      },
    }),
    apollo_federation_config: {
      description: 'Makes its type an entity that other subgraphs of Apollo Federation refer to, by its primary key.',
      of: { enable: 'Version of the federation.' },
    },
  },
  identity: tableIdentity(family),
  example: ['default', 'public', 'album'],
  codecs: {
    is_enum: onlyIn(family, ['public'], 'is_enum', 'tables of PostgreSQL'),
    custom_root_fields: { decode: (fields) => spellOut(unlessEmpty(fields)) },
    column_config: { decode: unlessEmpty },
  },
  derived: ['configuration.custom_column_names'],
  create: (now, place) => [family.op('track_table', { ...place, ...now })],
  update(old, now, place) {
    const keys = changedKeys(old, now)
    if (!keys.every((key) => changeable.has(key))) return null
    const { table: name = null, configuration = {}, is_enum = false, apollo_federation_config } = now
    const own = { ...place, table: name }
    return [
      ...(keys.includes('configuration') ? [family.op('set_table_customization', { ...own, configuration })] : []),
      ...(keys.includes('is_enum') ? [family.op('set_table_is_enum', { ...own, is_enum })] : []),
      ...(keys.includes('apollo_federation_config')
        ? [
            family.op('set_apollo_federation_config', {
              ...own,
              ...(apollo_federation_config !== undefined && { apollo_federation_config }),
            }),
          ]
        : []),
    ]
  },
  delete: ({ table: name = null }, place) => [family.op('untrack_table', { ...place, table: name })],
}))
