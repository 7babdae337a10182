/** Aggregates as conditions, compared with what their rows give, so that mistakes in them show. */
import type { Random } from '../admin/random.ts'
import { maskedColumns } from './masked-columns.ts'
import { aggregateOf, evaluate, type Judge, joined } from './oracle-condition.ts'
import { Ambiguous } from './oracle-values.ts'
import type { View } from './oracle-view.ts'
import type {
  Column,
  ColumnType,
  Condition,
  Predicate,
  PredicateFunction,
  Relationship,
  Row,
  Table,
  Value,
} from './world.ts'
import { columnOf } from './world-lookup.ts'

/** Where a predicate stands. */
export interface PredicatePlace {
  readonly random: Random
  readonly table: Table
  readonly way: Relationship
  readonly target: Table
  /** Those of the target that it may be about. */
  readonly columns: readonly Column[]
  readonly filter: Condition | null
  readonly judge: Judge
}

type Unmeasured = Omit<Predicate, 'operator' | 'value'>

/** What a predicate gives for some row, and what it would give if something were forgotten. */
interface Apart {
  readonly is: Value
  readonly other: number | boolean
  readonly forgotten: 'distinct' | 'mask' | 'filter'
}

const pairs: readonly PredicateFunction[] = ['corr', 'covar_samp']
const ofOne: readonly PredicateFunction[] = ['avg', 'max', 'min', 'sum', 'sum', 'stddev_samp', 'var_samp']
/** Those that do not round where values are quarters, unless they divide. */
const exact: readonly PredicateFunction[] = ['count', 'avg', 'max', 'min', 'sum']

/** The first of some that would show that a mask or `distinct` is forgotten, or one that shows less. */
export function distinguishingPredicate(place: () => PredicatePlace): Condition {
  const tries = Array.from({ length: 8 }, () => () => randomUnmeasured(place()))
  for (const next of tries) {
    const { place: at, predicate, apart } = next()
    if (apart && apart.forgotten !== 'filter') return measured(at, predicate, apart)
  }
  return randomPredicate(place())
}

export function randomPredicate(place: PredicatePlace): Condition {
  const { predicate, apart } = randomUnmeasured(place)
  return measured(place, predicate, place.random.chance(0.8) ? apart : null)
}

function randomUnmeasured(place: PredicatePlace) {
  const { random, way, filter } = place
  const columns = (type: ColumnType) => partlySeen(place, type)
  const [floats, truths] = [columns('float8'), columns('bool')]
  const of = (name: PredicateFunction, taken: readonly string[]) => {
    const shared = { relationship: way.name, distinct: random.chance(0.55), filter } as const
    const predicate: Unmeasured = { ...shared, function: name, columns: taken }
    return { place, predicate, apart: randomApart(place, predicate) }
  }
  if (truths.length > 0 && random.chance(floats.length > 0 ? 0.3 : 0.5))
    return of(random.pick(['bool_and', 'bool_or']), [random.pick(truths)])
  if (floats.length > 0 && random.chance(0.8)) {
    const isPair = random.chance(0.2)
    const taken = isPair ? [random.pick(floats), random.pick(floats)] : [random.pick(floats)]
    return of(random.pick(isPair ? pairs : ofOne), taken)
  }
  const countable = place.columns.filter(({ type }) => type !== 'jsonb')
  const masked = maskedOf(place, countable)
  // one column is counted where it is not NULL, several are counted as rows
  if (masked.length > 0 && random.chance(0.35)) return of('count', [random.pick(masked)])
  return of(
    'count',
    countable.filter(() => random.chance(0.25)).map(({ name }) => name),
  )
}

/** Columns of a type: mostly only those of which the role sees a part, if there are any. */
function partlySeen(place: PredicatePlace, type: ColumnType): readonly string[] {
  const columns = place.columns.filter((column) => column.type === type)
  const masked = place.random.chance(0.3) ? [] : maskedOf(place, columns)
  return masked.length > 0 ? masked : columns.map(({ name }) => name)
}

