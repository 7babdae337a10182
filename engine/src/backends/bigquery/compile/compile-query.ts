import { ApiError, Path } from '../../../errors.ts'
import type { KeyList, RootQuery, Rows, Value } from '../../../ir/index.ts'
import type { CompiledQuery, CompileOptions } from '../../backend.ts'
import { bind, compileWhere, ident, join, print, sql, tableName } from '../../sql.ts'
import { bigqueryDialect } from '../dialect.ts'
import type { AnswerShape, StatementParameter, StatementShape } from '../statement-shape.ts'
import { baseType } from '../types/database-type.ts'
import { parameterType } from '../types/known-types.ts'
import { compileAggregates } from './aggregates.ts'
import { namedQuery } from './boolean-expression.ts'
import { compileRows } from './fields.ts'
import { compileCall } from './function-call.ts'
import { allRows, compileSource, cutsOf, type Origin } from './rows.ts'
import { type Slot, type Sql, type StatementContext, scopeOf, statementContext } from './scope.ts'
import { compileColumns } from './selected.ts'
import { fromText } from './values.ts'

/**
 * Compiles a root field to one statement of GoogleSQL, and what its rows become (reference/queries). Throws
 * not-supported for what BigQuery sources do not have, and for names that GoogleSQL cannot quote, validation-failed for
 * more values than a job accepts.
 */
export function compileQuery(query: RootQuery, { mostJoins }: CompileOptions): CompiledQuery {
  const statement = statementContext(mostJoins)
  const { text: root, answer } = compileRoot(query, statement)
  const { withs } = statement
  const whole = withs.length === 0 ? root : sql`WITH ${join(withs, sql`, `)} ${root}`
  const { text, slots: bound } = print(whole, bigqueryDialect)
  const { parameters, slots } = parametersOf(bound)
  if (parameters.length > MOST_PARAMETERS)
    throw new ApiError(
      'validation-failed',
      Path.root,
      `a root field compares with ${parameters.length} values: at most ${MOST_PARAMETERS} are allowed, a list in a variable counts as one`,
    )
  const shape: StatementShape = { parameters, answer }
  return { text, slots, effects: withs.length > 0 ? 'unknown' : 'none', shape, inlined: () => text }
}

/** Of a job. */
const MOST_PARAMETERS = 10_000

interface Root {
  readonly text: Sql
  readonly answer: AnswerShape
}

function compileRoot(query: RootQuery, statement: StatementContext): Root {
  switch (query.kind) {
    case 'rows': {
      const { text, selected } = compileRows(rootOf(query, statement), query.rows, query.fields, { statement })
      return { text: sql`SELECT ${text}`, answer: { kind: query.single ? 'row' : 'rows', members: selected.members } }
    }
    case 'row': {
      const rows = { ...allRows, where: query.where, permissionLimit: 1 }
      const { text, selected } = compileRows(rootOf(query, statement), rows, query.fields, { statement })
      return { text: sql`SELECT ${text}`, answer: { kind: 'row', members: selected.members } }
    }
    case 'keyed': {
      const { text, selected } = compileRows(keysOrigin(query.keys), inTheirOrder, query.fields, { statement }, true)
      return { text: sql`SELECT ${text}`, answer: { kind: 'rows', members: selected.members } }
    }
    case 'aggregate': {
      const { rows, fields } = query
      const origin = rootOf(query, statement)
      const scope = scopeOf(statement, 't_', origin)
      const selected = compileAggregates(fields, rows, scope)
      const { from, where } = compileSource(origin, rows, cutsOf(rows, { limit: true }), [], scope)
      const text = sql`SELECT ${compileColumns(selected, sql`COUNT(*)`)} FROM ${from}${join(scope.joins, sql``)}${compileWhere(where)}`
      return { text, answer: { kind: 'row', members: selected.members } }
    }
    case 'connection':
      throw new ApiError('not-supported', Path.root, 'BigQuery sources are not in the Relay schema')
  }
}

/** The table of a root field, or the function or query that its rows are taken from. */
function rootOf(root: Extract<RootQuery, { readonly from: unknown }>, statement: StatementContext): Origin {
  const { from } = root
  if (root.kind === 'rows' && root.query) return { name: from.name, from: namedQuery(root.query, statement) }
  const call = 'call' in root ? root.call : undefined
  // no row is around to be an argument
  return { name: from.name, from: call ? compileCall(call, scopeOf(statement, 't_', from)) : tableName(from) }
}

const position = { kind: 'column', of: 'row', name: 'position', type: baseType('INT64') } as const

const inTheirOrder: Rows = {
  ...allRows,
  orderBy: [{ key: { kind: 'operand', of: position }, direction: 'asc', nulls: 'first' }],
}

/** The keys as rows of their own, in their order: what they lead to are relationships of these rows. */
function keysOrigin(keys: readonly KeyList[]): Origin {
  const [first] = keys
  if (!first) throw new TypeError('a join has no keys')
  const columns = keys.map(({ name, list }, i) => {
    const text: Sql = i === 0 ? ident(name) : sql`${bind<Slot>(list)}[OFFSET(${ident('position')})]`
    return sql`${fromText(text, list.type.type)} AS ${ident(name)}`
  })
  return {
    name: 'keys',
    from: sql`(SELECT ${join(columns, sql`, `)}, ${ident('position')} FROM UNNEST(${bind<Slot>(first.list)}) AS ${ident(first.name)} WITH OFFSET AS ${ident('position')})`,
  }
}

/** Which slots a statement has, and what its parameters are made of. */
function parametersOf(bound: readonly Slot[]): {
  readonly parameters: readonly StatementParameter[]
  readonly slots: readonly Value[]
} {
  const slots: Value[] = []
  const placeOf = (value: Value): number => {
    const known = slots.indexOf(value)
    return known >= 0 ? known : slots.push(value) - 1
  }
  const parameters = bound.map((slot): StatementParameter => {
    if (slot.kind !== 'limit') {
      const { type, list } = slot.type
      // not every server knows the type of an array's elements: they are texts, which the statement casts
      const declared = (list ? null : parameterType(type)) ?? 'STRING'
      return { kind: 'value', slot: placeOf(slot), type: declared, list }
    }
    const { user, permission, global } = slot
    return { kind: 'limit', slot: user && placeOf(user), permission, global }
  })
  return { parameters, slots }
}
