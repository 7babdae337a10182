import { defineInSource } from './define-resource.ts'
import { comment, inTable, tableIdentity } from './in-table.ts'
import { otherForeignKeyOrManual, ownForeignKey, relationshipName, relationshipOperations } from './relationship.ts'

/** A relationship to at most one row (reference/metadata-operations#relationships). */
export const objectRelationship = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'ObjectRelationship',
  type: 'object_relation',
  description: 'A relationship from a row to at most one row of another table.',
  inputs: { ...inTable(family), name: relationshipName, ...ownForeignKey, ...otherForeignKeyOrManual(family), comment },
  identity: [...tableIdentity(family), 'name'],
  example: ['default', 'public', 'album', 'artist'],
  exactlyOne: [['foreign_key_columns', 'remote_foreign_key', 'manual_configuration']],
  ...relationshipOperations('object', family),
}))
