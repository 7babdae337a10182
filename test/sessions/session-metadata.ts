import { limitOfAuditors, type Variant } from './oracle.ts'

export const table = { schema: 'public', name: 'note' }

/** Tables, and permissions that stay. */
export const track = [
  { type: 'pg_track_table', args: { table } },
  { type: 'pg_track_table', args: { table: 'entry' } },
  ...(['owner', 'team'] as const).map((role) => ({
    type: 'pg_create_select_permission',
    args: { table: 'entry', role, permission: { columns: '*', filter: { owner: { _eq: 'X-Svc-Owner' } } } },
  })),
  {
    type: 'pg_create_select_permission',
    args: { table: 'entry', role: 'auditor', permission: { columns: '*', filter: {} } },
  },
  {
    type: 'pg_create_select_permission',
    args: { table: 'entry', role: 'either', permission: { columns: '*', filter: {} } },
  },
  {
    type: 'pg_create_select_permission',
    args: { table, role: 'auditor', permission: { columns: '*', filter: {}, limit: limitOfAuditors, allow_aggregations: true } },
  },
  { type: 'add_inherited_role', args: { role_name: 'either', role_set: ['owner', 'team'] } },
] // biome-ignore format: one line each

const filtered = ['owner', 'team'] as const

/** Permissions of a variant. */
export const permissions = (variant: Variant): readonly object[] =>
  filtered.map((role) => {
    const own = { [role]: { _eq: `X-Svc-${role}` } }
    const filter = variant === 'all' ? own : { _and: [own, { id: { _lte: 30 } }] }
    return {
      type: 'pg_create_select_permission',
      args: { table, role, permission: { columns: '*', filter, allow_aggregations: true } },
    }
  })

/** From any variant to this one. */
export const changed = (variant: Variant): readonly object[] => [
  ...filtered.map((role) => ({ type: 'pg_drop_select_permission', args: { table, role } })),
  ...permissions(variant),
]
