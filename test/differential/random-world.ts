import type { Random } from '../admin/random.ts'
import type {
  Column,
  ColumnType,
  Condition,
  Operand,
  Operator,
  Permission,
  Relationship,
  Role,
  Row,
  Table,
  Value,
  World,
} from './world.ts'

const words = ['ant', 'bee', 'bear', 'cat', 'cow', 'dog', 'eel', 'ewe', '']
const uuids = ['0b', '3c', '9a', 'ff'].map((start) => `${start}000000-0000-4000-8000-000000000000`)

/** Few different values, so that comparisons find something and rows tie. */
export function randomValue(random: Random, type: ColumnType): Exclude<Value, null> {
  switch (type) {
    case 'int4':
    case 'int8':
      return random.below(7) - 1
    case 'numeric':
      return (random.below(13) - 3) / 4
    case 'text':
      return random.pick(words)
    case 'bool':
      return random.chance(0.5)
    case 'date':
      return `20${random.pick(['01', '10', '24'])}-0${1 + random.below(3)}-15`
    case 'uuid':
      return random.pick(uuids)
    case 'jsonb':
      return Object.fromEntries(['a', 'b', 'c'].filter(() => random.chance(0.5)).map((key) => [key, random.below(3)]))
  }
}

export function randomWorld(random: Random): World {
  const names = ['alpha', 'beta', 'gamma', 'delta'].slice(0, 2 + random.below(3))
  const sketches = names.map((name) => ({ name, columns: randomColumns(random), composite: random.chance(0.2) }))
  const relationships = names.flatMap((name) => randomRelationships(random, name, sketches))
  const tables = new Map<string, Table>()
  // a foreign key's target comes first: each table refers to those before it, or to itself
  for (const { name, columns, composite } of sketches) {
    const keys = relationships.filter(({ table, foreignKey }) => table === name && foreignKey === 'own')
    const links = keys.map(
      (one): Column => ({ name: `${one.name}_id`, type: 'int4', nullable: random.chance(0.6) || one.target === name }),
    )
    const key = composite ? ['id', 'part'] : ['id']
    const all: readonly Column[] = [
      ...key.map((column): Column => ({ name: column, type: 'int4', nullable: false })),
      ...links,
      ...columns,
    ]
    const rows: Row[] = []
    const count = random.chance(0.08) ? 0 : 1 + random.below(9)
    for (let i = 0; i < count; i++) {
      const row = Object.fromEntries(all.map((column) => [column.name, randomCell(random, column)]))
      row.id = composite ? Math.floor(i / 2) : i
      if (composite) row.part = i % 2
      let isWhole = true
      for (const one of keys) {
        const targets = one.target === name ? rows : (tables.get(one.target)?.rows ?? [])
        const link = all.find((column) => column.name === `${one.name}_id`)
        isWhole &&= targets.length > 0 || link?.nullable === true
        row[`${one.name}_id`] =
          targets.length === 0 || (link?.nullable && random.chance(0.25)) ? null : (random.pick(targets).id ?? null)
      }
      if (isWhole) rows.push(row)
    }
    tables.set(name, { name, columns: all, key, rows })
  }
  const world: World = { tables, relationships, roles: new Map() }
  return { ...world, roles: randomRoles(random, world) }
}

const randomCell = (random: Random, { type, nullable }: Column): Value =>
  nullable && random.chance(0.3) ? null : randomValue(random, type)

function randomColumns(random: Random): readonly Column[] {
  const types: readonly ColumnType[] = ['int4', 'int8', 'numeric', 'text', 'text', 'bool', 'date', 'uuid', 'jsonb']
  return Array.from({ length: 2 + random.below(4) }, (_, i): Column => {
    const type = random.pick(types)
    return { name: `${type.charAt(0)}${i}`, type, nullable: random.chance(0.6) }
  })
}

interface Sketch {
  readonly name: string
  readonly columns: readonly Column[]
  readonly composite: boolean
}

function randomRelationships(random: Random, name: string, sketches: readonly Sketch[]): readonly Relationship[] {
  const own = sketches.findIndex((one) => one.name === name)
  const found: Relationship[] = []
  for (const target of sketches.slice(0, own + 1)) {
    if (target.composite || !random.chance(target.name === name ? 0.3 : 0.8)) continue
    const link = `to_${target.name}`
    found.push(
      {
        table: name,
        name: link,
        kind: 'object',
        target: target.name,
        columns: [[`${link}_id`, 'id']],
        foreignKey: 'own',
      },
      {
        table: target.name,
        name: `${name}_of`,
        kind: 'array',
        target: name,
        columns: [['id', `${link}_id`]],
        foreignKey: 'other',
      },
    )
  }
  const other = random.pick(sketches)
  const kind = random.pick(['object', 'array'] as const)
  if (random.chance(0.5))
    found.push({
      table: name,
      name: `by_hand_${other.name}`,
      kind,
      target: other.name,
      columns: [['id', 'id']],
      foreignKey: null,
    })
  return found
}

