import type { StreamQuery, Value } from '../../../ir/index.ts'
import type { CompileOptions, MultiplexedQuery, MultiplexedRoot } from '../../backend.ts'
import { MemberColumns, type MultiplexedParameter, multiplexedQuery } from '../../multiplexed.ts'
import { bind, compileWhere, type Sql as Fragment, ident, join, replaceSlots, sql, tableName } from '../../sql.ts'
import { arrayLiteral } from '../types/array-literal.ts'
import { compileBooleanExpression } from './boolean-expression.ts'
import { compileRoot, mayDoMore } from './compile-query.ts'
import { compileOperand } from './operand.ts'
import { compileAnswer, originOf, type Source } from './rows.ts'
import { type Sql, type StatementContext, scopeOf, statementContext } from './scope.ts'
import { compileCount, compileValue, lowerLimit } from './values.ts'

/** Of a row, and there are other columns. */
const MOST_VALUES = 1500

/**
 * Compiles root fields for many members at once (reference/subscriptions#live-queries): each member brings its own
 * values, in columns of a record set that the roots are joined to. Values come as columns and not as JSON, which would
 * be read again for every row that is compared with them. Throws validation-failed for more values than columns are
 * possible.
 */
export function compileMultiplexed(roots: readonly MultiplexedRoot[], options: CompileOptions): MultiplexedQuery {
  const statement = statementContext(options.stringifyNumericTypes, options.mostJoins)
  const slots = new MemberColumns()
  const cursors = new Set(roots.flatMap((root) => (root.kind === 'stream' ? [root.query.cursor.initial] : [])))
  const slotOf = (value: Value): Fragment<MultiplexedParameter> => {
    // a cursor moves on by itself, whatever else has its first value
    const number = cursors.has(value) ? slots.numberOf(value, value) : slots.numberOf(value)
    return number === null ? bind<MultiplexedParameter>(value) : sql`${members}.${column(number)}`
  }
  const joined = roots.map((root, i) => {
    const compiled: Sql =
      root.kind === 'stream' ? compileStream(root.query, statement) : compileRoot(root.query, statement)
    const inner = replaceSlots(compiled, slotOf)
    return sql` LEFT JOIN LATERAL (${inner}) AS ${alias(i)} ON true`
  })
  slots.check(MOST_VALUES)
  const ids = bind<MultiplexedParameter>({ ofMembers: (of) => `{${of.map((_, id) => id).join(',')}}` })
  const values = slots.values.map((_, number) => {
    const ofMembers = (of: readonly (readonly (string | null)[])[]) =>
      arrayLiteral(of.map((texts) => texts[number] ?? null))
    return sql`, (${bind<MultiplexedParameter>({ ofMembers })})::text[]`
  })
  const names = [ident('id'), ...slots.values.map((_, number) => column(number))]
  const answers = roots.flatMap((root, i) => {
    const own = [sql`, ${alias(i)}."root"`]
    return root.kind === 'stream' ? [...own, sql`, ${alias(i)}."cursor"`] : own
  })
  const text = sql`SELECT ${members}."id"${join(answers, sql``)} FROM unnest((${ids})::int4[]${join(values, sql``)}) AS ${members}(${join(names, sql`, `)})${join(joined, sql``)}`
  const mayWrite = roots.some(({ kind, query }) => kind === 'query' && mayDoMore(query))
  return multiplexedQuery(text, slots.values, mayWrite ? 'unknown' : 'none')
}

const members = ident('svc.members')
const column = (number: number): Fragment => ident(`v.${number}`)
const alias = (number: number): Fragment => ident(`root.${number}`)

/**
 * A batch of a stream: one row of its JSON (`root`) and the text of the cursor's column in its last row (`cursor`),
 * null when the batch is empty (reference/subscriptions#streams). Rows equal to the last one belong to it, so that the
 * next batch begins behind all of them.
 */
function compileStream(stream: StreamQuery, statement: StatementContext): Sql {
  const { cursor, from, fields } = stream
  const row = scopeOf(statement.nextAlias(), statement)
  const column = compileOperand(cursor.of, row)
  const ascending = cursor.direction === 'asc'
  const behind = sql`${column} ${ascending ? sql`>` : sql`<`} ${compileValue(cursor.initial)}`
  const order = sql`${column} ${ascending ? sql`ASC` : sql`DESC`}`
  const where = compileWhere([compileBooleanExpression(stream.where, row), behind])
  // a limit that is counted with is never null
  const count = lowerLimit(stream.batchSize, stream.permissionLimit) ?? compileCount(stream.batchSize) ?? sql`1`
  const rows = ident('rows.stream')
  const select = sql`SELECT ${row.row}.* FROM ${tableName(from)} AS ${row.row}${where} ORDER BY ${order} FETCH FIRST (${count}) ROWS WITH TIES`
  const answer = compileAnswer(rowsOf(stream, rows, statement), fields, true)
  const last = scopeOf(statement.nextAlias(), statement, from)
  const lastColumn = compileOperand(cursor.of, last)
  const next = sql`SELECT (${lastColumn})::text FROM ${rows} AS ${last.row} ORDER BY ${lastColumn} ${ascending ? sql`DESC` : sql`ASC`} LIMIT 1`
  return sql`WITH ${rows} AS MATERIALIZED (${select}) SELECT (${answer}) AS "root", (${next}) AS "cursor"`
}

/** The batch, in its order. */
function rowsOf({ from, cursor }: StreamQuery, rows: Sql, statement: StatementContext): Source {
  const scope = scopeOf(statement.nextAlias(), statement, originOf(from).table)
  const orderBy = [{ key: { kind: 'operand', of: cursor.of }, direction: cursor.direction, nulls: 'last' } as const]
  return { from: sql`${rows} AS ${scope.row}`, where: sql``, scope, orderBy }
}
