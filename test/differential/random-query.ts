import type { Random } from '../admin/random.ts'
import type { Grant, View } from './oracle-view.ts'
import type { AggregateOperator, AggregateValue, Direction, Field, OrderKey, Part, Root, Rows } from './query.ts'
import { randomComparison, randomCount } from './random-world.ts'
import { type Column, type Condition, type Relationship, type Table, tableOf, type World } from './world.ts'

const directions: readonly Direction[] = [
  'asc',
  'asc_nulls_first',
  'asc_nulls_last',
  'desc',
  'desc_nulls_first',
  'desc_nulls_last',
]
const operators: readonly AggregateOperator[] = ['sum', 'avg', 'min', 'max', 'variance', 'stddev_pop']

/** What a table offers to a role. */
interface Sight {
  readonly table: Table
  readonly grant: Grant
  readonly columns: readonly Column[]
}

/** Queries that a role may ask. */
export class QueryGenerator {
  readonly #world: World
  readonly #view: View
  readonly #random: Random
  #aliases = 0

  constructor(world: World, view: View, random: Random) {
    this.#world = world
    this.#view = view
    this.#random = random
  }

  /** Null: there is nothing that the role sees. */
  query(): readonly Root[] | null {
    const seen = [...this.#world.tables.values()].flatMap((table) => this.#see(table.name) ?? [])
    if (seen.length === 0) return null
    return Array.from({ length: this.#random.chance(0.25) ? 2 : 1 }, () => this.#root(this.#random.pick(seen)))
  }

  #see(name: string): Sight | null {
    const grant = this.#view.grant(name)
    if (!grant) return null
    const table = tableOf(this.#world, name)
    return { table, grant, columns: table.columns.filter((column) => grant.columns.includes(column.name)) }
  }

  #root(sight: Sight): Root {
    const random = this.#random
    const { table, grant } = sight
    const to = { as: this.#alias(), table: table.name }
    const hasKey = table.key.every((column) => grant.columns.includes(column))
    if (hasKey && random.chance(0.12)) {
      const key = Object.fromEntries(table.key.map((column) => [column, random.below(8)]))
      return { ...to, kind: 'by_pk', key, fields: this.#fields(sight, 0) }
    }
    if (grant.aggregations && random.chance(0.3))
      return { ...to, kind: 'aggregate', rows: this.#rows(sight), parts: this.#parts(sight, 0) }
    return { ...to, kind: 'list', rows: this.#rows(sight), fields: this.#fields(sight, 0) }
  }

  readonly #alias = (): string => `a${this.#aliases++}`

  #ways(
    { table }: Sight,
    kind?: Relationship['kind'],
  ): readonly { readonly way: Relationship; readonly target: Sight }[] {
    return this.#world.relationships.flatMap((way) => {
      if (way.table !== table.name || (kind && way.kind !== kind)) return []
      const target = this.#see(way.target)
      return target ? [{ way, target }] : []
    })
  }

  #fields(sight: Sight, depth: number): readonly Field[] {
    const random = this.#random
    const fields: Field[] = sight.columns
      .filter(() => random.chance(0.7))
      .map(({ name }) => ({ as: random.chance(0.8) ? name : this.#alias(), kind: 'column', column: name }))
    const ways = depth > 2 ? [] : this.#ways(sight).filter(() => random.chance(0.4))
    for (const { way, target } of ways) {
      const to = { as: this.#alias(), relationship: way.name }
      if (way.kind === 'object') fields.push({ ...to, kind: 'object', fields: this.#fields(target, depth + 1) })
      else if (target.grant.aggregations && random.chance(0.4))
        fields.push({ ...to, kind: 'aggregate', rows: this.#rows(target), parts: this.#parts(target, depth + 1) })
      else fields.push({ ...to, kind: 'array', rows: this.#rows(target), fields: this.#fields(target, depth + 1) })
    }
    return fields.length > 0 ? fields : [this.#anyField(sight)]
  }

  /** Some field there must be; a role may see no column. */
  #anyField(sight: Sight): Field {
    const column = sight.columns[0]
    if (column) return { as: column.name, kind: 'column', column: column.name }
    return { as: '__typename', kind: 'column', column: '__typename' }
  }

  #parts(sight: Sight, depth: number): readonly Part[] {
    const random = this.#random
    const aggregate = (): Part => ({ as: this.#alias(), kind: 'aggregate', values: this.#values(sight) })
    const nodes = (): Part => ({ as: this.#alias(), kind: 'nodes', fields: this.#fields(sight, depth + 1) })
    return random.pick([
      () => [aggregate()],
      () => [nodes()],
      () => [nodes(), aggregate()],
      () => [aggregate(), nodes()],
    ])()
  }

  #values(sight: Sight): readonly AggregateValue[] {
    const random = this.#random
    const values = Array.from({ length: 1 + random.below(3) }, (): AggregateValue | null => {
      if (random.chance(0.4)) {
        const columns = sight.columns.filter(() => random.chance(0.3)).map(({ name }) => name)
        return { as: this.#alias(), kind: 'count', columns: columns.slice(0, 2), distinct: random.chance(0.4) }
      }
      const operator = random.pick(operators)
      const columns = sight.columns.filter((column) => takes(operator, column)).filter(() => random.chance(0.7))
      if (columns.length === 0) return null
      return {
        as: this.#alias(),
        kind: 'operator',
        operator,
        columns: columns.map(({ name }) => ({ as: name, column: name })),
      }
    }).filter((value) => value !== null)
    return values.length > 0 ? values : [{ as: this.#alias(), kind: 'count', columns: [], distinct: false }]
  }

  #rows(sight: Sight): Rows {
    const random = this.#random
    const where = random.chance(0.5) ? this.#where(sight, 0) : null
    const distinct = random.chance(0.15)
      ? sight.columns.filter(({ type }) => type !== 'jsonb' && random.chance(0.4))
      : []
    const distinctOn = distinct.map(({ name }) => name)
    const ordered = distinctOn.length > 0 ? random.chance(0.8) : random.chance(0.5)
    const first = distinctOn.toSorted(() => (random.chance(0.5) ? 1 : -1)).map((column) => this.#byColumn(column))
    const others = Array.from({ length: random.below(3) }, () => this.#orderKey(sight, 0)).filter((key) => key !== null)
    // a key at the end makes the order total where the role sees it
    const key = random.chance(0.7) ? sight.table.key.filter((column) => sight.grant.columns.includes(column)) : []
    const orderBy = ordered ? [...first, ...others, ...key.map((column) => this.#byColumn(column))] : []
    const isCut = orderBy.length > 0 ? random.chance(0.5) : random.chance(0.03)
    const kind = isCut ? random.below(3) : null
    const limit = kind === 0 || kind === 1 ? random.below(6) : null
    return { where, orderBy, distinctOn, limit, offset: kind === 1 || kind === 2 ? random.below(4) : null }
  }

  #byColumn(column: string): OrderKey {
    return { through: [], of: { kind: 'column', column }, direction: this.#random.pick(directions) }
  }

  #orderKey(sight: Sight, depth: number): OrderKey | null {
    const random = this.#random
    const direction = random.pick(directions)
    const objects = this.#ways(sight, 'object')
    const arrays = this.#ways(sight, 'array')
    if (depth < 2 && objects.length > 0 && random.chance(0.25)) {
      const { way, target } = random.pick(objects)
      const inner = this.#orderKey(target, depth + 1)
      return inner && { ...inner, through: [way.name, ...inner.through] }
    }
    if (arrays.length > 0 && random.chance(0.3)) {
      const { way, target } = random.pick(arrays)
      const operator = random.pick(operators)
      const columns = target.columns.filter((column) => takes(operator, column))
      if (columns.length === 0 || random.chance(0.3))
        return { through: [], of: { kind: 'count', relationship: way.name }, direction }
      const column = random.pick(columns).name
      return { through: [], of: { kind: 'aggregate', relationship: way.name, operator, column }, direction }
    }
    const columns = sight.columns.filter(({ type }) => type !== 'jsonb')
    return columns.length > 0
      ? { through: [], of: { kind: 'column', column: random.pick(columns).name }, direction }
      : null
  }

  #where(sight: Sight, depth: number): Condition {
    const random = this.#random
    const ways = depth > 2 ? [] : this.#ways(sight)
    const kind = random.below(depth > 2 ? 4 : 9)
    if (kind >= 7 && ways.length > 0) {
      const { way, target } = random.pick(ways)
      if (way.kind === 'array' && target.grant.aggregations && random.chance(0.4))
        return randomCount(random, way.name, target.columns, random.chance(0.5) ? this.#where(target, depth + 1) : null)
      return { kind: 'related', relationship: way.name, of: this.#where(target, depth + 1) }
    }
    if (kind === 6) return { kind: 'not', of: this.#where(sight, depth + 1) }
    if (kind >= 4 || sight.columns.length === 0)
      return {
        kind: random.pick(['and', 'or']),
        of: Array.from({ length: depth > 2 ? 0 : random.below(3) }, () => this.#where(sight, depth + 1)),
      }
    return randomComparison(random, { columns: sight.columns }, false)
  }
}

function takes(operator: AggregateOperator, { type }: Column): boolean {
  if (operator === 'min' || operator === 'max') return type !== 'bool' && type !== 'jsonb'
  return type === 'int4' || type === 'int8' || type === 'numeric'
}
