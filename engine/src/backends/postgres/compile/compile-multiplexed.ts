import { ApiError, Path } from '../../../errors.ts'
import { type StreamQuery, type Value, valueKey } from '../../../ir/index.ts'
import type { CompileOptions, MultiplexedQuery, MultiplexedRoot } from '../../backend.ts'
import { bind, type Sql as Fragment, ident, join, literal, print, printInlined, replaceSlots, sql } from '../../sql.ts'
import { arrayLiteral } from '../types/array-literal.ts'
import { compileBooleanExpression, compileWhere } from './boolean-expression.ts'
import { compileRoot, mayDoMore } from './compile-query.ts'
import { compileOperand } from './operand.ts'
import { compileAnswer, originOf, type Source } from './rows.ts'
import { type Sql, type StatementContext, scopeOf, statementContext, tableName } from './scope.ts'
import { compileCount, compileValue, lowerLimit } from './values.ts'

/** Of a row, and there are other columns. */
const MOST_VALUES = 1500

/** A parameter of the whole statement: the members' numbers, one of their values each, or a value that all have in common. */
type Parameter = { readonly kind: 'ids' } | { readonly kind: 'values'; readonly number: number } | Value

/**
 * Compiles root fields for many members at once (reference/subscriptions#live-queries): each member brings its own
 * values, in columns of a record set that the roots are joined to. Values come as columns and not as JSON, which would
 * be read again for every row that is compared with them. Throws validation-failed for more values than columns are
 * possible.
 */
export function compileMultiplexed(roots: readonly MultiplexedRoot[], options: CompileOptions): MultiplexedQuery {
  const statement = statementContext(options.stringifyNumericTypes, options.mostJoins)
  const slots: Value[] = []
  const cursors = new Set(roots.flatMap((root) => (root.kind === 'stream' ? [root.query.cursor.initial] : [])))
  const columns = new Map<Value | string, number>()
  const slotOf = (value: Value): Fragment<Parameter> => {
    if (value.kind === 'constant' && !value.literal) return bind<Parameter>(value)
    // a cursor moves on by itself, whatever else has its first value
    const key = cursors.has(value) ? value : valueKey(value)
    const number = columns.get(key) ?? slots.push(value) - 1
    columns.set(key, number)
    return sql`${members}.${column(number)}`
  }
  const joined = roots.map((root, i) => {
    const compiled: Sql =
      root.kind === 'stream' ? compileStream(root.query, statement) : compileRoot(root.query, statement)
    const inner = replaceSlots(compiled, slotOf)
    return sql` LEFT JOIN LATERAL (${inner}) AS ${alias(i)} ON true`
  })
  if (slots.length > MOST_VALUES)
    throw new ApiError(
      'validation-failed',
      Path.root,
      `a subscription compares with ${slots.length} values: at most ${MOST_VALUES} are allowed, a list counts as one`,
    )
  const numbers = slots.map((_, number) => number)
  const values = numbers.map((number) => sql`, (${bind<Parameter>({ kind: 'values', number })})::text[]`)
  const names = [ident('id'), ...numbers.map(column)]
  const answers = roots.flatMap((root, i) => {
    const own = [sql`, ${alias(i)}."root"`]
    return root.kind === 'stream' ? [...own, sql`, ${alias(i)}."cursor"`] : own
  })
  const text: Fragment<Parameter> = sql`SELECT ${members}."id"${join(answers, sql``)} FROM unnest((${bind<Parameter>({ kind: 'ids' })})::int4[]${join(values, sql``)}) AS ${members}(${join(names, sql`, `)})${join(joined, sql``)}`
  const { text: printed, slots: parameters } = print(text)
  return {
    text: printed,
    effects: roots.some(({ kind, query }) => kind === 'query' && mayDoMore(query)) ? 'unknown' : 'none',
    slots,
    shared: parameters.filter(isShared),
    parameters: (of, shared) => fill(parameters, of, shared),
    inlined: (of, shared) => {
      const texts = fill(parameters, of, shared)
      return printInlined(text, (parameter) => {
        const value = texts[parameters.indexOf(parameter)] ?? null
        return value === null ? sql`NULL` : literal(value)
      })
    },
  }
}

const isShared = (parameter: Parameter): parameter is Value => parameter.kind !== 'ids' && parameter.kind !== 'values'

const members = ident('svc.members')
const column = (number: number): Fragment => ident(`v.${number}`)
const alias = (number: number): Fragment => ident(`root.${number}`)

function fill(
  parameters: readonly Parameter[],
  of: readonly (readonly (string | null)[])[],
  shared: readonly (string | null)[],
): readonly (string | null)[] {
  let next = 0
  return parameters.map((parameter) => {
    if (isShared(parameter)) return shared[next++] ?? null
    if (parameter.kind === 'ids') return `{${of.map((_, id) => id).join(',')}}`
    return arrayLiteral(of.map((values) => values[parameter.number] ?? null))
  })
}

/**
 * A batch of a stream: one row of its JSON (`root`) and the text of the cursor's column in its last row (`cursor`), null
 * when the batch is empty (reference/subscriptions#streams). Rows equal to the last one belong to it, so that the next
 * batch begins behind all of them.
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
