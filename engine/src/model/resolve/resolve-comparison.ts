import { equalJson, isRecord, type Json, type JsonObject } from '@svc/schema'
import type { OperatorDeclaration, TypeSystem } from '../../backends/index.ts'
import { ApiError, Path } from '../../errors.ts'
import {
  allOf,
  type BooleanExpression,
  type DatabaseType,
  type Operand,
  type Value,
  type ValueType,
} from '../../ir/index.ts'
import { keptFor } from '../../kept-for.ts'
import { ownPrefix, variableName } from '../../session.ts'
import type { ResolvedEnum } from '../resolved-rows.ts'
import { databaseError, definitionError, ResolutionError } from './resolution-error.ts'
import type { ResolveContext } from './resolve-context.ts'
import type { At, Rows } from './resolve-expression.ts'
import type { TableShape } from './table-shape.ts'

export interface Compared {
  readonly left: Operand
  readonly type: DatabaseType
  readonly nullable: boolean
  /** What the column refers to: a constant must be one of its values. */
  readonly enumType: ResolvedEnum | null
}

/** `column: value`: NULL equals NULL whatever the column (reference/filters#expressions-of-permissions). */
export function resolveShorthand(
  json: Json,
  left: Operand & { type: DatabaseType },
  types: TypeSystem,
  enumType: ResolvedEnum | null,
  around: ResolveContext,
  at: At,
) {
  if (Array.isArray(json) && !left.type.array && !types.isJson(left.type))
    throw definitionError('expected a value or an object of operators', at)
  if (json === null) return { kind: 'is-null', of: left, negated: false } as const
  checkEnumValues(json, enumType, around, at)
  const right = [resolveValue(json, { type: left.type, list: false }, types, around, at)]
  return { kind: 'compare', left, operator: 'eq', right, nullSafe: true } as const
}

/**
 * `column: {op: value, …}`: all of them (reference/filters#operators, reference/filters#expressions-of-permissions).
 */
export function resolveComparisons(
  json: JsonObject,
  compared: Compared,
  rows: Rows,
  around: ResolveContext,
  at: At,
): BooleanExpression {
  return allOf(Object.entries(json).map(([key, value]) => resolveOne(key, value, compared, rows, around, [...at, key])))
}

const columnOperators: ReadonlyMap<string, string> = new Map([
  ['ceq', 'eq'],
  ['cne', 'neq'],
  ['cneq', 'neq'],
  ['cgt', 'gt'],
  ['clt', 'lt'],
  ['cgte', 'gte'],
  ['clte', 'lte'],
])

function resolveOne(
  key: string,
  value: Json,
  compared: Compared,
  rows: Rows,
  around: ResolveContext,
  at: At,
): BooleanExpression {
  const { left, type, nullable } = compared
  const { types } = rows.row
  const operator = operatorOf(key)
  if (operator === 'is_null') return resolveIsNull(value, left, at)
  if (operator === 'cast') return resolveCast(value, compared, rows, around, at)
  const column = operator === null || !types.features.columnComparisons ? undefined : columnOperators.get(operator)
  if (column) return resolveColumns(column, value, compared, rows, around, at)
  const declared = operatorsOf(types)(type).get(`_${operator}`)
  if (operator === null || !declared) throw definitionError(`Unknown operator: ${key}`, at)
  if (compared.enumType && types.enumOperators(type).some(({ name }) => name === declared.name))
    checkEnumValues(value, compared.enumType, around, at)
  return {
    kind: 'compare',
    left,
    operator,
    right: resolveArguments(declared, value, type, types, around, at),
    nullSafe: nullable && (operator === 'eq' || operator === 'neq'),
  }
}

type Operators = ReadonlyMap<string, OperatorDeclaration>

/** Cached for each type of a column: a first build needs it a hundred thousand times. */
const operatorsOf = keptFor((types: TypeSystem) =>
  keptFor(
    (type: DatabaseType): Operators =>
      new Map(types.operators(type).map((declaration) => [declaration.name, declaration])),
  ),
)

/** `_x` and `$x` are the same operator; `ne` is `neq`. Null: spelled like none. */
function operatorOf(key: string): string | null {
  const name = /^[_$](?=.)/.test(key) ? key.slice(1) : null
  return name === 'ne' ? 'neq' : name
}

function resolveIsNull(value: Json, of: Operand, at: At): BooleanExpression {
  if (typeof value !== 'boolean') throw definitionError('expected a boolean', at)
  return { kind: 'is-null', of, negated: !value }
}

