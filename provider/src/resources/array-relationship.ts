import { defineInSource } from './define-resource.ts'
import { comment, inTable, tableIdentity } from './in-table.ts'
import { otherForeignKeyOrManual, relationshipName, relationshipOperations } from './relationship.ts'

/** A relationship to any number of rows (reference/metadata-operations#relationships). */
export const arrayRelationship = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'ArrayRelationship',
  type: 'array_relation',
  description: 'A relationship from a row to any number of rows of another table.',
  inputs: { ...inTable(family), name: relationshipName, ...otherForeignKeyOrManual(family), comment },
  identity: [...tableIdentity(family), 'name'],
  example: ['default', 'public', 'artist', 'albums'],
  exactlyOne: [['remote_foreign_key', 'manual_configuration']],
  ...relationshipOperations('array', family),
}))
