import { ApiError, Path } from '../../../errors.ts'
import { type Value, valueKey } from '../../../ir/index.ts'
import type { CompileOptions, MultiplexedQuery, MultiplexedRoot } from '../../backend.ts'
import { bind, type Sql as Fragment, ident, join, literal, print, printInlined, replaceSlots, sql } from '../../sql.ts'
import { mssqlDialect } from '../dialect.ts'
import { compileRoot, mayDoMore } from './compile-query.ts'
import { notServed, statementContext } from './scope.ts'

/** Of a row that OPENJSON returns. */
const MOST_VALUES = 1_000

/** A parameter of the whole statement: the members with their values, or a value that all have in common. */
type Parameter = { readonly kind: 'members' } | Value

/**
 * Compiles root fields for many members at once (reference/subscriptions#live-queries): each member brings its own
 * values as a row of one JSON text, whose columns take the places of the slots. They are as long as they like:
 * JSON_VALUE would end at 4,000 characters. Throws validation-failed for more values than columns are possible.
 */
export function compileMultiplexed(roots: readonly MultiplexedRoot[], options: CompileOptions): MultiplexedQuery {
  const statement = statementContext(options.mostJoins)
  const slots: Value[] = []
  const columns = new Map<Value | string, number>()
  const slotOf = (value: Value): Fragment<Parameter> => {
    if (value.kind === 'constant' && !value.literal) return bind<Parameter>(value)
    const key = valueKey(value)
    const number = columns.get(key) ?? slots.push(value) - 1
    columns.set(key, number)
    return sql`${row}.${column(number)}`
  }
  const queries = roots.map((root) => (root.kind === 'stream' ? notServed('Streams') : root.query))
  const joined = queries.map((query, i) => {
    const inner = replaceSlots(compileRoot(query, statement), slotOf)
    return sql` OUTER APPLY (${inner}) AS ${alias(i)}`
  })
  if (slots.length > MOST_VALUES)
    throw new ApiError(
      'validation-failed',
      Path.root,
      `a subscription compares with ${slots.length} values: at most ${MOST_VALUES} are allowed, a list counts as one`,
    )
  const declared = slots.map((_, number) => sql`, ${column(number)} nvarchar(max) ${path(number + 1)}`)
  const answers = roots.map((_, i) => sql`, ${alias(i)}.[root] AS ${alias(i)}`)
  const text: Fragment<Parameter> = sql`SELECT ${row}.[result_id] AS [result_id]${join(answers, sql``)} FROM OPENJSON(${bind<Parameter>({ kind: 'members' })}) WITH ([result_id] int '$[0]'${join(declared, sql``)}) AS ${row}${join(joined, sql``)}`
  const { text: printed, slots: parameters } = print(text, mssqlDialect)
  return {
    text: printed,
    effects: queries.some(mayDoMore) ? 'unknown' : 'none',
    slots,
    shared: parameters.filter(isShared),
    parameters: (members, shared) => fill(parameters, members, shared),
    inlined: (members, shared) => {
      const texts = fill(parameters, members, shared)
      return printInlined(
        text,
        (parameter) => {
          const value = texts[parameters.indexOf(parameter)] ?? null
          return value === null ? sql`NULL` : literal(value)
        },
        mssqlDialect,
      )
    },
  }
}

const isShared = (parameter: Parameter): parameter is Value => parameter.kind !== 'members'

const row = ident('row')
const column = (number: number): Fragment => ident(`v${number}`)
const alias = (number: number): Fragment => ident(`root${number}`)
/** No literal of the dialect: a path has no N before it. */
const path = (place: number): Fragment => ({ parts: [`'$[${place}]'`] })

function fill(
  parameters: readonly Parameter[],
  members: readonly (readonly (string | null)[])[],
  shared: readonly (string | null)[],
): readonly (string | null)[] {
  let next = 0
  return parameters.map((parameter) => {
    if (isShared(parameter)) return shared[next++] ?? null
    return JSON.stringify(members.map((values, id) => [id, ...values]))
  })
}
