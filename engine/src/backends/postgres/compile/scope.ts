import { ApiError, Path } from '../../../errors.ts'
import type { QualifiedName, Value } from '../../../ir/index.ts'
import { type Sql as Fragment, ident } from '../../sql.ts'

/** All SQL of the compiler: its slots are IR values. */
export type Sql = Fragment<Value>

/** Where an expression stands: the aliases of the current row and of the row that the whole expression started from. */
export interface Scope {
  readonly row: Fragment
  readonly root: Fragment
  /** The row is one of a query over this table: no more of the table's own type, as functions need it. */
  readonly rowType: QualifiedName | null
  readonly statement: StatementContext
  /** How many conditions on other tables the planner may join to the rows of this FROM, those inside of them counted. */
  readonly budget: { left: number }
  /** It stands in no OR and no NOT of the query around it. */
  readonly isConjunct: boolean
}

/** Measured with the worst shapes: 8 cost the planner 15 ms, 12 half a second. */
const MOST_JOINED = 8

/** What is shared by everything in one statement. */
export interface StatementContext {
  readonly stringifyNumericTypes: boolean
  /**
   * Runs a step that compiles a query inside of the one around it. Throws validation-failed at the root path when there
   * are too many of them.
   */
  reach<Result>(step: () => Result): Result
  countOperand(): void
  /** Throws validation-failed at the root path when there are too many. */
  countComparison(): void
  /** A table alias that nothing else in the statement has; no response key contains a dot. */
  nextAlias(): Fragment
}

/**
 * `mostJoins`: queries over other tables in one statement. Each costs the planner 0.15 ms and 55 kB. Queries inside
 * of queries are copied at each level: 80 such copies count as one more, where an operand is one and a query five.
 */
export function statementContext(stringifyNumericTypes: boolean, mostJoins = DEFAULT_MOST_JOINS): StatementContext {
  let count = 0
  let joins = 0
  let nodes = 0
  let copies = 0
  let comparisons = 0
  const check = () => {
    if (joins + copies / COPIES_OF_ONE <= mostJoins) return
    throw new ApiError(
      'validation-failed',
      Path.root,
      `a root field reaches other tables too often or too deep: at most ${mostJoins} times are allowed, in fields, conditions and order, fewer inside of one another (--max-query-joins)`,
    )
  }
  return {
    stringifyNumericTypes,
    nextAlias: () => ident(`t.${count++}`),
    countOperand: () => {
      nodes += 1
    },
    countComparison: () => {
      comparisons += 1
      if (comparisons > mostJoins * COMPARISONS_OF_ONE)
        throw new ApiError(
          'validation-failed',
          Path.root,
          `a root field compares too often: at most ${mostJoins * COMPARISONS_OF_ONE} times are allowed, those of permissions counted wherever they apply; a list in _in is one (--max-query-joins, times ${COMPARISONS_OF_ONE})`,
        )
    },
    reach: (step) => {
      joins += 1
      const before = nodes
      nodes += NODES_OF_JOIN
      check()
      const result = step()
      copies += nodes - before
      check()
      return result
    },
  }
}

const COPIES_OF_ONE = 80
/** The planner compares the parts of OR with each other: 4,000 took it 0.3 s and 180 MB at worst, 20,000 15 s. */
const COMPARISONS_OF_ONE = 8
const NODES_OF_JOIN = 5
const DEFAULT_MOST_JOINS = 500

/** A row of its own: `$` means it, and so does a plain column. */
export const scopeOf = (row: Fragment, statement: StatementContext, rowType: QualifiedName | null = null): Scope => ({
  row,
  root: row,
  rowType,
  statement,
  budget: { left: MOST_JOINED },
  isConjunct: true,
})
