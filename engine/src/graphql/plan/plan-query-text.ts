import { invalid, type Path } from '../../errors.ts'
import type { ProcedureCall, QueryText, Value } from '../../ir/index.ts'
import type { ResolvedNativeQuery, ResolvedProcedure } from '../../model/index.ts'
import type { GivenArgument } from '../selection/arguments.ts'
import type { Context } from '../selection/context.ts'
import { objectEntries, open } from '../selection/input.ts'
import type { NamedTypes } from '../types/named-types.ts'
import { nativeQueryArguments } from '../types/native-query-arguments.ts'
import { nonNull, refTo } from '../types/type.ts'
import { inputField } from './input-field.ts'
import { constantValue, requiredScalarValue, scalarValue } from './scalar-value.ts'

/**
 * Plans a native query with the client's `args`, each bound in the place of its name and never part of the SQL
 * (reference/database-objects#native-queries). Throws validation-failed for one that is missing.
 */
export function planQueryText(
  context: Context,
  query: ResolvedNativeQuery,
  args: GivenArgument | undefined,
  types: NamedTypes,
  path: Path,
): QueryText {
  const values = argumentValues(context, query, args, types, path)
  return {
    parts: query.parts.map((part) => {
      if (part.kind === 'sql') return part.text
      const value = values.get(part.name)
      if (!value) throw new Error(`the native query ${query.name} has no argument ${part.name}`)
      return value
    }),
  }
}

/** Plans the call of a stored procedure with the client's `args`, by the same rules. */
export function planProcedureCall(
  context: Context,
  query: ResolvedNativeQuery,
  { procedure, columns }: ResolvedProcedure,
  args: GivenArgument | undefined,
  types: NamedTypes,
  path: Path,
): ProcedureCall {
  const values = argumentValues(context, query, args, types, path)
  return { procedure, arguments: [...values].map(([name, value]) => ({ name, value })), columns }
}

function argumentValues(
  context: Context,
  query: ResolvedNativeQuery,
  args: GivenArgument | undefined,
  types: NamedTypes,
  path: Path,
): ReadonlyMap<string, Value> {
  const values = givenValues(context, query, args, types)
  for (const one of query.arguments) {
    if (values.has(one.name)) continue
    const at = (args?.path ?? path.at('args', 'args')).at(one.name)
    if (!one.nullable) throw invalid(at, `missing required field '${one.name}'`)
    values.set(one.name, constantValue(types, { type: one.type, list: false }, null, at))
  }
  context.uses.add('native-query', query.id)
  context.uses.add('query-field', query.name)
  return values
}

function givenValues(
  context: Context,
  query: ResolvedNativeQuery,
  args: GivenArgument | undefined,
  types: NamedTypes,
): Map<string, Value> {
  const type = nativeQueryArguments(types, query)
  const values = new Map<string, Value>()
  if (!type || !args) return values
  const input = open(context, args.raw, nonNull(refTo(type)), false, args.path)
  for (const { key, raw } of objectEntries(context, input, type.name, args.path)) {
    const at = args.path.at(key)
    const { meaning } = inputField(type, key, at)
    const valueType = { type: meaning.type, list: false }
    const value = meaning.nullable
      ? scalarValue(context, raw, types, valueType, at)
      : requiredScalarValue(context, raw, types, valueType, at)
    values.set(key, value ?? constantValue(types, valueType, null, at))
  }
  return values
}
