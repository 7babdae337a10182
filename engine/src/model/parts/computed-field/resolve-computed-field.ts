import type { ComputedField, JsonObject } from '@svc/schema'
import type { DatabaseArgument, DatabaseFunction, TypeSystem } from '../../../backends/index.ts'
import { isGraphqlName } from '../../resolve/graphql-name.ts'
import type { GraphqlTable } from '../../resolve/graphql-table.ts'
import { conflictingField, refuseColumnName } from '../../resolve/refuse-column-name.ts'
import { foundIn, ResolutionError, reasonText } from '../../resolve/resolution-error.ts'
import type { ResolveContext } from '../../resolve/resolve-context.ts'
import { invalidNames, isTypeNamed, onlyFunction, resolveArguments } from '../../resolve/resolve-function.ts'
import type { TableShape } from '../../resolve/table-shape.ts'
import type { ResolvedComputedField } from '../../resolved-rows.ts'
import { addressOfTable, qualifiedNameOf, quotedTable, siblingTableId } from '../../table-id.ts'
import type { Problem, Say } from './problem.ts'
import { resolveTableFunction, type TableFunction } from './resolve-table-function.ts'

const atFunction = ['definition', 'function']

/**
 * A function over a table's rows as a field of theirs (reference/database-objects#computed-fields). Throws a
 * ResolutionError that lists all that is wrong.
 */
export function resolveComputedField(
  value: ComputedField,
  own: TableShape,
  graphql: GraphqlTable,
  around: ResolveContext,
): ResolvedComputedField {
  checkName(value.name, own, graphql, around)
  const place = `in table ${quotedTable(own.table)}: in computed field "${value.name}": `
  return foundIn(place, () => resolve(value, own, around))
}

/** A column beats a relationship, and that a computed field. */
function checkName(name: string, own: TableShape, graphql: GraphqlTable, around: ResolveContext): void {
  refuseColumnName(name, graphql)
  const aggregated = name.endsWith('_aggregate') ? around.relationship(own, name.slice(0, -'_aggregate'.length)) : null
  if (around.relationship(own, name) || aggregated?.kind === 'array') throw conflictingField(name)
}

function resolve({ name, definition, comment }: ComputedField, own: TableShape, around: ResolveContext) {
  const called = qualifiedNameOf(definition.function as JsonObject)
  const found = onlyFunction(own.source, called, around, atFunction)
  const problems: Problem[] = []
  const say = (...said: readonly Problem[]) => problems.push(...said)
  if (!isGraphqlName(name)) say({ text: `the computed field "${name}" is not a valid GraphQL name`, at: ['name'] })
  if (found.volatility === 'volatile')
    say({ text: `the function ${quotedTable(called)} is of type VOLATILE; cannot be added as a computed field` })
  const { returns, arguments: given } = definition.argument_mapping
    ? resolveTableFunction(found, definition, own, around, say)
    : resolveRowFunction(found, definition, own, around, say)
  say(...invalidNames(given).map((text) => ({ text })))
  if (found.variadic) say({ text: `the function ${quotedTable(called)} has a VARIADIC argument` })
  if (problems.length > 0 || !returns) throw errorOf(name, own, problems)
  const resolved: ResolvedComputedField = {
    name,
    // an empty comment means none (reference/graphql-schema#table-configuration)
    description:
      comment === ''
        ? null
        : (comment ?? found.description ?? `A computed field, executes function ${quotedTable(called)}`),
    function: called,
    set: found.returns.set,
    arguments: given,
    returns,
  }
  return resolved
}

/** A function that takes the row. */
function resolveRowFunction(
  found: DatabaseFunction,
  definition: ComputedField['definition'],
  own: TableShape,
  around: ResolveContext,
  say: Say,
): TableFunction {
  const returns = resultOf(found, own, around, say)
  const row = rowArgument(found, definition.table_argument, own, say)
  checkSession(found, definition.session_argument, own.types, say)
  return { returns, arguments: resolveArguments(found, (i) => i === row, definition.session_argument) }
}

function errorOf(name: string, own: TableShape, problems: readonly Problem[]): ResolutionError {
  const texts = problems.map(({ text }) => text)
  const needs = problems.flatMap(({ needs: id }) => (id === undefined ? [] : [addressOfTable(id)]))
  return new ResolutionError(
    `the computed field "${name}" cannot be added to table ${quotedTable(own.table)} ${reasonText(texts)}`,
    {
      ...(needs.length > 0 && needs.length === problems.length ? { cause: 'metadata', needs } : { cause: 'database' }),
      at: problems[0]?.at ?? atFunction,
    },
  )
}

function resultOf(
  { function: name, returns: { type, set } }: DatabaseFunction,
  own: TableShape,
  around: ResolveContext,
  say: Say,
): ResolvedComputedField['returns'] | null {
  if (type.kind === 'composite' && !type.array) {
    const table = { schema: type.schema, name: type.name }
    const id = siblingTableId(own.id, table)
    if (id === own.id || around.table(id)) return { kind: 'table', table: id, of: table }
    const text = `the function ${quotedTable(name)} returning ${set ? 'set of ' : ''}table ${quotedTable(table)} is not tracked or not found in database`
    say({ text, needs: id })
    return null
  }
  if (!set && !type.array && own.types.isKnown(type) && type.kind === 'base') return { kind: 'scalar', type }
  const shown = `${set ? 'SETOF ' : ''}${type.name}${type.array ? '[]' : ''}`
  say({ text: `the function ${quotedTable(name)} returning type ${shown} is not a BASE type` })
  return null
}

/** The place of the argument that takes the row: the first, or the one named. */
function rowArgument(
  { function: name, arguments: given }: DatabaseFunction,
  named: string | undefined,
  own: TableShape,
  say: Say,
): number {
  const place = named === undefined ? 0 : given.findIndex((one) => one.name === named)
  const argument: DatabaseArgument | undefined = given[place]
  const at = named === undefined ? atFunction : ['definition', 'table_argument']
  if (!argument) {
    const text =
      named === undefined || given.length === 0
        ? `the function ${quotedTable(name)} has no input arguments`
        : `"${named}" is not an input argument of the function ${quotedTable(name)}`
    say({ text, at })
    return place
  }
  const who = named === undefined ? 'first argument' : `"${named}" argument`
  const { type } = argument
  if (type.kind !== 'composite' || type.array)
    say({ text: `${who} of the function ${quotedTable(name)} is not COMPOSITE type`, at })
  if (!isTypeNamed(type, own.table))
    say({
      text: `${who} of the function ${quotedTable(name)} of type "${type.schema}.${type.name}" is not the table to which the computed field is being added`,
      at,
    })
  return place
}

function checkSession(
  { function: name, arguments: given }: DatabaseFunction,
  named: string | undefined,
  types: TypeSystem,
  say: Say,
): void {
  if (named === undefined) return
  const at = ['definition', 'session_argument']
  const argument = given.find((one) => one.name === named)
  if (!argument) say({ text: `"${named}" is not an input argument of the function ${quotedTable(name)}`, at })
  else if (argument.type.array || !types.isJson(argument.type))
    say({ text: `"${named}" argument of the function ${quotedTable(name)} is not of type JSON`, at })
}
