import { equalJson, type StoredProcedure, tableText } from '@svc/schema'
import type { Names } from '../../names/claim.ts'
import { scalarsOf } from '../../names/reserved-names.ts'
import { isGraphqlName } from '../../resolve/graphql-name.ts'
import { definitionError } from '../../resolve/resolution-error.ts'
import { sourceKindOf } from '../../resolve/unsupported.ts'
import { objectId, qualifiedNameOf } from '../../table-id.ts'
import type { ModelDraft } from '../../update/model-draft.ts'
import { changedValues, changeValue } from '../change-value.ts'
import { logicalContext } from '../logical-model/logical-context.ts'
import { logicalModelPart } from '../logical-model/logical-model-part.ts'
import { logicalModelAddress, sameLogicalNode } from '../logical-model/logical-shape.ts'
import { argumentsOf, type ModelContext, type NativeNode, rowsOfNamed } from '../native-query/resolve-native-query.ts'
import { servedQueries } from '../native-query/serve-native-queries.ts'
import type { Part, Reading } from '../part.ts'

/** A stored procedure as a root field (reference/metadata-operations#native-queries-and-logical-models). */
export const storedProcedurePart: Part<NativeNode, 'stored_procedure'> = {
  key: 'stored_procedure',
  type: 'stored_procedure',
  title: ({ value }) => `stored procedure "${tableText(value.stored_procedure ?? null)}"`,
  resolve({ at, value }, reading) {
    const { object, state, own } = reading.source
    const kind = sourceKindOf(object, state)
    if (!kind?.has('track_stored_procedure'))
      throw definitionError(`Stored procedures are not supported for ${kind?.kind} sources`)
    return resolveStoredProcedure(value, at.own, {
      ...logicalContext(reading),
      model: (name) => reading.value(logicalModelPart, objectId(logicalModelAddress(own, name))) ?? undefined,
    })
  },
  names: namesOf,
  same: (a, b) => equalJson(a.query, b.query) && sameLogicalNode(a.rows, b.rows) && equalJson(a.models, b.models),
}

function namesOf({ query, rows }: NativeNode, { source }: Reading): Names {
  const { types } = source.state.backend
  const { id, name, arguments: given, argumentsName } = query
  return {
    claims: [
      { kind: 'root', root: 'query', key: name, name, owner: { kind: 'stored_procedure', query: id } },
      ...(given.length > 0 ? [{ kind: 'type', name: argumentsName, isRow: false } as const] : []),
    ],
    at: ['stored_procedure'],
    scalars: new Set([...given.map(({ type }) => types.graphqlScalar(type)), ...scalarsOf(rows.columns, types)]),
    types,
  }
}

/** They declare no relationships: each that resolves is served. */
export function serveStoredProcedures(draft: ModelDraft): void {
  for (const [id, { at, now }] of changedValues(draft, storedProcedurePart))
    changeValue(draft, servedQueries, at, id, now ? { node: now, relationships: new Map() } : null)
}

/**
 * Resolves a stored procedure as a root field (reference/database-objects#native-queries): a native query whose rows a
 * call returns. Throws a ResolutionError.
 */
function resolveStoredProcedure(declared: StoredProcedure, own: string, around: ModelContext): NativeNode {
  const procedure = qualifiedNameOf(declared.stored_procedure)
  const custom = declared.configuration.custom_name
  const name = custom ?? around.types.names.graphqlBase(procedure)
  if (!isGraphqlName(name))
    throw definitionError(
      custom === undefined
        ? `cannot include ${name} in the GraphQL schema because it is not a valid GraphQL identifier`
        : `the name "${name}" is not a valid GraphQL identifier`,
      custom === undefined ? ['stored_procedure'] : ['configuration', 'custom_name'],
    )
  const given = argumentsOf(declared, around)
  const { rows, models } = rowsOfNamed(declared.returns, around)
  if (rows.nested.size > 0)
    throw definitionError(
      `the logical model "${declared.returns}" holds rows of other logical models, which no stored procedure gives`,
      ['returns'],
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
