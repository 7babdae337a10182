import type { Item } from '../plain-document.ts'
import { foreignKeys } from '../world.ts'
import { type Choices, type Chosen, type Generator, placed, spelled } from './choose.ts'

const fieldNames = ['artist', 'albums', 'tracks', 'parent', 'children', 'rest', 'name', 'label'] as const
const customNames = ['artist', 'singer', 'album', 'one', 'two', 'three', 'not a name'] as const

function configuration(choose: Choices, table: Chosen): Item {
  return {
    ...choose.maybe(0.5, () => ({ custom_name: choose.pick(customNames) })),
    ...choose.maybe(0.3, () => ({
      custom_column_names: { [choose.column(table)]: choose.pick(['key', 'title', 'tracks']) },
    })),
    ...choose.maybe(0.2, () => ({ column_config: { [choose.column(table)]: { comment: 'said' } } })),
    ...choose.maybe(0.2, () => ({
      custom_root_fields: { select: choose.pick(['everything', 'artist', 'all_of_it']) },
    })),
    ...choose.maybe(0.2, () => ({ comment: choose.pick(['', 'Records']) })),
  }
}

function member(choose: Choices, of: Chosen, more: Item = {}): unknown {
  return of.source === 'default' && Object.keys(more).length === 0 && choose.chance(0.5)
    ? spelled(choose, of.table)
    : { ...placed(choose, of), ...more }
}

function relationship(choose: Choices, isObject: boolean): Item {
  const key = choose.pick(foreignKeys)
  const own = isObject ? { source: key.source, table: key.table } : { source: key.source, table: key.target }
  const name = choose.pick(fieldNames)
  const comment = choose.maybe(0.2, () => ({ comment: 'one' }))
  if (choose.chance(0.6)) {
    const on = isObject
      ? choose.pick<unknown>([key.column, key.column, [key.column]])
      : { table: spelled(choose, key.table), column: choose.chance(0.95) ? key.column : 'nowhere' }
    return { ...placed(choose, own), name, using: { foreign_key_constraint_on: on }, ...comment }
  }
  const [from, to] = [choose.table(0.9), choose.table(0.9)]
  const at = { source: from.source, table: to.table }
  const manual_configuration = {
    remote_table: spelled(choose, at.table),
    column_mapping: { [choose.column(from)]: choose.column({ ...at, source: to.source }) },
    ...choose.maybe(0.2, () => ({ insertion_order: choose.pick(['before_parent', 'after_parent', null]) })),
  }
  return { ...placed(choose, from), name, using: { manual_configuration }, ...comment }
}

const relationships = ['object_relationships', 'array_relationships'] as const

/** A table with a relationship, if there is one, and its name. */
function withOne(choose: Choices, ...lists: readonly string[]): { readonly of: Chosen; readonly name: string } {
  const having = choose
    .tracked()
    .flatMap(({ chosen }) => choose.names(chosen, ...lists).map((name) => ({ of: chosen, name })))
  return choose.known(having, [{ of: choose.table(), name: choose.pick(fieldNames) }], 0.85)
}

function remoteDefinition(choose: Choices, of: Chosen): Item {
  if (choose.chance(0.5)) {
    const to = choose.table(0.9)
    return {
      definition: {
        to_source: {
          relationship_type: choose.pick(['object', 'array']),
          source: to.source,
          table: spelled(choose, to.table),
          field_mapping: { [choose.column(of)]: choose.column(to) },
        },
      },
    }
  }
  const field = choose.column(of)
  const remote_field = { [choose.chance(0.9) ? 'reviews' : 'nothing']: { arguments: { album: `$${field}` } } }
  const remote_schema = choose.known(choose.named('remote_schemas'), ['reviews'])
  return choose.chance(0.8)
    ? { definition: { to_remote_schema: { remote_schema, lhs_fields: [field], remote_field } } }
    : { remote_schema, svc_fields: [field], remote_field }
}