const maskedOf = ({ target, judge: { view } }: PredicatePlace, columns: readonly Column[]): readonly string[] =>
  view ? maskedColumns(view, target, columns) : []

/** Compared with something between the two that are apart, so that the one meets the condition and the other does not. */
function measured({ random }: PredicatePlace, predicate: Unmeasured, apart: Apart | null): Condition {
  const { function: name } = predicate
  if (name === 'bool_and' || name === 'bool_or') {
    const operator = random.pick(['eq', 'neq'] as const)
    return {
      kind: 'aggregate',
      ...predicate,
      operator,
      value: apart ? truthBetween(apart, operator) : random.chance(0.5),
    }
  }
  const operator = random.pick(['eq', 'neq', 'gt', 'gt', 'lte', 'lte'] as const)
  const guess = name === 'count' ? random.below(3) : random.below(7) / 4 - 0.25
  const value = apart ? numberBetween(apart, operator, name) : null
  return { kind: 'aggregate', ...predicate, operator, value: value ?? guess }
}

const truthBetween = ({ is, other }: Apart, operator: 'eq' | 'neq'): boolean =>
  operator === 'eq' ? Boolean(other) : is === null ? !other : Boolean(is)

/** Null: it cannot be said exactly. */
function numberBetween(
  { is, other }: Apart,
  operator: 'eq' | 'neq' | 'gt' | 'lte',
  name: PredicateFunction,
): number | null {
  const step = name === 'count' ? 1 : 0.25
  const aside = Number(other)
  if (operator === 'eq' || operator === 'neq') {
    const one = is === null ? aside + (operator === 'neq' ? step : 0) : Number(is)
    return exact.includes(name) && Number.isInteger(one * 64) ? one : null
  }
  const middle = is === null ? aside + (operator === 'gt' ? -step : step) : (Number(is) + aside) / 2
  return name === 'count' ? Math.floor(middle) : Math.round(middle * 64) / 64
}

/** Null: whatever is forgotten, nothing is another. */
function randomApart(place: PredicatePlace, predicate: Unmeasured): Apart | null {
  const { random, table, target, way, judge } = place
  const { function: name, columns, distinct, filter } = predicate
  const { view } = judge
  const types = columns.map((column) => columnOf(target, column).type)
  const of = (rows: readonly Row[], seen: View | null, isDistinct: boolean) => {
    const cell = (row: Row, column: string) => {
      const value = row[column] ?? null
      return seen ? seen.cell(target, row, column, value) : value
    }
    const tuples = rows.map((row) => columns.map((column) => cell(row, column)))
    return aggregateOf(name, tuples, types, isDistinct)
  }
  const rows = view ? view.visible(table, table.rows) : table.rows
  const found = rows.flatMap((row) => {
    const all = joined(way.columns, row, target.rows)
    const visible = view ? view.visible(target, all) : all
    const kept = filter ? visible.filter((other) => isKept(place, filter, other)) : visible
    const is = of(kept, view, distinct)
    const others: readonly (readonly [Apart['forgotten'], Value])[] = [
      ['distinct', of(kept, view, false)],
      ['mask', of(kept, null, distinct)],
      ['filter', of(visible, view, distinct)],
      ['filter', of(all, view, distinct)],
    ]
    return others.flatMap(([forgotten, other]): readonly Apart[] =>
      isAside(other) && other !== is ? [{ is, other, forgotten }] : [],
    )
  })
  const subtle = found.filter(({ forgotten }) => forgotten !== 'filter')
  if (found.length === 0) return null
  return random.pick(subtle.length > 0 && random.chance(0.7) ? subtle : found)
}

const isAside = (value: Value): value is number | boolean => typeof value === 'number' || typeof value === 'boolean'

function isKept({ judge, target }: PredicatePlace, filter: Condition, row: Row): boolean {
  try {
    return evaluate(judge, filter, { table: target, row }) === true
  } catch (error) {
    if (error instanceof Ambiguous) return false
    throw error
  }
}
