import { equalJson } from '@svc/schema'
import type { DatabaseType, PredicateFunction } from '../../ir/index.ts'
import type { ModelSettings } from '../../model/index.ts'
import { comparisonRef } from './comparison-type.ts'
import type { NamedTypes } from './named-types.ts'
import type { RoleColumn, RoleTable } from './role-table.ts'
import { booleanRef } from './scalar-types.ts'
import { columnEnum } from './select-arguments.ts'
import { predicateTypeName } from './table-names.ts'
import { tablePartRef } from './table-part-ref.ts'
import type { TableTypes } from './table-types.ts'
import {
  type EnumType,
  enumOf,
  type InputField,
  type InputType,
  inputType,
  listOf,
  type NamedType,
  namedInput,
  nonNull,
  refTo,
} from './type.ts'

/** What an aggregation predicate compares (reference/filters#aggregates-of-relationships). */
export interface PredicateMeaning {
  readonly function: PredicateFunction
  /** Of its result. */
  readonly type: DatabaseType
  readonly input: InputType<PredicatePart>
}

export type PredicatePart =
  | { readonly kind: 'filter' }
  | { readonly kind: 'distinct' }
  | { readonly kind: 'predicate' }
  /** Columns: any number of them, one, or one under each name. */
  | { readonly kind: 'columns'; readonly type: EnumType }
  | { readonly kind: 'column'; readonly type: EnumType }
  | { readonly kind: 'pair'; readonly type: InputType<EnumType> }

interface Shape {
  readonly function: PredicateFunction
  /** GraphQL scalar of its columns, and of the result; any column will do for `count`. */
  readonly of: 'float8' | 'Boolean' | null
  readonly pair?: true
}

const shapes: readonly Shape[] = [
  { function: 'avg', of: 'float8' },
  { function: 'bool_and', of: 'Boolean' },
  { function: 'bool_or', of: 'Boolean' },
  { function: 'corr', of: 'float8', pair: true },
  { function: 'count', of: null },
  { function: 'covar_samp', of: 'float8', pair: true },
  { function: 'max', of: 'float8' },
  { function: 'min', of: 'float8' },
  { function: 'stddev_samp', of: 'float8' },
  { function: 'sum', of: 'float8' },
  { function: 'var_samp', of: 'float8' },
]

const shapesOf = ({ types }: RoleTable): readonly Shape[] =>
  shapes.filter((shape) => types.features.aggregates?.predicates.includes(shape.function))

/** Whether conditions on the rows that lead to such a table may aggregate these. */
export const hasPredicates = (settings: ModelSettings, { features }: NamedTypes): boolean =>
  !settings.hideAggregationPredicates && (features.aggregates?.predicates.length ?? 0) > 0

/** `T_aggregate_bool_exp`, of the table whose rows are aggregated (reference/filters#aggregates-of-relationships). */
export function aggregateBooleanType({ table }: TableTypes): InputType<PredicateMeaning> {
  const fields = shapesOf(table).flatMap((shape) => {
    const meaning = meaningOf(table, shape)
    return meaning ? [namedInput(shape.function, refTo(meaning.input), meaning)] : []
  })
  return inputType(predicateTypeName(table, 'aggregate_bool_exp'), null, fields)
}

/** Returns what a function compares, or null where the table has no column that it takes. */
function meaningOf(table: RoleTable, { function: name, of, pair }: Shape): PredicateMeaning | null {
  const type = table.types.typeOfScalar(of ?? 'Int')
  if (!type) return null
  const own = argumentsOf(table, name, of === null ? null : type, pair === true)
  if (!own && of !== null) return null
  const input: InputType<PredicatePart> = inputType(predicateTypeName(table, 'aggregate_bool_exp', name), null, [
    ...(own ? [own] : []),
    namedInput<PredicatePart>('distinct', booleanRef, { kind: 'distinct' }),
    namedInput<PredicatePart>('filter', tablePartRef(table, 'boolean'), { kind: 'filter' }),
    namedInput<PredicatePart>('predicate', nonNull(comparisonRef(table.types, type)), { kind: 'predicate' }),
  ])
  return { function: name, type, input }
}

function argumentsOf(
  table: RoleTable,
  name: PredicateFunction,
  type: DatabaseType | null,
  pair: boolean,
): InputField<PredicatePart> | null {
  if (type === null) {
    const all = columnEnum(table)
    return all && namedInput('arguments', listOf(nonNull(refTo(all))), { kind: 'columns', type: all })
  }
  const columns = table.columns.filter((column) => column.enumType === null && equalJson(column.type, type))
  if (columns.length === 0) return null
  const of = columnsEnum(table, name, columns)
  if (!pair) return namedInput('arguments', nonNull(refTo(of)), { kind: 'column', type: of })
  const axes = ['X', 'Y'].map((axis) => namedInput(axis, nonNull(refTo(of)), of))
  const both = inputType(predicateTypeName(table, 'aggregate_bool_exp', name, 'arguments'), null, axes)
  return namedInput('arguments', nonNull(refTo(both)), { kind: 'pair', type: both })
}

function columnsEnum(table: RoleTable, name: PredicateFunction, columns: readonly RoleColumn[]): EnumType {
  const { baseName } = table.table
  const parts = [...(baseName === null ? [] : [baseName]), 'aggregate_bool_exp', name, 'arguments_columns']
  const values = columns.map((column) => ({ name: column.field, description: 'column name' }))
  return enumOf(predicateTypeName(table, 'select_column', ...parts), `columns of the arguments of ${name}`, values)
}

/** Returns `T_aggregate_bool_exp` and all types that only it mentions. */
export function predicateTypes(types: TableTypes): readonly NamedType[] {
  const own = types.aggregateBoolean()
  const inputs = [...own.fields.values()].map(({ meaning }) => meaning.input)
  const given = inputs.flatMap((input): readonly NamedType[] =>
    [...input.fields.values()].flatMap(({ meaning }) => {
      if (meaning.kind === 'column') return [meaning.type]
      return meaning.kind === 'pair'
        ? [meaning.type, ...[...meaning.type.fields.values()].slice(0, 1).map(({ meaning: of }) => of)]
        : []
    }),
  )
  return [own, ...inputs, ...given]
}
