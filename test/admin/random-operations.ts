import {
  functions,
  inheritedRoles,
  keys,
  names,
  pickColumn,
  pickTable,
  place,
  qualified,
  roles,
  tables,
  targets,
} from './music-names.ts'
import type { Random } from './random.ts'
import { expression, permission, writePermission } from './random-permissions.ts'

interface RandomOperation {
  readonly type: string
  readonly args: unknown
  readonly version?: number
}

export interface RandomRequest extends RandomOperation {
  readonly resource_version?: number
}

/** A request of /v1/metadata that may be tried: an operation, or one of the bulks, valid or broken. */
export function randomRequest(random: Random, url: string): RandomRequest {
  const members = () => Array.from({ length: 1 + random.below(5) }, () => randomMember(random, url, 1))
  const kind = random.below(10)
  if (kind < 3) return randomOperation(random, url)
  if (kind < 6) return { type: 'bulk', args: members() }
  return { type: kind < 8 ? 'bulk_keep_going' : 'bulk_atomic', args: members() }
}

function randomMember(random: Random, url: string, depth: number): RandomOperation {
  if (depth < 3 && random.chance(0.05))
    return { type: 'bulk', args: Array.from({ length: random.below(3) }, () => randomMember(random, url, depth + 1)) }
  return randomOperation(random, url)
}

const generators: readonly (readonly [number, (random: Random, url: string) => RandomOperation])[] = [
  [16, (random) => ({ type: 'pg_track_table', args: { ...place(random), ...configuration(random, 0.3) } })],
  [6, (random) => ({ type: 'pg_untrack_table', args: { ...place(random), cascade: random.chance(0.5) } })],
  [3, (random) => ({ type: 'pg_track_tables', args: someTables(random) })],
  [2, (random) => ({ type: 'pg_untrack_tables', args: someTables(random) })],
  [6, (random) => ({ type: 'pg_set_table_customization', args: { ...place(random), ...configuration(random, 0.9) } })],
  [
    2,
    (random) => ({
      type: 'pg_set_table_custom_fields',
      args: { ...place(random), custom_column_names: columnNames(random) },
    }),
  ],
  [10, (random) => ({ type: 'pg_create_object_relationship', args: objectRelationship(random) })],
  [10, (random) => ({ type: 'pg_create_array_relationship', args: arrayRelationship(random) })],
  [
    7,
    (random) => ({
      type: 'pg_drop_relationship',
      args: { ...place(random), relationship: random.pick(names), cascade: random.chance(0.4) },
    }),
  ],
  [
    5,
    (random) => ({
      type: 'pg_rename_relationship',
      args: { ...place(random), name: random.pick(names), new_name: random.pick(names) },
    }),
  ],
  [
    2,
    (random) => ({
      type: 'pg_set_relationship_comment',
      args: { ...place(random), relationship: random.pick(names), comment: comment(random) },
    }),
  ],
  [16, (random) => ({ type: 'pg_create_select_permission', args: permission(random) })],
  [7, (random) => ({ type: 'pg_drop_select_permission', args: { ...place(random), role: random.pick(roles) } })],
  [
    2,
    (random) => ({
      type: 'pg_set_permission_comment',
      args: {
        ...place(random),
        role: random.pick(roles),
        type: random.pick(['select', 'insert']),
        comment: comment(random),
      },
    }),
  ],
  [4, (random) => ({ type: `pg_create_${random.pick(writes)}_permission`, args: writePermission(random) })],
  [
    2,
    (random) => ({
      type: `pg_drop_${random.pick(writes)}_permission`,
      args: { ...place(random), role: random.pick(roles) },
    }),
  ],
  [6, (random) => ({ type: 'pg_add_computed_field', args: computedField(random) })],
  [
    3,
    (random) => ({
      type: 'pg_drop_computed_field',
      args: { ...place(random, 'artist'), name: random.pick(fields), cascade: random.chance(0.4) },
    }),
  ],
  [4, (random) => ({ type: 'pg_track_function', args: { function: random.pick(functions), ...named(random, 0.3) } })],
  [2, (random) => ({ type: 'pg_untrack_function', args: { function: random.pick(functions) } })],
  [
    1,
    (random) => ({
      type: 'pg_set_function_customization',
      args: { function: random.pick(functions), configuration: {}, ...named(random, 0.8) },
    }),
  ],
  [
    2,
    (random) => ({
      type: `pg_${random.pick(['create', 'create', 'drop'])}_function_permission`,
      args: { function: random.pick(['recent', 'change']), role: random.pick(roles) },
    }),
  ],
  [5, (random) => ({ type: 'add_inherited_role', args: inheritedRole(random) })],
  [
    2,
    (random) => ({
      type: 'drop_inherited_role',
      args: { [random.pick(['role', 'role_name'])]: random.pick(inheritedRoles) },
    }),
  ],
  [1, (random, url) => ({ type: 'pg_add_source', args: source(random, url) })],
  [
    1,
    (random) => ({
      type: 'pg_update_source',
      args: {
        name: random.pick(['default', 'second', 'third']),
        customization: random.chance(0.5) ? {} : { type_names: { prefix: 'p_' } },
      },
    }),
  ],
  [
    1,
    (random) => ({
      type: 'pg_drop_source',
      args: { name: random.pick(['second', 'third']), cascade: random.chance(0.5) },
    }),
  ],
  [1, () => ({ type: 'clear_metadata', args: {} })],
  [1, () => ({ type: 'drop_inconsistent_metadata', args: {} })],
  [2, (random, url) => replace(random, url)],
  [
    1,
    (random) => ({
      type: random.pick(['pg_create_nothing', 'pg_track_table', 'replace_metadata']),
      args: random.pick([null, 7, [], { table: 7 }]),
    }),
  ],
]