function randomRoles(random: Random, world: World): ReadonlyMap<string, Role> {
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
    const columns = table.columns.map(({ name }) => name).filter(() => random.chance(0.7))
    permissions.set(table.name, {
      columns: random.chance(0.3) ? table.columns.map(({ name }) => name) : columns,
      filter: random.chance(0.2) ? { kind: 'and', of: [] } : randomFilter(random, world, table, table, 0),
      limit: random.chance(0.15) ? 1 + random.below(5) : null,
      aggregations: random.chance(0.7),
    })
  }
  return permissions
}

function randomFilter(random: Random, world: World, table: Table, root: Table, depth: number): Condition {
  const inner = (of: Table) => randomFilter(random, world, of, root, depth + 1)
  const kind = random.below(depth > 2 ? 5 : 11)
  const [column = table.columns[0]] = [random.pick(table.columns)]
  if (!column || kind < 5) return randomComparison(random, table, true)
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
        return randomCount(random, way.name, target.columns, random.chance(0.5) ? inner(target) : null)
      return { kind: 'related', relationship: way.name, of: inner(world.tables.get(way.target) ?? table) }
    }
    case 9: {
      const other = random.pick([...world.tables.values()])
      return { kind: 'exists', table: other.name, of: inner(other) }
    }
    default: {
      const isRoot = random.chance(0.5)
      const alike = (isRoot ? root : table).columns.filter(({ type }) => type === column.type && type !== 'jsonb')
      if (alike.length === 0) return randomComparison(random, table, true)
      const operator = random.pick(['eq', 'neq', 'gt', 'lte'] as const)
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

export function randomCount(
  random: Random,
  relationship: string,
  columns: readonly Column[],
  filter: Condition | null,
): Condition {
  const counted = columns.filter(({ type }) => type !== 'jsonb' && random.chance(0.2)).map(({ name }) => name)
  return {
    kind: 'count',
    relationship,
    columns: counted,
    distinct: random.chance(0.3),
    filter,
    operator: random.pick(['eq', 'neq', 'gt', 'lte']),
    value: random.below(3),
  }
}

/** `session`: its variables may stand for values. */
export function randomComparison(random: Random, table: Pick<Table, 'columns'>, session: boolean): Condition {
  const column = random.pick(table.columns)
  if (random.chance(0.12)) return { kind: 'is-null', column: column.name, is: random.chance(0.5) }
  const operator = randomOperator(random, column.type)
  return {
    kind: 'compare',
    column: column.name,
    operator,
    operand: randomOperand(random, column.type, operator, session),
  }
}

function randomOperator(random: Random, type: ColumnType): Operator {
  if (type === 'jsonb') return random.pick(['contains', 'has_key', 'eq', 'neq'])
  const all: readonly Operator[] = ['eq', 'eq', 'neq', 'gt', 'lt', 'gte', 'lte', 'in', 'nin']
  return random.pick(type === 'text' ? [...all, 'like', 'ilike'] : all)
}

function randomOperand(random: Random, type: ColumnType, operator: Operator, session: boolean): Operand {
  const constant = (value: Value | readonly Value[]): Operand => ({ kind: 'constant', value })
  const isInteger = type === 'int4' || type === 'int8'
  if (operator === 'in' || operator === 'nin') {
    if (session && isInteger && random.chance(0.4)) return { kind: 'session', variable: 'x-svc-ids' }
    return constant(Array.from({ length: random.below(4) }, () => randomValue(random, type)))
  }
  if (operator === 'like' || operator === 'ilike') return constant(random.pick(['%e%', 'B%', 'c__', '%', 'ew_', '%t']))
  if (operator === 'has_key') return constant(random.pick(['a', 'b', 'z']))
  if (session && random.chance(0.45)) {
    if (isInteger) return { kind: 'session', variable: 'x-svc-user-id' }
    if (type === 'text') return { kind: 'session', variable: 'x-svc-word' }
  }
  return constant(randomValue(random, type))
}
