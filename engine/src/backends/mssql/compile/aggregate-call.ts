import type { AggregateOperator, DatabaseType } from '../../../ir/index.ts'
import { type Sql as Fragment, sql } from '../../sql.ts'
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

/** An aggregate of one column. */
export function aggregateCall<Slot>(
  operator: AggregateOperator,
  value: Fragment<Slot>,
  type: DatabaseType,
): Fragment<Slot> {
  const call = sql`${functions[operator]}(${comparable(value, type)})`
  return ofTheType.has(operator) ? shown(call, type) : call
}
