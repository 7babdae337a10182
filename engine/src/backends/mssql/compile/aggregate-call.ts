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
  const call = sql`${functions[operator]}(${widened(comparable(value, type), operator, type)})`
  return ofTheType.has(operator) ? shown(call, type) : call
}

/** What the sum of whole numbers is counted in: in their own type, some hundred thousand rows are too many for it (8115). */
const wider: Readonly<Partial<Record<AggregateOperator, Readonly<Record<string, Fragment>>>>> = {
  sum: { tinyint: sql`bigint`, smallint: sql`bigint`, int: sql`bigint`, bigint: sql`decimal(38, 0)` },
  // an average of a decimal would have a fraction
  avg: { tinyint: sql`bigint`, smallint: sql`bigint`, int: sql`bigint` },
}

function widened<Slot>(value: Fragment<Slot>, operator: AggregateOperator, type: DatabaseType): Fragment<Slot> {
  const to = type.schema === 'sys' ? wider[operator]?.[type.name] : undefined
  return to ? sql`CAST(${value} AS ${to})` : value
}
