import type { StoredProcedure } from '@svc/schema'
import { isGraphqlName } from '../../resolve/graphql-name.ts'
import { ResolutionError } from '../../resolve/resolution-error.ts'
import { qualifiedNameOf } from '../../table-id.ts'
import { argumentsOf, type ModelContext, type NativeNode, rowsOfNamed } from '../native-query/resolve-native-query.ts'

/**
 * Resolves a stored procedure as a root field (reference/database-objects#native-queries): a native query whose rows a
 * call returns. Throws a ResolutionError.
 */
export function resolveStoredProcedure(declared: StoredProcedure, own: string, around: ModelContext): NativeNode {
  const procedure = qualifiedNameOf(declared.stored_procedure)
  const custom = declared.configuration.custom_name
  const name = custom ?? around.types.names.graphqlBase(procedure)
  if (!isGraphqlName(name))
    throw new ResolutionError(
      custom === undefined
        ? `cannot include ${name} in the GraphQL schema because it is not a valid GraphQL identifier`
        : `the name "${name}" is not a valid GraphQL identifier`,
      { cause: 'definition', at: custom === undefined ? ['stored_procedure'] : ['configuration', 'custom_name'] },
    )
  const given = argumentsOf(declared, around)
  const { rows, models } = rowsOfNamed(declared.returns, around)
  if (rows.nested.size > 0)
    throw new ResolutionError(
      `the logical model "${declared.returns}" holds rows of other logical models, which no stored procedure gives`,
      { cause: 'definition', at: ['returns'] },
    )
  return {
    query: {
      id: `${around.sourceOwn}/${own}`,
      source: around.source,
      name,
      description: declared.description ?? null,
      parts: [],
      procedure: {
        procedure,
        columns: rows.columns.map(({ name: column, type, nullable }) => ({ name: column, type, nullable })),
      },
      arguments: given,
      argumentsName: `${name}_arguments`,
      rows: rows.id,
      of: rows.shape.table,
    },
    rows,
    models,
    permissions: new Map(),
    declared: {},
  }
}
