import { childrenOf, findObject } from '@svc/schema'
import type { LongWork } from '../../long-work.ts'
import type { TableNode } from '../graph.ts'
import { rootKey } from '../naming/source-naming.ts'
import type { ResolvedTable } from '../resolved-rows.ts'
import type { ModelDraft, TableParts } from './model-draft.ts'

/** Puts the served tables together that have something new; one that turns out the same keeps its reference. */
export function* assembleTables(draft: ModelDraft): LongWork<void> {
  for (const [id, parts] of draft.tableParts) {
    yield 1
    const node = draft.graph.nodes.get(id)
    if (!node?.served) continue
    const old = draft.tables.get(id)
    const now = assemble(draft, node, parts, old)
    if (now !== old) draft.tables.set(id, now)
  }
}

function assemble(
  draft: ModelDraft,
  node: TableNode,
  parts: TableParts,
  old: ResolvedTable | undefined,
): ResolvedTable {
  const { id, address, shape, graphql } = node
  const alias = graphql.alias && servesAlias(draft, node) && graphql.alias ? [graphql.alias] : []
  // what captures them reads the session, and another engine may have made it
  const object = findObject(draft.input.document, address)
  const isCaptured = object !== undefined && childrenOf(object, 'event_trigger').size > 0
  const rootFields = alias.length > 0 ? [...graphql.rootFields, ...alias] : graphql.rootFields
  const now: ResolvedTable = {
    kind: 'table',
    id,
    source: shape.source,
    table: shape.table,
    address,
    naming: graphql.naming,
    baseName: graphql.baseName,
    graphqlName: graphql.graphqlName,
    description: graphql.description,
    columns: graphql.columns,
    columnsByField: graphql.columnsByField,
    columnsByName: graphql.columnsByName,
    primaryKey: graphql.primaryKey,
    rootFields: sameItems(old?.rootFields, rootFields) ?? rootFields,
    mutationFields: graphql.mutationFields,
    writes: graphql.writes,
    insertsAlone: graphql.insertsAlone && !isCaptured,
    writesAlone: graphql.writesAlone && !isCaptured,
    readsAlone: graphql.readsAlone,
    hasSystemColumns: graphql.hasSystemColumns,
    refersTo: graphql.refersTo,
    uniqueKeys: graphql.uniqueKeys,
    streamField: graphql.streamField,
    isEntity: graphql.isEntity,
    relationships: sameEntries(old?.relationships, parts.relationships) ?? sorted(parts.relationships),
    computedFields: sameEntries(old?.computedFields, parts.computedFields) ?? sorted(parts.computedFields),
    remoteRelationships:
      sameEntries(old?.remoteRelationships, parts.remoteRelationships) ?? sorted(parts.remoteRelationships),
    selectPermissions: sameEntries(old?.selectPermissions, parts.selectPermissions) ?? sorted(parts.selectPermissions),
    insertPermissions: sameEntries(old?.insertPermissions, parts.insertPermissions) ?? sorted(parts.insertPermissions),
    updatePermissions: sameEntries(old?.updatePermissions, parts.updatePermissions) ?? sorted(parts.updatePermissions),
    deletePermissions: sameEntries(old?.deletePermissions, parts.deletePermissions) ?? sorted(parts.deletePermissions),
  }
  const keys = Object.keys(now) as (keyof ResolvedTable)[]
  return old && keys.every((key) => old[key] === now[key]) ? old : now
}

function servesAlias({ roots }: ModelDraft, { id, graphql: { alias, naming } }: TableNode): boolean {
  const owner = alias && roots.query.get(rootKey(naming, alias.name))
  return owner?.kind === 'select_one' && owner.table === id
}

function sameItems<T>(old: readonly T[] | undefined, now: readonly T[]): readonly T[] | null {
  return old && old.length === now.length && old.every((item, i) => item === now[i]) ? old : null
}

function sameEntries<T>(
  old: ReadonlyMap<string, T> | undefined,
  now: ReadonlyMap<string, T>,
): ReadonlyMap<string, T> | null {
  return old && old.size === now.size && [...old].every(([key, value]) => now.get(key) === value) ? old : null
}

/** By name, so that the order does not depend on the history. Most are empty, and 5,000 tables have seven each. */
function sorted<T>(map: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  if (map.size === 0) return empty
  return new Map([...map].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const empty: ReadonlyMap<string, never> = new Map<string, never>()
