import type { AggregateOperator, DatabaseType } from '../../../ir/index.ts'
import { type Sql as Fragment, sql } from '../../sql.ts'
import { isType } from '../types/known-types.ts'
import { comparable, shown } from './cast.ts'

const functions: Readonly<Record<AggregateOperator, Fragment>> = {
  sum: sql`SUM`,
  avg: sql`AVG`,
  max: sql`MAX`,
  min: sql`MIN`,
  // T-SQL has other words
  stddev: sql`STDEV`,
  stddev_samp: sql`STDEV`,
  stddev_pop: sql`STDEVP`,
  variance: sql`VAR`,
  var_samp: sql`VAR`,
  var_pop: sql`VARP`,
}

const ofTheType: ReadonlySet<AggregateOperator> = new Set(['sum', 'avg', 'max', 'min'])

/** Compiles an aggregate of one column. */
export function aggregateCall<Slot>(
  operator: AggregateOperator,
  value: Fragment<Slot>,
  type: DatabaseType,
): Fragment<Slot> {
  const to = type.schema === 'sys' ? wider[operator]?.[type.name] : undefined
  const own = comparable(value, type)
  if (operator === 'avg' && isType(type, 'bigint')) return bigAverage(own)
  if (to) return sql`${functions[operator]}(CAST(${own} AS ${to}))`
  const call = sql`${functions[operator]}(${own})`
  return ofTheType.has(operator) ? shown(call, type) : call
}

/**
 * The average of whole numbers whose sum no whole number holds. It has no fraction, as the server's own has none: what divides
 * without rest is divided, since a quotient of decimals would be rounded.
 */
function bigAverage<Slot>(value: Fragment<Slot>): Fragment<Slot> {
  const total = sql<Slot>`SUM(CAST(${value} AS decimal(38, 0)))`
  const count = sql<Slot>`CAST(NULLIF(COUNT_BIG(${value}), 0) AS decimal(19, 0))`
  return sql`CAST((${total} - ${total} % ${count}) / ${count} AS bigint)`
}

/** What sums are counted in: for their own type, some hundred thousand rows are too many (8115), of money two. */
const wider: Readonly<Partial<Record<AggregateOperator, Readonly<Record<string, Fragment>>>>> = {
  sum: {
    tinyint: sql`bigint`,
    smallint: sql`bigint`,
    int: sql`bigint`,
    bigint: sql`decimal(38, 0)`,
    money: sql`decimal(38, 4)`,
    smallmoney: sql`decimal(38, 4)`,
  },
  // an average of a decimal would have a fraction
  avg: { tinyint: sql`bigint`, smallint: sql`bigint`, int: sql`bigint` },
}
