import { isRecord, type Json, type JsonObject, recordOf } from '@svc/schema'
import { type Inputs, identifying } from './attributes-of.ts'
import type { Declaration, Reference } from './define-resource.ts'
import { tableName, tableReference } from './in-table.ts'
import { onlyChanged } from './object-changes.ts'
import type { SourceFamily } from './source-family.ts'
import type { Path } from './value.ts'

const key = 'using.foreign_key_constraint_on'

const asList = (columns: Json | undefined): Json | undefined => (typeof columns === 'string' ? [columns] : columns)

export const relationshipName = identifying('Its name, which is also its field.')

/** `using`, as siblings of which one is set. */
export const ownForeignKey: Inputs = {
  foreign_key_columns: {
    description: 'Columns of this table that have a foreign key to the other one.',
    set: true,
    refuses: 'empty',
    at: key,
  },
}

export const otherForeignKeyOrManual = (family: SourceFamily): Inputs => ({
  remote_foreign_key: {
    description: 'The foreign key of the other table to this one.',
    at: key,
    typeName: 'RemoteForeignKey',
    of: {
      table: tableName('The other table, best as an output of it.', family),
      columns: { description: 'Its columns that have the foreign key.', set: true, refuses: 'empty', optional: false },
    },
  },
  manual_configuration: {
    description: 'Without a foreign key: which columns equal which.',
    at: 'using.manual_configuration',
    typeName: 'ManualConfiguration',
    of: {
      remote_table: tableName('The other table, best as an output of it.', family),
      column_mapping: 'Columns of this table, and those of the other one that they equal.',
      insertion_order: {
        description: 'When the other row of a nested insert is inserted.',
        typeName: 'InsertionOrder',
      },
    },
  },
})

/** One column may be a text, or an object with `column`. */
const usingCodecs = {
  foreign_key_columns: { decode: asList },
  remote_foreign_key: {
    decode: (using: Json | undefined) =>
      isRecord(using) ? { table: using.table ?? null, columns: asList(using.columns ?? using.column) ?? null } : using,
    decodePath: ([head, ...rest]: Path): Path =>
      head === 'column' ? ['columns', ...rest] : head ? [head, ...rest] : [],
  },
}

/** The tables a relationship leads to, as far as its own value names them. */
function remoteTables(value: JsonObject, source: Json): readonly Reference[] {
  const using = recordOf(value.using)
  const { foreign_key_constraint_on: foreign, manual_configuration: manual } = using
  return [
    ...(isRecord(foreign) ? tableReference(source, foreign.table, 'remote_foreign_key', 'table') : []),
    ...(isRecord(manual) ? tableReference(source, manual.remote_table, 'manual_configuration', 'remote_table') : []),
  ]
}

/** The operations of both kinds of relationship. */
export function relationshipOperations(
  kind: 'object' | 'array',
  { op }: SourceFamily,
): Pick<Declaration, 'create' | 'update' | 'delete' | 'rename' | 'dependsOn' | 'codecs' | 'createBeforeDelete'> {
  const create = (now: JsonObject, place: JsonObject) => op(`create_${kind}_relationship`, { ...place, ...now })
  const drop = ({ name = null }: JsonObject, place: JsonObject) =>
    op('drop_relationship', { ...place, relationship: name })
  return {
    codecs: usingCodecs,
    createBeforeDelete: true,
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
