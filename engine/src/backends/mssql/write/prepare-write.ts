import { ApiError, Path } from '../../../errors.ts'
import {
  type Assignment,
  always,
  type DatabaseType,
  type DeleteRows,
  type UpdateRows,
  type Value,
} from '../../../ir/index.ts'
import type { LongWork } from '../../../long-work.ts'
import type { CompileOptions, PreparedWrite, RequestValues, Statement, WriteCompiler } from '../../backend.ts'
import { bind, compileWhere, type Sql as Fragment, ident, join, print, sql, tableName } from '../../sql.ts'
import { compileBooleanExpression } from '../compile/boolean-expression.ts'
import { castTo, compileValue } from '../compile/cast.ts'
import { type Scope, type Sql, scopeOf, statementContext } from '../compile/scope.ts'
import { mssqlDialect } from '../dialect.ts'
import { isType, knownType } from '../types/known-types.ts'
import { MssqlProgram, type ProgramStep, writing } from './mssql-program.ts'
import { emptyAnswer, StoredRows } from './stored-rows.ts'

/** An update or a delete as batches around a temporary table (docs/sql-server.md#mutations). */
export const prepareWrite: WriteCompiler['prepare'] = (write, options) => {
  switch (write.kind) {
    case 'update':
      return write.assignments.length === 0 ? nothing(write) : prepareUpdate(write, options)
    case 'delete':
      return prepareDelete(write, options)
    case 'call':
      throw new ApiError('not-supported', Path.root, 'SQL Functions are not supported for MSSQL source')
  }
}

/** An update of no column changes nothing, and sends no statement. */
function nothing({ answer }: UpdateRows): PreparedWrite {
  const program = new MssqlProgram([], emptyAnswer(answer))
  return {
    statements: [],
    // biome-ignore lint/correctness/useYield: there is nothing to wait for
    *bind() {
      return program
    },
  }
}

function prepareUpdate(
  { table, assignments, where, check, answer }: UpdateRows,
  options: CompileOptions,
): PreparedWrite {
  const stored = new StoredRows('#updated', table, answer, { check, updateCheck: null }, options)
  const statement = statementContext(options.mostJoins)
  const scope = scopeOf(statement.alias('t', table.name), statement)
  const set = join(
    assignments.map((one) => assignment(one, scope)),
    sql`, `,
  )
  const condition = compileWhere([compileBooleanExpression(where, scope)])
  const text = sql`UPDATE ${scope.row} SET ${set}${stored.output('INSERTED')} FROM ${tableName(table)} AS ${scope.row}${condition}`
  return around(stored, text, options)
}

function prepareDelete({ table, where, answer }: DeleteRows, options: CompileOptions): PreparedWrite {
  const stored = new StoredRows('#deleted', table, answer, { check: always, updateCheck: null }, options)
  const statement = statementContext(options.mostJoins)
  const scope = scopeOf(statement.alias('t', table.name), statement)
  const condition = compileWhere([compileBooleanExpression(where, scope)])
  const text = sql`DELETE ${scope.row}${stored.output('DELETED')} FROM ${tableName(table)} AS ${scope.row}${condition}`
  return around(stored, text, options)
}

function around(stored: StoredRows, text: Sql, { tag }: CompileOptions): PreparedWrite {
  const printed = print(text, mssqlDialect)
  const write = writing({ ...printed, text: printed.text + (tag ?? '') })
  return {
    statements: [write, stored.answer],
    *bind(values) {
      const steps = [
        stored.create(),
        yield* bindStep('write', write, values),
        yield* bindStep('answer', stored.answer, values),
        stored.drop(),
      ]
      return new MssqlProgram(steps)
    },
  }
}

/** Binds all slots of a statement; what comes with a row of an insert is in `inputs`. */
export function* bindStep(
  kind: ProgramStep['kind'],
  plan: Statement,
  values: RequestValues,
  inputs: ReadonlyMap<Value, string | null> = new Map(),
): LongWork<ProgramStep> {
  const parameters: (string | null)[] = []
  for (const slot of plan.slots) {
    const own = inputs.get(slot)
    const short = own === undefined ? values.short(slot) : own
    parameters.push(short === undefined ? yield* values.long(slot) : short)
  }
  return { kind, plan, parameters }
}

/** `+=` would be the same, and is unknown to some servers of this kind. */
function assignment(one: Assignment, { row }: Scope): Sql {
  const own = ident(one.column)
  switch (one.operator) {
    case 'default':
      return sql`${own} = DEFAULT`
    case 'set':
      return sql`${own} = ${writtenSlot(one.value)}`
    case 'inc':
      return sql`${own} = ${row}.${own} + ${operand(one.value)}`
    case 'mul':
      return sql`${own} = ${row}.${own} * ${operand(one.value)}`
    case 'append':
    case 'prepend':
    case 'delete_key':
    case 'delete_elem':
    case 'delete_at_path':
      throw new ApiError('not-supported', Path.root, `_${one.operator} is not supported for MSSQL sources`)
  }
}

/**
 * In addition to a decimal the server reads a text as one of the same digits: a decimal with more would round the
 * column's. A text without a length it may not take for a number.
 */
const operand = (value: Value): Sql =>
  isType(value.type.type, 'decimal', 'numeric')
    ? sql`CAST(${bind<Value>(value)} AS nvarchar(100))`
    : compileValue(value)

/** A value as it is stored. */
export const writtenSlot = (value: Value): Sql => writtenValue(bind(value), value.type.type)

/**
 * A text as it is stored in a column of this type. The server reads most texts as the column's own type, with every
 * digit that the column holds; a cast is needed where it converts nothing by itself.
 */
export function writtenValue<Slot>(text: Fragment<Slot>, type: DatabaseType): Fragment<Slot> {
  const { family } = knownType(type)
  const isConverted =
    family === 'binary' || family === 'spatial' || isType(type, 'money', 'smallmoney', 'hierarchyid', 'sql_variant')
  return isConverted ? castTo(text, { type, list: false }) : text
}
