import type { Random } from '../admin/random.ts'
import type {
  Condition,
  Conflict,
  NewRow,
  Operation,
  Permissions,
  TableName,
  TablePermissions,
} from './written-tables.ts'

const texts = ['x', 'y', 'z']

function randomCondition(random: Random, table: TableName, depth = 2, related = true): Condition {
  const part = () => randomCondition(random, table, depth - 1, related)
  const columns = table === 'b' && related ? (['id', 'n', 'a_id'] as const) : (['id', 'n'] as const)
  if (depth > 0 && random.chance(0.3))
    return random.pick([
      () => ({ all: [part(), part()] }),
      () => ({ any: [part(), part()] }),
      () => ({ not: part() }),
    ])()
  if (related && depth > 0 && random.chance(0.2))
    return { related: randomCondition(random, table === 'a' ? 'b' : 'a', 1, false) }
  if (random.chance(0.2)) return { isNull: random.pick(['n', 't'] as const), not: random.chance(0.5) }
  if (random.chance(0.25)) return { column: 't', operator: '_eq', value: random.pick(texts) }
  return { column: random.pick(columns), operator: random.pick(['_gt', '_lt'] as const), value: random.below(12) - 2 }
}

const anything: Condition = { all: [] }

const mostly = (random: Random, table: TableName): Condition =>
  random.chance(0.5) ? anything : { any: [randomCondition(random, table), randomCondition(random, table)] }

export function randomPermissions(random: Random): Permissions {
  const of = (table: TableName): TablePermissions => {
    const presets = (): Record<string, number | string> =>
      random.chance(0.3) ? { t: random.pick(texts) } : random.chance(0.2) ? { n: random.below(9) } : {}
    const own = table === 'b' ? ['n', 't', 'a_id'] : ['n', 't']
    const write = (always: readonly string[]) => {
      const set = presets()
      const columns = [...always, ...own.filter((name) => random.chance(0.8) || name === 'a_id')]
      return { columns: columns.filter((name) => !(name in set)), presets: set, check: mostly(random, table) }
    }
    return {
      insert: write(['id']),
      update: { ...write([]), filter: mostly(random, table) },
      delete: { filter: mostly(random, table) },
    }
  }
  return { a: of('a'), b: of('b') }
}

export function randomOperation(random: Random, permissions: Permissions): Operation {
  const table = random.pick(['a', 'b'] as const)
  const of = permissions[table]
  const byKey = (): Condition => ({ column: 'id', operator: '_eq', value: random.below(12) })
  const where = () => (random.chance(0.3) ? byKey() : randomCondition(random, table))
  if (random.chance(0.2)) return { kind: 'delete', table, where: where() }
  if (random.chance(0.35)) {
    const updates = Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => {
      const columns = of.update.columns.filter(() => random.chance(0.6))
      const inc = columns.includes('n') && random.chance(0.3) ? { n: random.below(5) - 2 } : {}
      const set = columns.filter((name) => !(name in inc)).map((name) => [name, randomValue(random, name)])
      return { where: where(), set: Object.fromEntries(set), inc: inc as Record<string, number> }
    })
    return { kind: 'update', table, updates }
  }
  // one row with rows inside it and no conflicts, which may be one statement
  const isPlain = random.chance(0.3)
  const conflictOf = (name: TableName): Conflict | null =>
    isPlain || random.chance(0.5)
      ? null
      : {
          columns: random.chance(0.3) ? [] : permissions[name].update.columns.filter(() => random.chance(0.6)),
          where: random.chance(0.6) ? anything : randomCondition(random, name),
        }
  const rowOf = (name: TableName, nested: boolean, taken: Set<number>, isChild = false): NewRow => {
    const columns = permissions[name].insert.columns.filter(
      (column) =>
        column === 'id' || (random.chance(0.7) && !((isChild || nested) && name === 'b' && column === 'a_id')),
    )
    let id = random.below(isPlain ? 200 : 12)
    while (taken.has(id)) id = random.below(40)
    taken.add(id)
    const values = Object.fromEntries(
      columns.map((column) => [column, column === 'id' ? id : randomValue(random, column)]),
    )
    if (!nested) return { values }
    const children = new Set<number>()
    const other = name === 'a' ? 'b' : 'a'
    const length = name === 'a' ? 1 + random.below(3) : 1
    const rows = Array.from({ length }, () => rowOf(other, false, children, true))
    return { values, nested: { rows, conflict: conflictOf(other) } }
  }
  const taken = new Set<number>()
  const length = isPlain ? 1 : random.chance(0.1) ? 12 : 1 + random.below(3)
  const rows = Array.from({ length }, () =>
    rowOf(table, isPlain || random.chance(0.4), random.chance(0.1) ? new Set() : taken),
  )
  return { kind: 'insert', table, rows, conflict: conflictOf(table) }
}

function randomValue(random: Random, column: string): number | string | null {
  if (random.chance(0.15)) return null
  return column === 't' ? random.pick(texts) : column === 'n' ? random.below(14) - 6 : random.below(12)
}

/** By the field of one row, where it is about one. */
export function asOne(operation: Operation): Operation {
  const isKey = (where: Condition) => 'column' in where && where.column === 'id' && where.operator === '_eq'
  switch (operation.kind) {
    case 'insert':
      return operation.rows.length === 1 ? { ...operation, one: true } : operation
    case 'update': {
      const [only, ...others] = operation.updates
      return only && others.length === 0 && isKey(only.where) ? { ...operation, one: true } : operation
    }
    case 'delete':
      return isKey(operation.where) ? { ...operation, one: true } : operation
  }
}
