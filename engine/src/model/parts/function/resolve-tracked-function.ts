import type { FunctionConfiguration, TrackedFunction } from '@svc/schema'
import type { DatabaseFunction, TypeSystem } from '../../../backends/index.ts'
import { customRootField, generatedType, rootFieldName, type SourceNaming } from '../../naming/source-naming.ts'
import { baseNameOf, isGraphqlName } from '../../resolve/graphql-name.ts'
import { databaseError, foundIn, reasonText } from '../../resolve/resolution-error.ts'
import type { ResolveContext } from '../../resolve/resolve-context.ts'
import { invalidNames, isTypeNamed, onlyFunction, resolveArguments } from '../../resolve/resolve-function.ts'
import { untrackedTable } from '../../resolve/untracked-table.ts'
import type { ResolvedFunction } from '../../resolved-function.ts'
import { qualifiedNameOf, quotedTable, tableOwn } from '../../table-id.ts'

export interface FunctionPlace {
  /** Own key and name of its source. */
  readonly sourceOwn: string
  readonly source: string
  /** Own key of the function. */
  readonly own: string
  /** Of its source. */
  readonly naming: SourceNaming
  readonly types: TypeSystem
}

/**
 * A function of the database as root fields (reference/database-objects#tracked-functions). Throws a ResolutionError
 * that lists all that is wrong.
 */
export function resolveTrackedFunction(
  declared: TrackedFunction,
  place: FunctionPlace,
  around: ResolveContext,
): ResolvedFunction {
  const called = qualifiedNameOf(declared.function)
  return foundIn(`in function ${quotedTable(called)}: `, () => resolve(declared, called, place, around))
}

function resolve(
  { configuration = {}, comment }: TrackedFunction,
  called: ReturnType<typeof qualifiedNameOf>,
  { sourceOwn, source, own, naming, types }: FunctionPlace,
  around: ResolveContext,
): ResolvedFunction {
  const found = onlyFunction(source, called, around, ['function'])
  const given = resolveArguments(found, () => false, configuration.session_argument)
  const baseName = baseNameOf(configuration.custom_name, called, types.names)
  const nameOf = (given: string | undefined, ...ending: readonly string[]): string | null => {
    if (given !== undefined) return customRootField(naming, given)
    return baseName === null ? null : rootFieldName(naming, baseName, ...ending)
  }
  const field = nameOf(configuration.custom_root_fields?.function)
  const aggregateField = nameOf(configuration.custom_root_fields?.function_aggregate, 'aggregate')
  const problems: readonly Problem[] = [
    ...(field === null || aggregateField === null || !isGraphqlName(field) || !isGraphqlName(aggregateField)
      ? [{ text: 'the function name is not a valid GraphQL identifier' }]
      : []),
    ...problemsOf(found, configuration, types),
    ...invalidNames(given).map((text) => ({ text })),
  ]
  if (problems.length > 0 || field === null || aggregateField === null || baseName === null)
    throw databaseError(
      `the function ${quotedTable(called)} cannot be tracked ${reasonText(problems.map(({ text }) => text))}`,
      problems[0]?.at ?? ['function'],
    )
  const { type, set } = found.returns
  const of = { schema: type.schema, name: type.name }
  const table = `${sourceOwn}/${tableOwn(of)}`
  if (!around.table(table)) throw untrackedTable(of, table, ['function'], true)
  return {
    id: `${sourceOwn}/${own}`,
    source,
    function: called,
    set,
    volatile: found.volatility === 'volatile',
    arguments: given,
    table,
    of,
    exposedAs: configuration.exposed_as ?? (found.volatility === 'volatile' ? 'mutation' : 'query'),
    naming,
    argumentsName: generatedType(naming, baseName, 'args'),
    field,
    aggregateField: set ? aggregateField : null,
    connectionField: set ? rootFieldName(naming, baseName, 'connection') : null,
    description: comment ?? `execute function ${quotedTable(called)} which returns ${quotedTable(of)}`,
    roles: new Set(),
  }
}

interface Problem {
  readonly text: string
  /** Without: the function itself. */
  readonly at?: readonly string[]
}

function problemsOf(
  { returns: { type }, variadic, volatility, arguments: given }: DatabaseFunction,
  { session_argument: session, exposed_as }: FunctionConfiguration,
  types: TypeSystem,
): readonly Problem[] {
  const atSession = ['configuration', 'session_argument']
  const sessionArgument = session === undefined ? undefined : given.find(({ name }) => name === session)
  return [
    ...(type.kind !== 'composite' || type.array ? [{ text: 'the function does not return a "COMPOSITE" type' }] : []),
    ...(variadic ? [{ text: 'function with "VARIADIC" parameters are not supported' }] : []),
    ...(session !== undefined && !sessionArgument
      ? [{ text: `the given session argument "${session}" is not in the function's arguments`, at: atSession }]
      : []),
    ...(sessionArgument && !isTypeNamed(sessionArgument.type, types.common.json)
      ? [{ text: `the given session argument "${session}" is not of type json`, at: atSession }]
      : []),
    ...(exposed_as === 'mutation' && volatility !== 'volatile'
      ? [
          {
            text: 'the function was requested to be exposed as a mutation, but is not marked VOLATILE. Maybe the function was given the wrong volatility when it was defined?',
            at: ['configuration', 'exposed_as'],
          },
        ]
      : []),
  ]
}
