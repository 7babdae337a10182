import { defineResource } from './define-resource.ts'
import { comment, inTable } from './in-table.ts'
import { otherForeignKeyOrManual, relationshipName, relationshipOperations } from './relationship.ts'

/** A relationship to any number of rows (reference/metadata-operations#relationships). */
export const arrayRelationship = defineResource({
  kind: 'ArrayRelationship',
  type: 'array_relation',
  description: 'A relationship from a row to any number of rows of another table.',
  inputs: { ...inTable, name: relationshipName, ...otherForeignKeyOrManual, comment },
  identity: ['source', 'table.schema', 'table.name', 'name'],
  example: ['default', 'public', 'artist', 'albums'],
  exactlyOne: [['remote_foreign_key', 'manual_configuration']],
  ...relationshipOperations('array'),
})
