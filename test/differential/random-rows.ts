import { maskedColumns } from './masked-columns.ts'
import type { AggregateOperator, Direction, OrderKey, Rows } from './query.ts'
import { operators, takes } from './random-fields.ts'
import { distinguishingPredicate } from './random-predicate.ts'
import { type Sight, type Wish, waysOf } from './random-query.ts'
import { type Compared, randomComparison } from './random-values.ts'
import type { Condition, Routine } from './world.ts'

const directions: readonly Direction[] = [
  'asc',
  'asc_nulls_first',
  'asc_nulls_last',
  'desc',
  'desc_nulls_first',
  'desc_nulls_last',
]

export function randomRows(wish: Wish, sight: Sight): Rows {
  const { random } = wish
  const where = random.chance(0.5) ? (randomAggregate(wish, sight, 0, 0.15) ?? randomWhere(wish, sight, 0)) : null
  const distinctOn = random.chance(0.15) ? randomDistinct(wish, sight) : []
  const ordered = distinctOn.length > 0 ? random.chance(0.8) : random.chance(0.7)
  const byColumn = (column: string): OrderKey => ({
    through: [],
    of: { kind: 'column', column },
    direction: random.pick(directions),
  })
  const first = distinctOn.toSorted(() => (random.chance(0.5) ? 1 : -1)).map(byColumn)
  const others = Array.from({ length: random.below(3) }, () => randomKey(wish, sight, 0)).filter((key) => key !== null)
  // a key at the end makes the order total where the role sees it
  const hasId = sight.columns.some(({ name }) => name === 'id')
  const total = sight.table.key.length > 0 ? sight.table.key : hasId ? ['id'] : []
  const key = random.chance(0.85) ? total.filter((column) => sight.grant.columns.includes(column)) : []
  const orderBy = ordered ? [...first, ...others, ...key.map(byColumn)] : []
  const isCut = orderBy.length > 0 ? random.chance(0.5) : random.chance(0.03)
  const kind = isCut ? random.below(3) : null
  const limit = kind === 0 || kind === 1 ? random.below(6) : null
  const columns = sight.columns.length > 0
  return { columns, where, orderBy, distinctOn, limit, offset: kind === 1 || kind === 2 ? random.below(4) : null }
}

/**
 * Often a column of which the role sees only a part: together with others it would distinguish rows that have it in
 * common.
 */
function randomDistinct({ random, asker }: Wish, { table, columns }: Sight): readonly string[] {
  const comparable = columns.filter(({ type }) => type !== 'jsonb')
  const masked = random.chance(0.6) ? maskedColumns(asker.view, table, comparable) : []
  return masked.length > 0 ? [random.pick(masked)] : comparable.filter(() => random.chance(0.4)).map(({ name }) => name)
}

/** Computed fields that ask nothing of the client. */
const plain = (routines: readonly Routine[]): readonly Compared[] =>
  routines.flatMap(({ name, arguments: { length }, body }) =>
    length === 0 && body.kind !== 'rows' ? [{ name, type: body.returns }] : [],
  )

function randomKey(wish: Wish, sight: Sight, depth: number): OrderKey | null {
  const { random } = wish
  const direction = random.pick(directions)
  const objects = waysOf(wish, sight, 'object').filter(({ way }) => way.query === undefined)
  // an aggregate of rows behind a relationship, or of those that a computed field gives
  const arrays = [
    ...waysOf(wish, sight, 'array')
      .filter(({ way }) => way.query === undefined)
      .map(({ way, target }) => ({ rows: way.name, target })),
    ...sight.computedRows
      .filter(({ routine }) => routine.arguments.length === 0)
      .map(({ routine, target }) => ({ rows: routine.name, target })),
  ]
  if (depth < 2 && objects.length > 0 && random.chance(0.25)) {
    const { way, target } = random.pick(objects)
    const inner = randomKey(wish, target, depth + 1)
    return inner && { ...inner, through: [way.name, ...inner.through] }
  }
  if (arrays.length > 0 && random.chance(0.3)) {
    const { rows, target } = random.pick(arrays)
    const operator: AggregateOperator = random.pick(operators)
    // which of the equal citexts is the least nothing says, and a cursor would show it
    const columns = target.columns.filter(({ type }) => takes(operator, type) && !(wish.relay && type === 'citext'))
    if (columns.length === 0 || random.chance(0.3)) return { through: [], of: { kind: 'count', rows }, direction }
    return { through: [], of: { kind: 'aggregate', rows, operator, column: random.pick(columns).name }, direction }
  }
  const columns = [...sight.columns, ...plain(sight.computed)].filter(({ type }) => type !== 'jsonb')
  return columns.length > 0
    ? { through: [], of: { kind: 'column', column: random.pick(columns).name }, direction }
    : null
}

function randomWhere(wish: Wish, sight: Sight, depth: number): Condition {
  const { random } = wish
  const ways = depth > 2 ? [] : waysOf(wish, sight).filter(({ way }) => way.query === undefined)
  const fields = depth > 2 ? [] : sight.computedRows.filter(({ routine }) => routine.arguments.length === 0)
  const kind = random.below(depth > 2 ? 4 : 10)
  if (kind === 9 && fields.length > 0) {
    const { routine, target } = random.pick(fields)
    return { kind: 'computed', field: routine.name, of: randomWhere(wish, target, depth + 1) }
  }
  if (kind >= 7 && ways.length > 0) {
    const aggregate = randomAggregate(wish, sight, depth, 0.4)
    if (aggregate) return aggregate
    const { way, target } = random.pick(ways)
    return { kind: 'related', relationship: way.name, of: randomWhere(wish, target, depth + 1) }
  }
  if (kind === 6) return { kind: 'not', of: randomWhere(wish, sight, depth + 1) }
  const compared = [...sight.columns, ...plain(sight.computed)]
  if (kind === 5 && compared.length > 0 && random.chance(0.5)) {
    // between two values, say
    const one = [random.pick(compared)]
    return { kind: 'and', of: [randomComparison(random, one, false), randomComparison(random, one, false)] }
  }
  if (random.chance(0.04))
    return { kind: 'and', of: [], empty: compared.length > 0 && random.chance(0.5) ? random.pick(compared).name : '' }
  if (kind >= 4 || compared.length === 0)
    return {
      kind: random.pick(['and', 'or']),
      of: Array.from({ length: depth > 2 ? 0 : random.below(3) }, () => randomWhere(wish, sight, depth + 1)),
    }
  return randomComparison(random, compared, false)
}

/** An aggregate as a condition, with this chance, where there are rows that the role may aggregate. */
function randomAggregate(wish: Wish, { table }: Sight, depth: number, chance: number): Condition | null {
  const { random } = wish
  if (!random.chance(chance)) return null
  const ways = waysOf(wish, { table }, 'array').filter(
    ({ way, target: { grant } }) => way.query === undefined && grant.aggregations,
  )
  if (ways.length === 0) return null
  return distinguishingPredicate(() => {
    const { way, target } = random.pick(ways)
    const filter = random.chance(0.25) ? randomWhere(wish, target, depth + 1) : null
    const { columns } = target
    return { random, table, way, target: target.table, columns, filter, judge: wish.asker }
  })
}