export const tableGenerators: readonly Generator[] = [
  [
    14,
    (choose) => {
      const of = choose.untracked()
      const more = choose.maybe(0.3, () => ({ configuration: configuration(choose, of) }))
      return { type: 'track_table', args: { ...placed(choose, of), ...more } }
    },
  ],
  [
    5,
    (choose) => ({
      type: 'untrack_table',
      args: { ...placed(choose, choose.table(0.9)), cascade: choose.chance(0.6) },
    }),
  ],
  [
    3,
    (choose) => {
      const chosen = Array.from({ length: 1 + choose.random.below(4) }, () => choose.untracked())
      const tables = chosen.map((of) => member(choose, of))
      return { type: 'track_tables', args: { tables, ...choose.maybe(0.2, () => ({ allow_warnings: false })) } }
    },
  ],
  [
    1,
    (choose) => {
      const chosen = Array.from({ length: 1 + choose.random.below(3) }, () => choose.table())
      const tables = chosen.map((of) =>
        member(
          choose,
          of,
          choose.maybe(0.5, () => ({ cascade: true })),
        ),
      )
      return { type: 'untrack_tables', args: { tables } }
    },
  ],
  [
    5,
    (choose) => {
      const of = choose.table(0.9)
      const more = choose.maybe(0.9, () => ({ configuration: configuration(choose, of) }))
      return { type: 'set_table_customization', args: { ...placed(choose, of), ...more } }
    },
  ],
  [
    2,
    (choose) => {
      const of = choose.table(0.9)
      const { custom_root_fields, custom_column_names } = configuration(choose, of)
      return {
        type: 'set_table_custom_fields',
        args: {
          ...placed(choose, of),
          ...(custom_root_fields ? { custom_root_fields } : {}),
          ...(custom_column_names ? { custom_column_names } : {}),
        },
      }
    },
  ],
  [
    2,
    (choose) => ({
      type: 'set_table_is_enum',
      args: {
        ...placed(choose, choose.chance(0.7) ? { source: 'default', table: 'public.genre' } : choose.table()),
        is_enum: choose.chance(0.7),
      },
    }),
  ],
  [
    1,
    (choose) => ({
      type: 'set_apollo_federation_config',
      args: {
        ...placed(choose, choose.table(0.9)),
        ...choose.maybe(0.6, () => ({ apollo_federation_config: { enable: 'v1' } })),
      },
    }),
  ],
  [9, (choose) => ({ type: 'create_object_relationship', args: relationship(choose, true) })],
  [9, (choose) => ({ type: 'create_array_relationship', args: relationship(choose, false) })],
  [
    5,
    (choose) => {
      const { of, name } = withOne(choose, ...relationships)
      return {
        type: 'drop_relationship',
        args: { ...placed(choose, of), relationship: name, cascade: choose.chance(0.5) },
      }
    },
  ],
  [
    5,
    (choose) => {
      const { of, name } = withOne(choose, ...relationships)
      return { type: 'rename_relationship', args: { ...placed(choose, of), name, new_name: choose.pick(fieldNames) } }
    },
  ],
  [
    2,
    (choose) => {
      const { of, name } = withOne(choose, ...relationships)
      return {
        type: 'set_relationship_comment',
        args: { ...placed(choose, of), relationship: name, comment: choose.comment() },
      }
    },
  ],
  [
    5,
    (choose) => ({
      type: 'add_computed_field',
      args: {
        ...placed(choose, choose.chance(0.9) ? { source: 'default', table: 'public.artist' } : choose.table()),
        name: choose.pick(fieldNames),
        definition: {
          function: spelled(choose, choose.pick(['public.label', 'public.records', 'public.recent', 'public.nothing'])),
        },
        ...choose.maybe(0.2, () => ({ comment: 'one' })),
      },
    }),
  ],
  [
    3,
    (choose) => {
      const { of, name } = withOne(choose, 'computed_fields')
      return { type: 'drop_computed_field', args: { ...placed(choose, of), name, cascade: choose.chance(0.5) } }
    },
  ],
  [
    5,
    (choose) => {
      const of = choose.table(0.9)
      return {
        type: 'create_remote_relationship',
        args: { ...placed(choose, of), name: choose.pick(fieldNames), ...remoteDefinition(choose, of) },
      }
    },
  ],
  [
    2,
    (choose) => {
      const { of, name } = withOne(choose, 'remote_relationships')
      return {
        type: 'update_remote_relationship',
        args: { ...placed(choose, of), name, ...remoteDefinition(choose, of) },
      }
    },
  ],
  [
    2,
    (choose) => {
      const { of, name } = withOne(choose, 'remote_relationships')
      return { type: 'delete_remote_relationship', args: { ...placed(choose, of), name } }
    },
  ],
]
