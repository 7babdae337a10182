import './attribute-meta.ts'
import type { Json, JsonObject } from '@svc/schema'
import { z } from 'zod'
import type { Declaration, Reference } from './define-resource.ts'
import { isObject, tableName, tableReference } from './in-table.ts'
import { onlyChanged } from './object-changes.ts'
import type { SourceFamily } from './source-family.ts'
import type { Path } from './value.ts'

const key = 'using.foreign_key_constraint_on'
const columnNames = z.array(z.string().min(1, 'must not be empty')).min(1, 'must not be empty')

const asList = (columns: Json | undefined): Json | undefined => (typeof columns === 'string' ? [columns] : columns)

export const relationshipName = z
  .string()
  .min(1, 'must not be empty')
  .meta({ description: 'Its name, which is also its field.', replace: true })

/** `using`, as siblings of which one is given. */
export const ownForeignKey = {
  foreign_key_columns: columnNames.optional().meta({
    description: 'Columns of this table that have a foreign key to the other one.',
    set: true,
    at: key,
  }),
}

export const otherForeignKeyOrManual = (family: SourceFamily) => ({
  remote_foreign_key: z
    .object({
      table: tableName(family).meta({ description: 'The other table, best as an output of it.' }),
      columns: columnNames.meta({ description: 'Its columns that have the foreign key.', set: true }),
    })
    .optional()
    .meta({
      typeName: 'RemoteForeignKey',
      description: 'The foreign key of the other table to this one.',
      at: key,
    }),
  manual_configuration: z
    .object({
      remote_table: tableName(family).meta({ description: 'The other table, best as an output of it.' }),
      column_mapping: z
        .record(z.string(), z.string())
        .meta({ description: 'Columns of this table, and those of the other one that they equal.' }),
      insertion_order: z
        .enum(['before_parent', 'after_parent'])
        .optional()
        .meta({ typeName: 'InsertionOrder', description: 'When the other row of a nested insert is inserted.' }),
    })
    .optional()
    .meta({
      typeName: 'ManualConfiguration',
      description: 'Without a foreign key: which columns equal which.',
      at: 'using.manual_configuration',
    }),
})

/** One column may stand alone, or as `column`. */
const usingCodecs = {
  foreign_key_columns: { decode: asList },
  remote_foreign_key: {
    decode: (using: Json | undefined) =>
      isObject(using) ? { table: using.table ?? null, columns: asList(using.columns ?? using.column) ?? null } : using,
    decodePath: ([head, ...rest]: Path): Path =>
      head === 'column' ? ['columns', ...rest] : head ? [head, ...rest] : [],
  },
}

/** The tables a relationship leads to, as far as its own value names them. */
export function remoteTables(value: JsonObject, source: Json): readonly Reference[] {
  const using = isObject(value.using) ? value.using : {}
  const { foreign_key_constraint_on: foreign, manual_configuration: manual } = using
  return [
    ...(isObject(foreign) ? tableReference(source, foreign.table, 'remote_foreign_key', 'table') : []),
    ...(isObject(manual) ? tableReference(source, manual.remote_table, 'manual_configuration', 'remote_table') : []),
  ]
}

/** The operations of both kinds of relationship. */
export function relationshipOperations(
  kind: 'object' | 'array',
  { op }: SourceFamily,
): Pick<Declaration, 'create' | 'update' | 'delete' | 'rename' | 'dependsOn' | 'codecs' | 'standsBeside'> {
  const create = (now: JsonObject, place: JsonObject) => op(`create_${kind}_relationship`, { ...place, ...now })
  const drop = ({ name = null }: JsonObject, place: JsonObject) =>
    op('drop_relationship', { ...place, relationship: name })
  return {
    codecs: usingCodecs,
    standsBeside: true,
    dependsOn: ({ source }, value) => remoteTables(value, source as Json),
    create: (now, place) => [create(now, place)],
    update(old, now, place) {
      const { name = null, comment = null } = now
      return onlyChanged(old, now, 'comment')
        ? [op('set_relationship_comment', { ...place, relationship: name, comment })]
        : [drop(old, place), create(now, place)]
    },
    delete: (old, place) => [drop(old, place)],
    rename: ({ name = null }, { name: new_name = null }, place) => [
      op('rename_relationship', { ...place, name, new_name }),
    ],
  }
}
