import { parentName, within } from './attributes-of.ts'
import { columnsOrAll } from './column-names.ts'
import { defineInSource } from './define-resource.ts'
import { comment, forRole, inSource } from './in-table.ts'
import { usualOperations } from './operation.ts'
import { allColumns } from './table-permission.ts'

/**
 * What a role may read of the rows of a logical model
 * (reference/metadata-operations#native-queries-and-logical-models).
 */
export const logicalModelPermission = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'LogicalModelPermission',
  type: 'logical_model_select_permission',
  description: 'Which fields and rows of a logical model a role may read, from whatever native query they come.',
  inputs: {
    ...inSource,
    logical_model: parentName('Name of the logical model, best as an output of it.'),
    ...forRole,
    ...within('permission', {
      ...columnsOrAll('read', 'Fields', 'the logical model'),
      filter: { description: 'Condition of the rows it may read, as JSON. `{}`: all rows.', json: true },
    }),
    comment,
  },
  identity: ['source', 'logical_model', 'role'],
  example: ['default', 'top_album', 'user'],
  codecs: { all_columns: allColumns },
  exactlyOne: [['columns', 'all_columns']],
  ...usualOperations((type, { logical_model: name = null, ...args }) => family.op(type, { ...args, name }))(
    'create_logical_model_select_permission',
    null,
    'drop_logical_model_select_permission',
    'role',
  ),
}))
