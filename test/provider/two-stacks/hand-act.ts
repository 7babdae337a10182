import type { Random } from '../../admin/random.ts'
import type { Objects } from './declared.ts'
import { dropOf, isTable } from './object-keys.ts'

export const tablesOf = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`)

/** Tables that only the metadata API tracks. */
export const handTables = tablesOf('h', 2)

/** What a user of the metadata API does next: in words, the operation, its arguments. */
export function handAct(random: Random, before: Objects, fresh: () => number): readonly [string, string, object] {
  const keys = [...before.keys()]
  const tables = keys.filter((key) => isTable(key))
  const inside = keys.filter((key) => key.includes('/'))
  const role = `hr${random.below(3)}`
  const free = handTables.filter((table) => !before.has(table))
  const acts: (readonly [string, string, object] | null)[] = [
    free.length === 0 ? null : ['tracks', 'pg_track_table', { table: free[0] }],
    tables.length === 0
      ? null
      : [
          'permits',
          'pg_create_select_permission',
          { table: random.pick(tables), role, permission: { columns: ['id', 'owner'], filter: {} } },
        ],
    inside.length === 0 ? null : dropOf(random.pick(inside)),
    tables.length === 0
      ? null
      : [
          'customizes',
          'pg_set_table_customization',
          { table: random.pick(tables), configuration: { custom_name: `h_${fresh()}` } },
        ],
    tables.length === 0 || random.chance(0.7)
      ? null
      : ['untracks', 'pg_untrack_table', { table: random.pick(tables), cascade: true }],
  ]
  return random.pick(acts.filter((one) => one !== null))
}
