import { ApiError, Path } from '../../../errors.ts'
import type { QualifiedName, Value } from '../../../ir/index.ts'
import { type Sql as Fragment, ident, sql } from '../../sql.ts'

/** LIMIT takes a parameter and no expression, so that the least of the limits is found where it is bound. */
export interface Limit {
  readonly kind: 'limit'
  readonly user: Value | null
  readonly permission: number | null
  /** The source's global_select_limit counts too. */
  readonly global: boolean
}

export type Slot = Value | Limit

/** All SQL of the compiler. */
export type Sql = Fragment<Slot>

/** A row that expressions are about, and the columns of it that they name: no others are selected. */
export interface Row {
  readonly alias: Fragment
  readonly columns: Set<string>
}

/** Where an expression stands: the current row and the row that the whole expression started from. */
export interface Scope {
  readonly row: Row
  readonly root: Row
  /** What has to be joined to the row. */
  readonly joins: Sql[]
  readonly statement: StatementContext
}

/** What is shared by everything in one statement. */
export interface StatementContext {
  /** An alias that nothing else in the statement has: what it is for, and whose. */
  alias(prefix: string, name: string): Fragment
  /** One slot for all values that are equal. */
  shared<S extends Slot>(slot: S): S
  /** Puts a query before the statement, and returns what it is called there. */
  with(query: Sql): Fragment
  readonly withs: readonly Sql[]
  /** Counts a query inside of the statement. Throws validation-failed at the root path when there are too many. */
  reach(): void
}

const DEFAULT_MOST_JOINS = 500

export function statementContext(mostJoins = DEFAULT_MOST_JOINS): StatementContext {
  let aliases = 0
  let reached = 0
  const slots = new Map<string, Slot>()
  const withs: Sql[] = []
  const alias = (prefix: string, name: string) =>
    ident(`${`${prefix}${name.replace(/\W/g, '_')}`.slice(0, 20)}${++aliases}`)
  return {
    alias,
    shared<S extends Slot>(slot: S): S {
      const key = JSON.stringify(slot.kind === 'constant' ? [slot.text, slot.type] : { ...slot, path: undefined })
      const known = slots.get(key)
      if (known) return known as S
      slots.set(key, slot)
      return slot
    },
    with(query) {
      const name = alias('q_', '')
      withs.push(sql`${name} AS ${query}`)
      return name
    },
    withs,
    reach() {
      reached += 1
      if (reached > mostJoins)
        throw new ApiError(
          'validation-failed',
          Path.root,
          `a root field reaches other tables too often: at most ${mostJoins} times are allowed, in fields, conditions and order (--max-query-joins)`,
        )
    },
  }
}

/** Returns the scope of a row of its own. */
export function scopeOf(statement: StatementContext, prefix: string, { name }: Pick<QualifiedName, 'name'>): Scope {
  const row = { alias: statement.alias(prefix, name), columns: new Set<string>() }
  return { row, root: row, joins: [], statement }
}

/** Returns a column of a row. */
export function columnOf(row: Row, name: string): Sql {
  row.columns.add(name)
  return sql`${row.alias}.${ident(name)}`
}
