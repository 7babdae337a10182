import type { OperatorArgument, OperatorDeclaration } from '../../backends/index.ts'
import type { DatabaseType } from '../../ir/index.ts'
import { keptFor } from '../../kept-for.ts'
import { type ResolvedColumn, type ResolvedEnum, typeName } from '../../model/index.ts'
import { enumType } from './column-type.ts'
import { innerName, type NamedTypes, sharedTypeName } from './named-types.ts'
import { arrayScalar, booleanRef, databaseTypeRef, floatRef } from './scalar-types.ts'
import {
  type InputField,
  type InputType,
  inputType,
  lazyRef,
  listOf,
  type NamedRef,
  namedInput,
  nonNull,
  refTo,
  type TypeRef,
} from './type.ts'

export type ComparisonMeaning =
  | { readonly kind: 'operator'; readonly operator: OperatorDeclaration }
  /** `_cast`: the operand seen as another type. */
  | { readonly kind: 'cast'; readonly type: InputType<DatabaseType> }
  /** An operator whose value is an object. */
  | { readonly kind: 'arguments'; readonly name: string; readonly type: InputType<OperatorArgument> }

const cache = new WeakMap<NamedTypes, Map<string, InputType<ComparisonMeaning>>>()
/** A bound for databases whose types come and go; beyond it types are made again. */
const keptTypes = 10_000

/** `<Scalar>_comparison_exp` of a column's type: the operators its backend declares (reference/filters#operators). */
export function comparisonType(types: NamedTypes, type: DatabaseType): InputType<ComparisonMeaning> {
  const kept = cache.get(types) ?? new Map<string, InputType<ComparisonMeaning>>()
  cache.set(types, kept)
  const key = `${type.array}.${type.kind}.${type.schema}.${type.name}`
  const known = kept.get(key)
  if (known) return known
  const made = makeComparisonType(types, type)
  if (kept.size < keptTypes) kept.set(key, made)
  return made
}

/** A reference to it. */
export const comparisonRef = (types: NamedTypes, type: DatabaseType): NamedRef =>
  lazyRef(comparisonTypeName(types, type), 'INPUT_OBJECT', () => comparisonType(types, type))

const comparisonTypeName = (types: NamedTypes, type: DatabaseType): string =>
  sharedTypeName(
    types,
    [comparedName(types, type), ...(types.comparisonInfix ? [types.comparisonInfix] : []), 'comparison_exp'].join('_'),
  )

function comparedName(types: NamedTypes, type: DatabaseType): string {
  if (!type.array) return types.graphqlScalar(type)
  return types.arraysAreScalars ? arrayScalar(type) : `${types.graphqlScalar(type)}_array`
}

const enumComparison = keptFor((of: ResolvedEnum, types: NamedTypes, type: DatabaseType) => {
  const ref = refTo(enumType(of))
  const operators = types.enumOperators(type).map((operator) => operatorField(types, ref, operator))
  return inputType(enumComparisonName(types, of), describe(of.name), operators)
})

/**
 * `<T>_enum_comparison_exp` of a column that refers to an enum table (reference/database-objects#enum-tables), else
 * that of the column's type.
 */
export function columnComparison(
  types: NamedTypes,
  { type, enumType: of }: Pick<ResolvedColumn, 'type' | 'enumType'>,
): InputType<ComparisonMeaning> {
  return of ? enumComparison(of, types, type) : comparisonType(types, type)
}

/** A reference to it. */
export function columnComparisonRef(types: NamedTypes, column: Pick<ResolvedColumn, 'type' | 'enumType'>): NamedRef {
  const { type, enumType: of } = column
  const name = of ? enumComparisonName(types, of) : comparisonTypeName(types, type)
  return lazyRef(name, 'INPUT_OBJECT', () => columnComparison(types, column))
}

const enumComparisonName = ({ convention }: NamedTypes, of: ResolvedEnum): string =>
  typeName(convention, { custom: of.name }, 'comparison_exp')

const describe = (name: string): string =>
  `Boolean expression to compare columns of type "${name}". All fields are combined with logical 'AND'.`

function makeComparisonType(types: NamedTypes, type: DatabaseType): InputType<ComparisonMeaning> {
  const casts = types.casts(type)
  return inputType(comparisonTypeName(types, type), describe(types.graphqlScalar(type)), [
    ...(casts.length > 0 ? [castField(types, type, casts)] : []),
    ...types.operators(type).map((operator) => operatorField(types, databaseTypeRef(types, type), operator)),
  ])
}

function castField(
  types: NamedTypes,
  type: DatabaseType,
  casts: readonly DatabaseType[],
): InputField<ComparisonMeaning> {
  // geometry casts to geography and back, so the comparison is found later
  const fields = casts.map((to) => namedInput(types.graphqlScalar(to), comparisonRef(types, to), to))
  const castType = inputType(sharedTypeName(types, `${types.graphqlScalar(type)}_cast_exp`), null, fields)
  return namedInput('_cast', refTo(castType), { kind: 'cast', type: castType })
}

function operatorField(types: NamedTypes, own: TypeRef, operator: OperatorDeclaration): InputField<ComparisonMeaning> {
  const { argument } = operator
  const name = innerName(types, operator.name)
  switch (argument.kind) {
    case 'self':
      return namedInput(name, own, { kind: 'operator', operator })
    case 'list':
      return namedInput(name, listOf(nonNull(own)), { kind: 'operator', operator })
    case 'boolean':
      return namedInput(name, booleanRef, { kind: 'operator', operator })
    case 'type': {
      const ref = databaseTypeRef(types, argument.type)
      return namedInput(name, argument.list ? listOf(nonNull(ref)) : ref, { kind: 'operator', operator })
    }
    case 'object': {
      const fields = argument.fields.map((input) => argumentField(types, input))
      const inputs = inputType(sharedTypeName(types, argument.name), null, fields)
      return namedInput(name, refTo(inputs), { kind: 'arguments', name: operator.name, type: inputs })
    }
  }
}

function argumentField(types: NamedTypes, input: OperatorArgument): InputField<OperatorArgument> {
  const ref = argumentRef(types, input.type)
  return {
    ...namedInput(input.name, input.required ? nonNull(ref) : ref, input),
    defaultValue: input.default === undefined ? null : String(input.default),
  }
}

/** Inputs of operators speak of `Float`, whatever the column's own scalar is (reference/filters#operators). */
export function argumentRef(types: NamedTypes, type: DatabaseType): TypeRef {
  const ref = databaseTypeRef(types, type)
  return ref.kind === 'named' && ref.name === 'float8' ? floatRef : ref
}
