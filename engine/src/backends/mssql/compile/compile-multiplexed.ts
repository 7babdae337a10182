import type { Value } from '../../../ir/index.ts'
import type { CompileOptions, MultiplexedQuery, MultiplexedRoot } from '../../backend.ts'
import { MemberColumns, type MultiplexedParameter, multiplexedQuery } from '../../multiplexed.ts'
import { bind, type Sql as Fragment, ident, join, replaceSlots, sql } from '../../sql.ts'
import { mssqlDialect } from '../dialect.ts'
import { compileRoot, mayDoMore } from './compile-query.ts'
import { notServed, statementContext } from './scope.ts'

/** Of a row that OPENJSON returns. */
const MOST_VALUES = 1_000

/**
 * Compiles root fields for many members at once (reference/subscriptions#live-queries): each member brings its own
 * values as a row of one JSON text, whose columns take the places of the slots. They are as long as they like:
 * JSON_VALUE would end at 4,000 characters. Throws validation-failed for more values than columns are possible.
 */
export function compileMultiplexed(roots: readonly MultiplexedRoot[], options: CompileOptions): MultiplexedQuery {
  const statement = statementContext(options.mostJoins)
  const slots = new MemberColumns()
  const slotOf = (value: Value): Fragment<MultiplexedParameter> => {
    const number = slots.numberOf(value)
    return number === null ? bind<MultiplexedParameter>(value) : sql`${row}.${column(number)}`
  }
  const queries = roots.map((root) => (root.kind === 'stream' ? notServed('Streams') : root.query))
  const joined = queries.map((query, i) => {
    const inner = replaceSlots(compileRoot(query, statement), slotOf)
    return sql` OUTER APPLY (${inner}) AS ${alias(i)}`
  })
  slots.check(MOST_VALUES)
  const declared = slots.values.map((_, number) => sql`, ${column(number)} nvarchar(max) ${path(number + 1)}`)
  const answers = roots.map((_, i) => sql`, ${alias(i)}.[root] AS ${alias(i)}`)
  const members = bind<MultiplexedParameter>({
    ofMembers: (of) => JSON.stringify(of.map((values, id) => [id, ...values])),
  })
  const text = sql`SELECT ${row}.[result_id] AS [result_id]${join(answers, sql``)} FROM OPENJSON(${members}) WITH ([result_id] int '$[0]'${join(declared, sql``)}) AS ${row}${join(joined, sql``)}`
  return multiplexedQuery(text, slots.values, queries.some(mayDoMore) ? 'unknown' : 'none', mssqlDialect)
}

const row = ident('row')
const column = (number: number): Fragment => ident(`v${number}`)
const alias = (number: number): Fragment => ident(`root${number}`)
/** No literal of the dialect: a path has no N before it. */
const path = (place: number): Fragment => ({ parts: [`'$[${place}]'`] })
