import { Map as ImmutableMap, OrderedSet as ImmutableOrderedSet } from 'immutable'
import type { LongWork } from '../../long-work.ts'
import { nameReadKey, type TableNode } from '../graph.ts'
import { rootKey } from '../naming/source-naming.ts'
import type { TableId } from '../object-ids.ts'
import type { GraphqlTable } from '../resolve/graphql-table.ts'
import type { ResolutionError } from '../resolve/resolution-error.ts'
import { type ModelDraft, partsOf } from '../update/model-draft.ts'
import { mayBeDerived, ownTypes } from './derived-types.ts'
import { announce, setRootField, setType } from './names.ts'
import { forgetScalars, rememberScalars } from './reserved-names.ts'
import { tableOfField, tableOfMutation, tableOfType } from './table-owners.ts'
import { takenName } from './taken-table-names.ts'

/**
 * Assigns a table its root fields and type names, or returns who has one of them. Names are unique over all sources
 * (reference/graphql-schema#names-of-tables-and-functions); if two tables claim one, the table that has it keeps it
 * (architecture, decision 12).
 */
export function claimNames(draft: ModelDraft, node: TableNode): ResolutionError | null {
  const { graphql, id } = node
  const error = takenName(draft, node)
  if (error) return error
  for (const name of ownTypes(graphql)) {
    setType(draft, name, node.address)
    if (mayBeDerived(name)) draft.graph.likeDerived.set(name, true)
  }
  rememberScalars(draft, node)
  for (const { kind, name } of graphql.rootFields)
    setRootField(draft, 'query', rootKey(graphql.naming, name), { kind, table: id })
  for (const { kind, name } of graphql.mutationFields)
    setRootField(draft, 'mutation', rootKey(graphql.naming, name), { kind, table: id })
  if (graphql.alias) draft.graph.aliases.set(rootKey(graphql.naming, graphql.alias.name), id)
  const { namespace } = graphql.naming
  if (namespace !== null && graphql.rootFields.length > 0)
    changeNamespace(draft, namespace, (draft.namespaces.get(namespace) ?? noTables).add(id))
  return null
}

function changeNamespace(draft: ModelDraft, namespace: string, tables: ImmutableOrderedSet<TableId>): void {
  if (tables.isEmpty()) draft.namespaces.delete(namespace)
  else draft.namespaces.set(namespace, tables)
  announce(draft, nameReadKey(namespace))
}

/** Releases a table's names. Returns the tables that were inconsistent because of it and may try again. */
export function releaseNames(draft: ModelDraft, node: TableNode): readonly TableId[] {
  const { graphql, id } = node
  const { blocked } = draft.graph
  forgetScalars(draft, node)
  for (const name of ownTypes(graphql)) {
    if (tableOfType(draft, name) !== id) continue
    setType(draft, name, null)
    draft.graph.likeDerived.delete(name)
  }
  for (const { name } of [...graphql.rootFields, ...(graphql.alias ? [graphql.alias] : [])]) {
    const key = rootKey(graphql.naming, name)
    if (tableOfField(draft, key)?.table === id) setRootField(draft, 'query', key, null)
    if (draft.graph.aliases.get(key) === id) draft.graph.aliases.delete(key)
  }
  for (const { name } of graphql.mutationFields) {
    const key = rootKey(graphql.naming, name)
    if (tableOfMutation(draft, key) === id) setRootField(draft, 'mutation', key, null)
  }
  leaveNamespace(draft, id, graphql)
  const waiting = [...(blocked.get(id)?.keys() ?? [])]
  blocked.delete(id)
  return waiting
}

function leaveNamespace(draft: ModelDraft, id: TableId, { naming: { namespace } }: GraphqlTable): void {
  const tables = namespace === null ? undefined : draft.namespaces.get(namespace)
  if (namespace === null || !tables?.has(id)) return
  changeNamespace(draft, namespace, tables.delete(id))
}

/**
 * `<n>_one` yields to every other root field of that name (reference/graphql-schema#table-configuration): read
 * once all others are claimed.
 */
export function* claimAliases(
  draft: ModelDraft,
  claimed: readonly TableNode[],
  released: readonly GraphqlTable[],
): LongWork<void> {
  const views = [...claimed.map(({ graphql }) => graphql), ...released]
  const owners = draft.graph.aliases.isEmpty()
    ? []
    : views.flatMap(({ naming, rootFields }) =>
        rootFields.flatMap(({ name }) => draft.graph.aliases.get(rootKey(naming, name)) ?? []),
      )
  for (const id of new Set([...claimed.map((node) => node.id), ...owners])) {
    yield 1
    const node = draft.graph.nodes.get(id)
    if (!node?.served || !node.graphql.alias) continue
    const { naming, alias } = node.graphql
    const key = rootKey(naming, alias.name)
    if (!tableOfField(draft, key)) setRootField(draft, 'query', key, { kind: alias.kind, table: id })
    partsOf(draft, id)
  }
}

/** Remembers the owner of the name, to try again when it is released. */
export function waitFor(draft: ModelDraft, loser: TableId, error: ResolutionError): void {
  const { blocked } = draft.graph
  for (const { own, parent } of error.detail.needs ?? []) {
    const winner = `${parent?.own ?? ''}/${own}`
    if (winner !== loser) blocked.set(winner, (blocked.get(winner) ?? noLosers).set(loser, true))
  }
}

export function stopWaiting(draft: ModelDraft, key: string, loser: TableId): void {
  const { blocked } = draft.graph
  for (const { own, parent } of draft.faults.get(key)?.needs ?? []) {
    const winner = `${parent?.own ?? ''}/${own}`
    const others = blocked.get(winner)?.delete(loser)
    if (others?.isEmpty()) blocked.delete(winner)
    else if (others) blocked.set(winner, others)
  }
}

const noLosers: ImmutableMap<TableId, true> = ImmutableMap()
const noTables: ImmutableOrderedSet<TableId> = ImmutableOrderedSet()
