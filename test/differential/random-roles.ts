import { type Random, seededRandom } from '../admin/random.ts'
import { randomPredicate } from './random-predicate.ts'
import { randomSession } from './random-session.ts'
import { type Compared, randomComparison } from './random-values.ts'
import type { Condition, Permission, Role, RootField, Table, World } from './world.ts'

/** Stands for any, where what a filter compares is chosen. */
const someSession = randomSession(seededRandom(1))

/** Roles of their own, one that inherits some of them, and one that inherits that one. */
export function randomRoles(random: Random, world: World): ReadonlyMap<string, Role> {
  const plain = ['user', 'editor', 'guest'].map((name) => ({
    name,
    permissions: randomPermissions(random, world, 0.85),
    parents: [],
  }))
  const pick = (from: readonly string[]) => {
    const chosen = from.filter(() => random.chance(0.7))
    return chosen.length > 0 ? chosen : from.slice(0, 1)
  }
  const both: Role = {
    name: 'both',
    permissions: randomPermissions(random, world, 0.1),
    parents: pick(['user', 'editor', 'guest']),
  }
  const nested: Role = { name: 'nested', permissions: new Map(), parents: ['both', ...pick(['guest', 'user'])] }
  return new Map([...plain, both, nested].map((role) => [role.name, role]))
}

function randomPermissions(random: Random, world: World, chance: number): ReadonlyMap<string, Permission> {
  const permissions = new Map<string, Permission>()
  for (const table of world.tables.values()) {
    // a role that nothing names is none to inherit from
    const isNamed = permissions.size > 0 || chance < 0.5 || table.name !== [...world.tables.keys()].at(-1)
    if (isNamed && !random.chance(chance)) continue
    permissions.set(table.name, randomPermission(random, world, table))
  }
  return permissions
}

function randomPermission(random: Random, world: World, table: Table): Permission {
  const names = table.columns.map(({ name }) => name)
  const computed = scalars(world, table).map(({ name }) => name)
  const isModel = table.kind === 'model'
  const columns = random.chance(0.3) ? names : names.filter(() => random.chance(0.7))
  const aggregations = !isModel && random.chance(0.7)
  const roots: readonly RootField[] = [
    'select',
    ...(table.key.length > 0 && table.key.every((name) => columns.includes(name)) ? (['select_by_pk'] as const) : []),
    ...(aggregations ? (['select_aggregate'] as const) : []),
  ]
  return {
    columns,
    computed: random.chance(0.3) ? computed : computed.filter(() => random.chance(0.7)),
    filter: random.chance(0.2) ? { kind: 'and', of: [] } : randomFilter(random, world, table, table, 0),
    limit: !isModel && random.chance(0.3) ? 1 + random.below(2) : null,
    aggregations,
    roots: !isModel && random.chance(0.2) ? roots.filter(() => random.chance(0.6)) : null,
  }
}

const scalars = (world: World, { name }: Table) =>
  world.routines.filter((one) => one.table === name && one.body.kind !== 'rows')

/** Columns, and computed fields that ask nothing of the client. */
const compared = (world: World, table: Table): readonly Compared[] => [
  ...table.columns,
  ...scalars(world, table).flatMap(({ name, arguments: { length }, body }) =>
    length === 0 && body.kind !== 'rows' ? [{ name, type: body.returns }] : [],
  ),
]

function randomFilter(random: Random, world: World, table: Table, root: Table, depth: number): Condition {
  const inner = (of: Table) => randomFilter(random, world, of, root, depth + 1)
  // the filter of a logical model speaks of its own fields
  const kind = random.below(depth > 2 ? 5 : table.kind === 'model' ? 8 : 12)
  const [column = table.columns[0]] = [random.pick(table.columns)]
  if (!column || kind < 5) return randomComparison(random, compared(world, table), true)
  switch (kind) {
    case 5:
    case 6:
      return { kind: random.pick(['and', 'or']), of: Array.from({ length: random.below(4) }, () => inner(table)) }
    case 7:
      return { kind: 'not', of: inner(table) }
    case 8: {
      const ways = world.relationships.filter((one) => one.table === table.name)
      if (ways.length === 0) return inner(table)
      const way = random.pick(ways)
      const target = world.tables.get(way.target) ?? table
      if (way.kind === 'array' && random.chance(0.4))
        return randomPredicate({
          random,
          table,
          way,
          target,
          columns: target.columns,
          filter: random.chance(0.5) ? inner(target) : null,
          judge: { world, session: someSession, view: null },
        })
      return { kind: 'related', relationship: way.name, of: inner(target) }
    }
    case 9: {
      const other = random.pick([...world.tables.values()].filter((one) => one.kind !== 'model'))
      return { kind: 'exists', table: other.name, of: inner(other) }
    }
    case 10: {
      const fields = world.routines.filter(
        ({ table: of, body, arguments: { length } }) => of === table.name && body.kind === 'rows' && length === 0,
      )
      if (fields.length === 0) return inner(table)
      const { name, body } = random.pick(fields)
      const target = body.kind === 'rows' ? world.tables.get(body.target) : undefined
      return { kind: 'computed', field: name, of: inner(target ?? table) }
    }
    default: {
      const isRoot = random.chance(0.5)
      const alike = (isRoot ? root : table).columns.filter(
        ({ type, spelled }) => type === column.type && spelled === column.spelled && type !== 'jsonb',
      )
      if (alike.length === 0) return randomComparison(random, compared(world, table), true)
      const operator = random.pick(['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const)
      const ordered = operator === 'eq' || operator === 'neq' || column.type !== 'bool'
      return {
        kind: 'columns',
        column: column.name,
        operator: ordered ? operator : 'eq',
        other: random.pick(alike).name,
        root: isRoot,
      }
    }
  }
}
