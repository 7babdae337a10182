import './attribute-meta.ts'
import { z } from 'zod'
import { defineInSource } from './define-resource.ts'
import { comment, functionName, inSource } from './in-table.ts'
import { onlyChanged } from './object-changes.ts'

const fieldName = (field: string) =>
  z
    .string()
    .min(1, 'must not be empty')
    .optional()
    .meta({ description: `Name of the root field ${field}.` })

/** A tracked function (reference/metadata-operations#functions). */
export const trackedFunction = defineInSource(['public'], (family) => ({
  kind: 'Function',
  type: 'function',
  description:
    'A function of a source, returning rows of a tracked table, that the engine serves as root fields. When it goes, its permissions go with it.',
  inputs: {
    ...inSource,
    function: functionName(family).meta({ description: 'The function in the database.', replace: true }),
    session_argument: z.string().optional().meta({
      description: 'Its argument, of type json, that gets the session variables.',
      at: 'configuration.session_argument',
    }),
    exposed_as: z.enum(['query', 'mutation']).optional().meta({
      description: 'Where its field stands. Without it a VOLATILE function is a mutation, any other a query.',
      at: 'configuration.exposed_as',
    }),
    custom_name: z
      .string()
      .min(1, 'must not be empty')
      .optional()
      .meta({ description: 'Name in its fields and types.', at: 'configuration.custom_name' }),
    custom_root_fields: z
      .object({
        function: fieldName('that gives the rows'),
        function_aggregate: fieldName('that aggregates them'),
      })
      .optional()
      .meta({ description: 'Names of single root fields.', at: 'configuration.custom_root_fields' }),
    comment,
  },
  identity: ['source', 'function.schema', 'function.name'],
  example: ['default', 'public', 'search_albums'],
  create: (now, place) => [family.op('track_function', { ...place, ...now })],
  update(old, now, place) {
    if (!onlyChanged(old, now, 'configuration', 'comment')) return null
    const { function: called = null, configuration = {}, comment: text = null } = now
    return [family.op('set_function_customization', { ...place, function: called, configuration, comment: text })]
  },
  delete: ({ function: called = null }, place) => [family.op('untrack_function', { ...place, function: called })],
}))
