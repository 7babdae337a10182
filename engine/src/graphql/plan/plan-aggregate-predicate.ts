import { invalid, type Path } from '../../errors.ts'
import { allOf, type BooleanExpression, type Operand } from '../../ir/index.ts'
import type { ResolvedRelationship } from '../../model/index.ts'
import { type Context, deeper, useTable } from '../selection/context.ts'
import { flagValue, objectEntries, open, type RawInput } from '../selection/input.ts'
import type { PredicateMeaning, PredicatePart } from '../types/aggregate-predicate-types.ts'
import type { TableTypes } from '../types/table-types.ts'
import { type EnumType, type InputType, nonNull, refTo } from '../types/type.ts'
import { columnOperand } from './column-operand.ts'
import { enumValue } from './enum-value.ts'
import { inputField, planInputFields } from './input-field.ts'
import { planComparison } from './plan-comparison.ts'
import { columnOperands, planColumns } from './plan-rows.ts'
import { planWhere } from './plan-where.ts'

/**
 * Plans `<rel>_aggregate: {<function>: {arguments, distinct, filter, predicate}}`
 * (reference/filters#aggregates-of-relationships). Throws validation-failed at the path of what is wrong.
 */
export function planAggregatePredicate(
  context: Context,
  { target, join }: ResolvedRelationship,
  raw: RawInput,
  path: Path,
): BooleanExpression {
  const types = useTable(context, target)
  const type = types.aggregateBoolean()
  const entries = objectEntries(context, open(context, raw, refTo(type), false, path), type.name, path)
  const [entry] = entries
  if (entries.length !== 1 || !entry) throw invalid(path, 'exactly one predicate should be specified')
  const at = path.at(entry.key)
  const { meaning } = inputField(type, entry.key, at)
  return deeper(context, at, () => {
    const parts = readParts(context, meaning, entry.raw, at)
    const filter = parts.get('filter')
    const predicate = parts.get('predicate')
    if (!predicate) throw missing('predicate', at)
    const left: Operand = {
      kind: 'aggregate',
      join,
      where: allOf([types.table.filter, ...(filter ? [planWhere(context, types, filter.raw, at.at('filter'))] : [])]),
      function: meaning.function,
      of: argumentsOf(context, types, meaning, parts, at),
      distinct: flagValue(context, parts.get('distinct')?.raw, at.at('distinct')),
      type: meaning.type,
    }
    const of = { left, type: meaning.type, enumType: null }
    return planComparison(context, types.table.types, of, predicate.raw, at.at('predicate'))
  })
}

type Parts = ReadonlyMap<string, { readonly raw: RawInput; readonly part: PredicatePart }>

function readParts(context: Context, { input }: PredicateMeaning, raw: RawInput, path: Path): Parts {
  const opened = open(context, raw, refTo(input), false, path)
  return new Map(
    planInputFields(context, input, opened, path, ({ name, meaning: part }, value) => [name, { raw: value, part }]),
  )
}

function argumentsOf(
  context: Context,
  types: TableTypes,
  { function: name }: PredicateMeaning,
  parts: Parts,
  path: Path,
): readonly Operand[] {
  const given = parts.get('arguments')
  if (!given) {
    if (name === 'count') return []
    throw missing('arguments', path)
  }
  const { raw, part } = given
  const at = path.at('arguments')
  switch (part.kind) {
    case 'columns':
      return columnOperands(planColumns(context, types, raw, at, false))
    case 'column':
      return [columnOf(context, types, part.type, raw, at)]
    case 'pair':
      return pairOf(context, types, part.type, raw, at)
    case 'filter':
    case 'distinct':
    case 'predicate':
      return []
  }
}

/** `corr(Y, X)` in SQL. */
function pairOf(
  context: Context,
  types: TableTypes,
  type: InputType<EnumType>,
  raw: RawInput,
  path: Path,
): readonly Operand[] {
  const input = open(context, raw, nonNull(refTo(type)), false, path)
  const given = new Map(
    planInputFields(context, type, input, path, ({ name, meaning }, value, at) => [
      name,
      columnOf(context, types, meaning, value, at),
    ]),
  )
  return ['Y', 'X'].map((axis) => {
    const column = given.get(axis)
    if (!column) throw missing(axis, path)
    return column
  })
}

function columnOf(context: Context, { table }: TableTypes, type: EnumType, raw: RawInput, path: Path): Operand {
  const name = enumValue(context, open(context, raw, nonNull(refTo(type)), false, path), type, path)
  const column = table.columns.find(({ field }) => field === name)
  if (!column) throw new Error(`the enum ${type.name} has a value that is no column: ${name}`)
  return columnOperand(column)
}

const missing = (name: string, path: Path) => invalid(path.at(name), `missing required field '${name}'`)
