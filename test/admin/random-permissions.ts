/** Random permissions, each right for one kind of table or for none. */

import { names, pickColumn, pickTable, place, qualified, roles, targets } from './music-names.ts'
import type { Random } from './random.ts'

/** Right for one of the three kinds, or for none. */
export function writePermission(random: Random): object {
  const table = pickTable(random)
  const condition = random.pick(['check', 'filter'])
  return {
    ...place(random, table),
    role: random.pick(roles),
    permission: {
      [condition]: expression(random, table, 0),
      ...(random.chance(0.7) && { columns: random.chance(0.5) ? '*' : [pickColumn(random, table)] }),
      ...(random.chance(0.2) && { set: { [pickColumn(random, table)]: 'x-svc-user-id' } }),
    },
  }
}

export function permission(random: Random): object {
  const table = pickTable(random)
  return {
    ...place(random, table),
    role: random.pick(roles),
    permission: {
      columns: random.chance(0.4) ? '*' : Array.from({ length: random.below(3) }, () => pickColumn(random, table)),
      filter: expression(random, table, 0),
      ...(random.chance(0.1) && { limit: random.pick([10, 20, -1]) }),
      ...(random.chance(0.15) && { computed_fields: random.pick(['*', ['label'], ['records']]) }),
      ...(random.chance(0.3) && { allow_aggregations: true }),
      ...(random.chance(0.1) && {
        query_root_fields: random.pick([[], ['select'], ['select_aggregate'], ['select_by_pk']]),
      }),
    },
    ...(random.chance(0.2) && { comment: 'one' }),
  }
}

export function expression(random: Random, table: string, depth: number): object {
  const kind = random.below(depth > 2 ? 3 : 9)
  if (kind < 2) return {}
  if (kind < 4) {
    const operator = random.pick(['_eq', '$gt', '_is_null'])
    return {
      [pickColumn(random, table)]: { [operator]: operator === '_is_null' ? random.chance(0.9) : 'X-Svc-User-Id' },
    }
  }
  if (kind === 4) return { _and: [expression(random, table, depth + 1), expression(random, table, depth + 1)] }
  if (kind === 5) {
    const other = pickTable(random)
    return { _exists: { _table: qualified(other), _where: expression(random, other, depth + 1) } }
  }
  const other = targets[table] ?? Object.keys(targets).find((one) => targets[one] === table) ?? table
  return { [random.pick(names)]: expression(random, other, depth + 1) }
}
