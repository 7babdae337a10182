/** Aggregates and the rows next to them (reference/queries#aggregates, reference/queries#limits-of-permissions). */
import type { Expected } from './expected.ts'
import { answerList } from './oracle.ts'
import { cellOf, countOf } from './oracle-condition.ts'
import { aggregateValues } from './oracle-numbers.ts'
import { selectRows } from './oracle-rows.ts'
import { object, shown } from './oracle-shown.ts'
import { canonical } from './oracle-values.ts'
import type { Asker } from './oracle-view.ts'
import type { AggregateOperator, AggregateValue, Given, Part, Rows } from './query.ts'
import type { Row, Table } from './world.ts'
import { typeOf } from './world-lookup.ts'

/** Aggregates see past the permission's limit, nodes do not. */
export function answerAggregate(
  asker: Asker,
  table: Table,
  candidates: readonly Row[],
  rows: Rows,
  parts: readonly Part[],
): Expected {
  return object(
    parts.map((part) => {
      if (part.kind === 'nodes') return [part.as, answerList(asker, table, candidates, rows, part.fields)]
      const selected = selectRows(asker, table, candidates, rows).flat()
      return [part.as, object(part.values.map((value) => [value.as, answerValue(asker, table, selected, value)]))]
    }),
  )
}

function answerValue(asker: Asker, table: Table, rows: readonly Row[], value: AggregateValue): Expected {
  const { world } = asker
  switch (value.kind) {
    case 'count': {
      const tuples = rows.map((row) => value.columns.map((column) => cellOf(asker, table, row, column)))
      const types = value.columns.map((column) => typeOf(world, table, column))
      return countOf(tuples, types, value.distinct)
    }
    case 'operator':
      return object(
        value.columns.map(({ as, column, given }) => [
          as,
          answerOperator(asker, table, rows, value.operator, column, given),
        ]),
      )
  }
}

function answerOperator(
  asker: Asker,
  table: Table,
  rows: readonly Row[],
  operator: AggregateOperator,
  column: string,
  given: Given,
): Expected {
  const type = typeOf(asker.world, table, column)
  const values = rows.map((row) => cellOf(asker, table, row, column, given)).filter((value) => value !== null)
  const result = aggregateValues(operator, values, type)
  if (type !== 'citext' || result === null) return shown(asker, result, type)
  // which of those that differ in their capitals only, nothing says
  const equal = values.filter((value) => canonical(value, type) === canonical(result, type))
  return { kind: 'one-of', of: equal.map((value) => shown(asker, value, type)) }
}
