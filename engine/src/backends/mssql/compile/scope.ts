import { ApiError, Path } from '../../../errors.ts'
import type { Value } from '../../../ir/index.ts'
import { type Sql as Fragment, ident } from '../../sql.ts'

/** All SQL of the compiler: its slots are IR values. */
export type Sql = Fragment<Value>

/** Where an expression stands: the aliases of the current row and of the row that the whole expression started from. */
export interface Scope {
  readonly row: Fragment
  readonly root: Fragment
  readonly statement: StatementContext
}

/** What is shared by everything in one statement. */
export interface StatementContext {
  /** An alias that nothing else in the statement has: `t_album1`. */
  alias(kind: AliasKind, name: string): Fragment
  /** Counts a query inside of the one around it. Throws validation-failed at the root path when there are too many. */
  countJoin(): void
  /** The same of comparisons. */
  countComparison(): void
}

/** A table, a list, an object, an aggregate of a relationship, and what rows are ordered by. */
export type AliasKind = 't' | 'ar' | 'or' | 'aa' | 'order'

const LONGEST_NAME = 20
const DEFAULT_MOST_JOINS = 500
const COMPARISONS_OF_ONE = 8

/** `mostJoins`: queries over other tables in one statement. */
export function statementContext(mostJoins = DEFAULT_MOST_JOINS): StatementContext {
  let aliases = 0
  let joins = 0
  let comparisons = 0
  return {
    alias(kind, name) {
      aliases += 1
      // the digits at its end are the number's alone, so that no two are equal
      return ident(`${kind}_${name.slice(0, LONGEST_NAME).replace(/\d+$/, '')}${aliases}`)
    },
    countJoin() {
      joins += 1
      if (joins > mostJoins)
        throw new ApiError(
          'validation-failed',
          Path.root,
          `a root field reaches other tables too often: at most ${mostJoins} times are allowed, in fields, conditions and order (--max-query-joins)`,
        )
    },
    countComparison() {
      comparisons += 1
      if (comparisons > mostJoins * COMPARISONS_OF_ONE)
        throw new ApiError(
          'validation-failed',
          Path.root,
          `a root field compares too often: at most ${mostJoins * COMPARISONS_OF_ONE} times are allowed, those of permissions counted wherever they apply; a list in _in is one (--max-query-joins, times ${COMPARISONS_OF_ONE})`,
        )
    },
  }
}

/** A row of its own: `$` means it, and so does a plain column. */
export const scopeOf = (row: Fragment, statement: StatementContext): Scope => ({ row, root: row, statement })

/** Throws for what other kinds of database have: the types offer none of it. */
export function notServed(what: string): never {
  throw new ApiError('not-supported', Path.root, `${what} are not supported for MSSQL sources`)
}
