import { permissionConflicts } from './inherit/permission-conflicts.ts'
import type { Model } from './model.ts'
import { SharedMap } from './shared-map.ts'

/** Everything of a model that must not depend on how it came about, as plain sorted data. */
export function plain(model: Model) {
  const { nodes, ...graph } = model.graph
  return sortedData({
    tables: model.tables,
    logicalRows: model.logicalRows,
    roots: model.roots,
    namespaces: model.namespaces,
    functions: model.functions,
    nativeQueries: model.nativeQueries,
    values: new Map([...model.values].filter(([, values]) => !values.isEmpty())),
    roles: model.roles,
    inheritedRoles: model.inheritedRoles,
    permissionConflicts: permissionConflicts(model),
    inconsistencies: model.inconsistencies,
    faults: model.faults,
    graph,
    nodes: new Map(
      [...nodes].map(([id, { served, graphql, shape }]) => [
        id,
        { served, graphql, columns: shape.columns, keys: shape.foreignKeys },
      ]),
    ),
  })
}

export function sortedData(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Set) return [...value].sort()
  if (Array.isArray(value)) return value.map(sortedData)
  const isMap = value instanceof Map || value instanceof SharedMap || ('toMap' in value && 'entries' in value)
  const entries = isMap ? [...(value as ReadonlyMap<string, unknown>)] : Object.entries(value)
  const plainValue = entries.map(([key, part]) => [key, sortedData(part)] as const)
  return Object.fromEntries(plainValue.sort(([a], [b]) => (a < b ? -1 : 1)))
}
