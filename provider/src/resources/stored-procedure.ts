import './attribute-meta.ts'
import type { Json } from '@svc/schema'
import { z } from 'zod'
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
    stored_procedure: z
      .object({
        schema: z
          .string()
          .min(1, 'must not be empty')
          .default('dbo')
          .meta({ description: 'Schema in the database; `dbo` if it is not given.' }),
        name: z.string().min(1, 'must not be empty').meta({ description: 'Name in the database.' }),
      })
      .meta({ typeName: 'StoredProcedureName', description: 'The procedure in the database.', replace: true }),
    exposed_as: z
      .enum(['query'])
      .default('query')
      .meta({ description: 'Where its field stands.', at: 'configuration.exposed_as' }),
    custom_name: z
      .string()
      .min(1, 'must not be empty')
      .optional()
      .meta({ description: 'Name of its field.', at: 'configuration.custom_name' }),
    returns: z
      .string()
      .min(1, 'must not be empty')
      .meta({ description: 'The logical model of its rows, best as an output of it.' }),
    arguments: queryArguments,
    description: z.string().optional().meta({ description: 'Description of its root field.' }),
  },
  identity: ['source', 'stored_procedure.schema', 'stored_procedure.name'],
  example: ['shop', 'dbo', 'top_albums'],
  dependsOn: ({ source }, { returns = null }) => [logicalModelReference(source as Json, returns, ['returns'])],
  create: (now, place) => [family.op('track_stored_procedure', { ...place, ...now })],
  update: ({ stored_procedure = null }, now, place) => [
    family.op('untrack_stored_procedure', { ...place, stored_procedure }),
    family.op('track_stored_procedure', { ...place, ...now }),
  ],
  delete: ({ stored_procedure = null }, place) => [
    family.op('untrack_stored_procedure', { ...place, stored_procedure }),
  ],
}))
