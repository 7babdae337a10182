/** Aggregates, computed by hand. */

import { order, type Present } from './oracle-values.ts'
import type { AggregateOperator } from './query.ts'
import type { ColumnType, Value } from './world.ts'

/** Over the values that are not NULL. */
export function aggregateValues(operator: AggregateOperator, values: readonly Present[], type?: ColumnType): Value {
  if (values.length === 0) return null
  if (operator === 'min' || operator === 'max') {
    const sorted = values.toSorted((a, b) => order(a, b, type))
    return (operator === 'min' ? sorted[0] : sorted.at(-1)) ?? null
  }
  const numbers = values.map(Number)
  const count = numbers.length
  const sum = numbers.reduce((a, b) => a + b, 0)
  const mean = sum / count
  const squares = numbers.reduce((total, number) => total + (number - mean) ** 2, 0)
  switch (operator) {
    case 'sum':
      return sum
    case 'avg':
      return mean
    case 'variance':
    case 'var_samp':
      return count < 2 ? null : squares / (count - 1)
    case 'var_pop':
      return squares / count
    case 'stddev':
    case 'stddev_samp':
      return count < 2 ? null : Math.sqrt(squares / (count - 1))
    case 'stddev_pop':
      return Math.sqrt(squares / count)
  }
}

/** Over pairs without NULL. */
export function aggregatePair(
  name: 'corr' | 'covar_samp',
  pairs: readonly (readonly [x: number, y: number])[],
): number | null {
  const count = pairs.length
  if (count === 0) return null
  const mean = (of: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[of], 0) / count
  const [x, y] = [mean(0), mean(1)]
  const sums = pairs.reduce(
    (sum, [a, b]) => ({ xx: sum.xx + (a - x) ** 2, yy: sum.yy + (b - y) ** 2, xy: sum.xy + (a - x) * (b - y) }),
    { xx: 0, yy: 0, xy: 0 },
  )
  if (name === 'covar_samp') return count < 2 ? null : sums.xy / (count - 1)
  return sums.xx === 0 || sums.yy === 0 ? null : sums.xy / Math.sqrt(sums.xx * sums.yy)
}
