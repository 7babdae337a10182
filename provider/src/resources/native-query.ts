import { isRecord, type Json, recordOf, recordsIn } from '@svc/schema'
import { filled, fromKey, type InputDeclaration, identifying } from './attributes-of.ts'
import { defineInSource, type Reference } from './define-resource.ts'
import { comment, eachRecord, inSource, tableName, tableReference } from './in-table.ts'
import { logicalModelReference } from './logical-model.ts'
import { queryArguments } from './query-arguments.ts'
import type { SourceFamily } from './source-family.ts'
import type { Path } from './value.ts'

const relationships = (description: string, family: SourceFamily): InputDeclaration => ({
  description,
  typeName: 'NativeQueryRelationship',
  of: {
    name: 'Its name, which is also its field.',
    ...fromKey('using.manual_configuration', {
      remote_table: tableName('The table it leads to. Either this or `remote_native_query`.', family),
      remote_native_query: filled('The native query it leads to. Either this or `remote_table`.'),
      column_mapping: 'Fields of a row, and the columns on the other side that they equal.',
    }),
    comment,
  },
})

/** The metadata nests where a relationship leads: `using.manual_configuration`. */
const nested = (list: Json | undefined): Json | undefined =>
  eachRecord(list, ({ name = null, comment, ...manual_configuration }) => ({
    name,
    using: { manual_configuration },
    ...(comment !== undefined && { comment }),
  }))

const flattened = (list: Json | undefined): Json | undefined =>
  eachRecord(list, ({ using, ...others }) => {
    const { insertion_order: _, ...leads } = recordOf(recordOf(using).manual_configuration)
    return { ...others, ...leads }
  })

/** A query written in SQL (reference/metadata-operations#native-queries-and-logical-models). */
export const nativeQuery = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'NativeQuery',
  type: 'native_query',
  description: 'A query written in SQL that the engine serves as a root field.',
  inputs: {
    ...inSource,
    root_field_name: identifying('Its name, which is also its root field.'),
    code: 'The SQL. `{{name}}` stands for an argument, which is sent apart from it and never becomes SQL.',
    arguments: queryArguments,
    returns: 'The logical model of its rows, best as an output of it. Either this or `returns_inline`.',
    returns_inline: {
      description:
        'A logical model of its own, as JSON: `{"fields": […], "select_permissions": […]}`. Either this or `returns`.',
      json: true,
      at: 'returns',
    },
    description: 'Description of its root field.',
    object_relationships: relationships('From a row to one row elsewhere.', family),
    array_relationships: relationships('From a row to any number of rows elsewhere.', family),
  },
  identity: ['source', 'root_field_name'],
  example: ['default', 'top_albums'],
  exactlyOne: [['returns', 'returns_inline']],
  codecs: {
    returns: { decode: (returns) => (typeof returns === 'string' ? returns : undefined) },
    returns_inline: { decode: (returns) => (isRecord(returns) ? returns : undefined) },
    object_relationships: { encode: nested, decode: flattened, decodePath: flattenedPath },
    array_relationships: { encode: nested, decode: flattened, decodePath: flattenedPath },
  },
  dependsOn({ source }, { returns, object_relationships, array_relationships }) {
    const within = source as Json
    const query = (name: Json, attribute: string): Reference => ({
      to: 'in-source',
      type: 'native_query',
      source: within,
      key: { root_field_name: name },
      attribute: [attribute],
    })
    const leading = (list: Json | undefined, attribute: string) =>
      recordsIn(flattened(list)).flatMap(({ remote_table, remote_native_query }) => [
        ...tableReference(within, remote_table, attribute),
        ...(remote_native_query === undefined ? [] : [query(remote_native_query, attribute)]),
      ])
    return [
      ...(typeof returns === 'string' ? [logicalModelReference(within, returns, ['returns'])] : []),
      ...leading(object_relationships, 'object_relationships'),
      ...leading(array_relationships, 'array_relationships'),
    ]
  },
  ...family.operations('track_native_query', 'update_native_query', 'untrack_native_query', 'root_field_name'),
}))

/** `[0].using.manual_configuration.column_mapping.id` -> `[0].column_mapping.id` */
function flattenedPath([place, ...steps]: Path): Path {
  const depth = steps[0] !== 'using' ? 0 : steps[1] !== 'manual_configuration' ? 1 : 2
  return [...(place === undefined ? [] : [place]), ...steps.slice(depth)]
}