const total = generators.reduce((sum, [weight]) => sum + weight, 0)

function randomOperation(random: Random, url: string): RandomOperation {
  let left = random.next() * total
  for (const [weight, generate] of generators) {
    left -= weight
    if (left < 0) return generate(random, url)
  }
  return { type: 'clear_metadata', args: {} }
}

const comment = (random: Random) => random.pick(['one', 'two', null])

const someTables = (random: Random) => ({
  tables: Array.from({ length: 1 + random.below(4) }, () =>
    random.chance(0.5) ? place(random) : qualified(pickTable(random)),
  ),
  allow_warnings: random.chance(0.8),
})

const columnNames = (random: Random) =>
  random.chance(0.7)
    ? { [random.pick(['id', 'id', 'id', 'name', 'nowhere'])]: random.pick(['key', 'label', 'tracks']) }
    : {}

function configuration(random: Random, probability: number): object {
  if (!random.chance(probability)) return {}
  return {
    configuration: {
      ...(random.chance(0.4) && {
        custom_name: random.pick(['artist', 'singer', 'album', 'one', 'two', 'three', 'not a name']),
      }),
      ...(random.chance(0.4) && { custom_column_names: columnNames(random) }),
      ...(random.chance(0.2) && { custom_root_fields: { select: random.pick(['everything', 'artist']) } }),
    },
  }
}

function objectRelationship(random: Random): object {
  const table = random.pick(['album', 'track', 'playlist_track', pickTable(random)])
  const using = random.chance(0.7)
    ? { foreign_key_constraint_on: keys[table] ?? pickColumn(random, table) }
    : manual(random, table)
  return { ...place(random, table), name: random.pick(names), using, ...(random.chance(0.2) && { comment: 'one' }) }
}

function arrayRelationship(random: Random): object {
  const remote = random.pick(['album', 'track', 'playlist_track', pickTable(random)])
  const table = targets[remote] ?? pickTable(random)
  const using = random.chance(0.7)
    ? { foreign_key_constraint_on: { table: qualified(remote), column: keys[remote] ?? pickColumn(random, remote) } }
    : manual(random, table)
  return { ...place(random, table), name: random.pick(names), using }
}

function manual(random: Random, table: string): object {
  const remote = pickTable(random)
  return {
    manual_configuration: {
      remote_table: qualified(remote),
      column_mapping: { [pickColumn(random, table)]: pickColumn(random, remote) },
    },
  }
}

const fields = ['label', 'records', 'name', 'albums']
const writes = ['insert', 'update', 'delete'] as const

const computedField = (random: Random) => ({
  ...place(random, random.chance(0.9) ? 'artist' : pickTable(random)),
  name: random.pick(fields),
  definition: { function: random.chance(0.8) ? random.pick(['label', 'records']) : random.pick(functions) },
})

const named = (random: Random, probability: number): object =>
  random.chance(probability)
    ? { configuration: { custom_name: random.pick(['newest', 'artist', 'album', 'not a name']) } }
    : {}

const inheritedRole = (random: Random) => ({
  role_name: random.pick(inheritedRoles),
  role_set: Array.from({ length: random.chance(0.05) ? 0 : 1 + random.below(3) }, () =>
    random.pick(['user', 'editor', ...roles, ...inheritedRoles]),
  ),
})

const source = (random: Random, url: string) => ({
  name: random.pick(['second', 'third', 'default']),
  replace_configuration: random.chance(0.3),
  configuration: {
    connection_info: { database_url: random.chance(0.9) ? url : 'postgres://nobody@127.0.0.1:1/nothing' },
  },
})

/** A small document, whole or broken. */
function replace(random: Random, url: string): RandomOperation {
  const chosen = tables.filter(() => random.chance(0.5))
  const list = chosen.map((name) => ({
    table: qualified(name),
    ...(name === 'album' && {
      object_relationships: [{ name: 'artist', using: { foreign_key_constraint_on: 'artist_id' } }],
    }),
    ...(random.chance(0.3) && {
      select_permissions: [
        { role: 'user', permission: { columns: [pickColumn(random, name)], filter: expression(random, name, 1) } },
      ],
    }),
  }))
  const configuration = { connection_info: { database_url: url } }
  const inherited_roles = random.chance(0.4) ? [{ role_name: 'both', role_set: ['user', random.pick(roles)] }] : []
  const metadata = {
    version: 3,
    sources: [{ name: 'default', kind: 'postgres', tables: list, configuration }],
    ...(inherited_roles.length > 0 && { inherited_roles }),
  }
  if (random.chance(0.3)) return { type: 'replace_metadata', args: metadata }
  return { type: 'replace_metadata', version: 2, args: { allow_inconsistent_metadata: random.chance(0.7), metadata } }
}