function resolveCast(value: Json, compared: Compared, rows: Rows, around: ResolveContext, at: At): BooleanExpression {
  if (!isRecord(value)) throw definitionError('expected an object', at)
  const { types } = rows.row
  return allOf(
    Object.entries(value).map(([name, part]) => {
      const to = types.casts(compared.type).find((type) => types.graphqlScalar(type) === name)
      if (!to || !isRecord(part)) throw definitionError(`cannot cast to "${name}"`, at)
      const left: Operand = { kind: 'cast', of: compared.left, to }
      const cast = { left, type: to, nullable: compared.nullable, enumType: null }
      return resolveComparisons(part, cast, rows, around, [...at, name])
    }),
  )
}

/** `_ceq: "c" | ["c"] | ["$", "c"]`: a column of the same row, or of the row that the expression began with. */
function resolveColumns(
  operator: string,
  value: Json,
  { left, type }: Compared,
  rows: Rows,
  around: ResolveContext,
  at: At,
): BooleanExpression {
  const { of, table, name } = columnReference(value, rows, at)
  const column = around.column(table, name)
  if (!column) throw databaseError(`column "${name}" does not exist`, at)
  if (!equalJson(column.type, type))
    throw definitionError(`columns of different types cannot be compared: ${type.name} and ${column.type.name}`, at)
  return { kind: 'compare-columns', left, operator, right: { kind: 'column', of, name, type: column.type } }
}

function columnReference(
  value: Json,
  rows: Rows,
  at: At,
): { readonly of: 'row' | 'root'; readonly table: TableShape; readonly name: string } {
  const path: readonly Json[] = Array.isArray(value) ? value : [value]
  const [first, second] = path
  if (path.length === 1 && typeof first === 'string') return { of: 'row', table: rows.row, name: first }
  if (path.length === 2 && first === '$' && typeof second === 'string')
    return { of: 'root', table: rows.root, name: second }
  if (path.length > 1)
    throw new ResolutionError('relationships are not supported in column comparisons', {
      cause: 'definition',
      isUnsupported: true,
      at,
    })
  throw definitionError('expected a column name', at)
}

function resolveArguments(
  { argument }: OperatorDeclaration,
  value: Json,
  type: DatabaseType,
  types: TypeSystem,
  around: ResolveContext,
  at: At,
): readonly Value[] {
  switch (argument.kind) {
    case 'self':
      return [resolveValue(value, { type, list: false }, types, around, at)]
    case 'list':
      return [resolveValue(value, { type, list: true }, types, around, at)]
    case 'type':
      return [resolveValue(value, { type: argument.type, list: argument.list }, types, around, at)]
    case 'boolean':
      throw definitionError('expected a boolean', at)
    case 'object': {
      if (!isRecord(value)) throw definitionError('expected an object', at)
      return argument.fields.map((field) => {
        const given = value[field.name] ?? field.default ?? null
        if (given === null && field.required) throw definitionError(`key "${field.name}" not found`, at)
        return resolveValue(given, { type: field.type, list: false }, types, around, [...at, field.name])
      })
    }
  }
}

/**
 * A constant that no row can hold is a mistake (reference/database-objects#enum-tables); session variables are only
 * known later.
 */
function checkEnumValues(json: Json, type: ResolvedEnum | null, around: ResolveContext, at: At): void {
  if (!type) return
  const given: readonly Json[] = Array.isArray(json) ? json : [json]
  for (const value of given) {
    if (typeof value !== 'string' || sessionVariable(value, around.headerPrefix) !== null) continue
    if (type.values.some(({ name }) => name === value)) continue
    const values = type.values.map(({ name }) => `"${name}"`).join(', ')
    throw databaseError(`expected one of the values ${values} for type "${type.name}", given "${value}"`, at)
  }
}

/** A whole value that names a session variable stands for it; `req_user_id` is the older spelling of one. */
export function resolveValue(json: Json, type: ValueType, types: TypeSystem, around: ResolveContext, at: At): Value {
  const variable = typeof json === 'string' ? sessionVariable(json, around.headerPrefix) : null
  if (variable !== null) return { kind: 'session', variable, type }
  if (type.list && !Array.isArray(json)) throw definitionError('expected a list', at)
  try {
    return { kind: 'constant', text: types.coerceConstant(type, json, Path.root), type }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ResolutionError(error.message, { cause: 'definition', isValue: true, at: [...at, ...error.path.keys] })
  }
}

/** The session variable that a whole value names; null: it is a constant. */
export function sessionVariable(text: string, prefix: string = ownPrefix): string | null {
  return /^req_user_id$/i.test(text) ? `${prefix}user-id` : variableName(text, prefix)
}
