import type { DatabaseFunction } from '../../backends/index.ts'
import type { DatabaseType, QualifiedName } from '../../ir/index.ts'
import type { ResolvedArgument } from '../resolved-function.ts'
import { quotedTable } from '../table-id.ts'
import { isGraphqlName } from './graphql-name.ts'
import { databaseError } from './resolution-error.ts'
import type { ResolveContext } from './resolve-context.ts'

/**
 * The one function of that name in a source. Throws a ResolutionError when there is none or more than one
 * (reference/database-objects#tracked-functions).
 */
export function onlyFunction(
  source: string,
  name: QualifiedName,
  around: ResolveContext,
  at: readonly string[],
): DatabaseFunction {
  const [found, ...others] = around.functions(source, name)
  if (!found) throw databaseError(`no such function exists: ${quotedTable(name)}`, at)
  if (others.length > 0)
    throw databaseError(`function ${quotedTable(name)} is overloaded. Overloaded functions are not supported`, at)
  return found
}

/** The arguments of a call; those that are neither the row nor the session are the client's, unnamed ones `arg_1` … */
export function resolveArguments(
  { arguments: given }: DatabaseFunction,
  isRow: (index: number) => boolean,
  sessionArgument: string | undefined,
): readonly ResolvedArgument[] {
  let unnamed = 0
  return given.map(({ name, type, hasDefault }, i): ResolvedArgument => {
    if (isRow(i)) return { kind: 'row', name }
    if (sessionArgument !== undefined && name === sessionArgument) return { kind: 'session', name, type }
    if (name === null) unnamed++
    return { kind: 'user', name, field: name ?? `arg_${unnamed}`, type, hasDefault }
  })
}

/** Why the client's arguments cannot be in a schema. */
export const invalidNames = (given: readonly ResolvedArgument[]): readonly string[] =>
  given.flatMap((one) =>
    one.kind === 'user' && !isGraphqlName(one.field) ? [`"${one.field}" is not a valid GraphQL argument name`] : [],
  )

export const isTypeNamed = ({ schema, name, array }: DatabaseType, of: QualifiedName): boolean =>
  !array && schema === of.schema && name === of.name
