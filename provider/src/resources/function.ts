import { within } from './attributes-of.ts'
import { defineInSource } from './define-resource.ts'
import { comment, functionName, inSource } from './in-table.ts'
import { onlyChanged } from './object-changes.ts'

/** A tracked function (reference/metadata-operations#functions). */
export const trackedFunction = defineInSource(['public'], (family) => ({
  kind: 'Function',
  type: 'function',
  description:
    'A function of a source, returning rows of a tracked table, that the engine serves as root fields. When it goes, its permissions go with it.',
  inputs: {
    ...inSource,
    function: { ...functionName('The function in the database.', family), replace: true },
    ...within('configuration', {
      session_argument: 'Its argument, of type json, that gets the session variables.',
      exposed_as: 'Where its field stands. Without it a VOLATILE function is a mutation, any other a query.',
      custom_name: 'Name in its fields and types.',
      custom_root_fields: {
        description: 'Names of single root fields.',
        of: {
          function: 'Name of the root field that gives the rows.',
          function_aggregate: 'Name of the root field that aggregates them.',
        },
      },
    }),
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
