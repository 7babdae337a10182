import type { Json } from '@svc/schema'
import { filled, within } from './attributes-of.ts'
import { defineInSource } from './define-resource.ts'
import { inSource } from './in-table.ts'
import { logicalModelReference } from './logical-model.ts'
import { queryArguments } from './query-arguments.ts'

/** A stored procedure of SQL Server (reference/metadata-operations#native-queries-and-logical-models). */
export const storedProcedure = defineInSource(['dbo'], (family) => ({
  kind: 'StoredProcedure',
  type: 'stored_procedure',
  description: 'A stored procedure of SQL Server that the engine serves as a root field.',
  inputs: {
    ...inSource,
    stored_procedure: {
      description: 'The procedure in the database.',
      typeName: 'StoredProcedureName',
      of: { schema: filled('Schema in the database; `dbo` if it is not given.'), name: 'Name in the database.' },
      replace: true,
    },
    ...within('configuration', {
      exposed_as: { description: 'Where its field stands.', default: 'query' },
      custom_name: 'Name of its field.',
    }),
    returns: 'The logical model of its rows, best as an output of it.',
    arguments: queryArguments,
    description: 'Description of its root field.',
  },
  identity: ['source', 'stored_procedure.schema', 'stored_procedure.name'],
  example: ['shop', 'dbo', 'top_albums'],
  dependsOn: ({ source }, { returns = null }) => [logicalModelReference(source as Json, returns, ['returns'])],
  ...family.operations('track_stored_procedure', null, 'untrack_stored_procedure', 'stored_procedure'),
}))
