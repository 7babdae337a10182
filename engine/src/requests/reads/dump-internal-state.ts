/**
 * dump_internal_state (reference/metadata-operations#the-whole-document): what the schema cache was made of and made,
 * for the search for a fault.
 */
import { childrenOf, ignoredArgs, type Json, type JsonObject, objectTypes } from '@svc/schema'
import { inconsistentObjects } from '../../model/index.ts'
import type { SourceState } from '../../sources/index.ts'
import { defineRead } from '../read-operation.ts'

/** No configurations of sources: they may hold passwords. */
export const dumpInternalState = defineRead({
  type: 'dump_internal_state',
  scope: null,
  effects: 'none',
  args: ignoredArgs,
  onQuery: true,
  answer(_, { draft, served }) {
    const { document, model, states } = draft
    const objects = objectTypes.flatMap((type): [string, Json][] => {
      const count = childrenOf(document, type).size
      return count > 0 ? [[type, count]] : []
    })
    return {
      catalog_id: served.store.catalogId,
      resource_version: served.current.resourceVersion,
      objects: Object.fromEntries(objects),
      sources: [...states.values()].map(describe),
      inconsistent_objects: inconsistentObjects(model) as unknown as Json[],
    }
  },
})

function describe(state: SourceState): JsonObject {
  const { name, status } = state
  if (state.status === 'unavailable') return { name, status, reason: state.reason }
  const { introspection, enums, functions, queries } = state
  const tables = [...introspection.tables.values()].map(
    ({ table, kind, columns, fingerprint }): JsonObject => ({
      name: { ...table },
      kind,
      columns: columns.map((column) => ({ name: column.name, type: column.type.name, nullable: column.nullable })),
      fingerprint,
    }),
  )
  return {
    name,
    status,
    server_version: introspection.serverVersion,
    tables,
    enums: [...enums.keys()],
    functions: [...functions.keys()],
    native_queries: [...queries.checked].map(([own, { verdict }]) => ({ name: own, status: verdict.status })),
  }
}
