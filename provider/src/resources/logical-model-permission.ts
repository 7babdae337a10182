import { parentName, within } from './attributes-of.ts'
import { defineInSource } from './define-resource.ts'
import { comment, forRole, inSource } from './in-table.ts'
import { allColumns } from './write-permission.ts'

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
      columns: { description: 'Fields it may read. Either this or `all_columns`.', set: true },
      all_columns: {
        description: 'All fields, also those that the logical model gets later. Either this or `columns`.',
        type: 'boolean',
        default: false,
        at: 'columns',
      },
      filter: { description: 'Condition of the rows it may read, as JSON. `{}`: all rows.', json: true },
    }),
    comment,
  },
  identity: ['source', 'logical_model', 'role'],
  example: ['default', 'top_album', 'user'],
  codecs: { all_columns: allColumns },
  exactlyOne: [['columns', 'all_columns']],
  create: (now, { logical_model: name = null, ...place }) => [
    family.op('create_logical_model_select_permission', { ...place, name, ...now }),
  ],
  update: ({ role = null }, now, { logical_model: name = null, ...place }) => [
    family.op('drop_logical_model_select_permission', { ...place, name, role }),
    family.op('create_logical_model_select_permission', { ...place, name, ...now }),
  ],
  delete: ({ role = null }, { logical_model: name = null, ...place }) => [
    family.op('drop_logical_model_select_permission', { ...place, name, role }),
  ],
}))
