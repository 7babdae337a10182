/** A store of 300 tables with three roles, and changes of it. */
import type { Random } from './random.ts'
import type { RandomRequest } from './random-operations.ts'

const size = 300
const roles = ['role_0', 'role_1', 'role_2']
const columns = ['id', 'name', 'owner', 'parent_id', 'price']

export const wideTables = Array.from(
  { length: size },
  (_, i) => `
    CREATE TABLE t${i} (id int PRIMARY KEY, name text NOT NULL, owner int, parent_id int REFERENCES t${Math.floor(i / 3)} (id), price numeric);
    INSERT INTO t${i} SELECT n, 'row ' || n, n % 3, NULL, n FROM generate_series(1, 4) n;`,
).join('')

const track = (i: number) => ({ type: 'pg_track_table', args: { table: `t${i}` } })
const relationship = (i: number) => ({
  type: 'pg_create_object_relationship',
  args: { table: `t${i}`, name: 'parent', using: { foreign_key_constraint_on: 'parent_id' } },
})
const select = (i: number, role: string, shown: readonly string[], filter: object, more: object = {}) => ({
  type: 'pg_create_select_permission',
  args: { table: `t${i}`, role, permission: { columns: shown, filter, ...more } },
})
const own = { owner: { _eq: 'X-Svc-User-Id' } }

export const wideMetadata = [
  ...Array.from({ length: size }, (_, i) => track(i)),
  ...Array.from({ length: size }, (_, i) => relationship(i)),
  ...Array.from({ length: size }, (_, i) =>
    roles.map((role, n) => select(i, role, columns.slice(0, 3 + n), n === 0 ? own : {})),
  ).flat(),
]

/** One to four operations that the store mostly takes, as one change. */
export function wideChange(random: Random): RandomRequest {
  return { type: 'bulk_atomic', args: Array.from({ length: 1 + random.below(4) }, () => member(random)).flat() }
}

function member(random: Random): readonly object[] {
  const i = random.below(size)
  const table = `t${i}`
  const role = random.pick(roles)
  const shown = columns.filter((name) => name === 'id' || random.chance(0.6))
  const filter = random.pick([{}, own, { id: { _gt: 2 } }, { parent: own }, { _or: [own, { price: { _lt: 3 } }] }])
  const drop = { type: 'pg_drop_select_permission', args: { table, role } }
  switch (random.below(9)) {
    case 0:
      return [drop]
    case 1:
      return [select(i, role, shown, filter)]
    case 2:
      return [{ type: 'pg_untrack_table', args: { table, cascade: true } }]
    case 3:
      return [track(i), select(i, role, shown, {})]
    case 4:
      return [
        {
          type: 'pg_set_table_customization',
          args: {
            table,
            configuration: random.pick([
              {},
              { custom_name: `x${i}` },
              { column_config: { name: { custom_name: 'label' } } },
              { custom_root_fields: { select: `all_t${i}` } },
            ]),
          },
        },
      ]
    case 5:
      return [{ type: 'pg_rename_relationship', args: { table, name: 'parent', new_name: 'up' } }]
    default:
      return [drop, select(i, role, shown, filter, random.pick([{}, { allow_aggregations: true }, { limit: 2 }]))]
  }
}
