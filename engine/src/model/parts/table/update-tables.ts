import { addressText, childrenOf, findObject, isRecord, type MetadataObject, objectKinds } from '@svc/schema'
import type { LongWork } from '../../../long-work.ts'
import { type TableNode, tableNameReadKey, tableReadKey } from '../../graph.ts'
import { claimAliases, claimNames, releaseNames, stopWaiting, waitFor } from '../../names/claim-table-names.ts'
import { announce } from '../../names/names.ts'
import { forgetScalars, isScalarName, oddScalarsOf, rememberScalars } from '../../names/reserved-names.ts'
import { takenScalar } from '../../names/taken-table-names.ts'
import { namingOf } from '../../naming/source-naming.ts'
import type { TableId } from '../../object-ids.ts'
import { enumsOf } from '../../resolve/enum-table.ts'
import { configurationOf, type GraphqlTable, graphqlTableOf } from '../../resolve/graphql-table.ts'
import { databaseError, ResolutionError } from '../../resolve/resolution-error.ts'
import { shapeOf } from '../../resolve/table-shape.ts'
import { addressOfTable, qualifiedNameOf, quotedTable, tableIdOf } from '../../table-id.ts'
import type { Changes } from '../../update/find-changes.ts'
import { type ModelDraft, partsOf, type TableChange } from '../../update/model-draft.ts'
import { clearFault, recordFault } from '../../update/record-fault.ts'

/**
 * First layer: which tables are served, under which names (reference/metadata-operations#tables,
 * reference/graphql-schema#names-of-tables-and-functions).
 */
export function* updateTables(draft: ModelDraft, changes: Changes): LongWork<void> {
  const { touched } = draft
  const contenders = new Map<TableId, Contender>()
  const moved: GraphqlTable[] = []
  const woken = new Set<TableId>()
  const release = (node: TableNode) => {
    moved.push(node.graphql)
    for (const id of releaseNames(draft, node)) woken.add(id)
  }

  for (const [id, object] of dirtyTables(changes)) {
    yield 1
    const old = draft.graph.nodes.get(id)
    if (old && !old.served) stopWaiting(draft, addressText(old.address), id)
    const now = resolveTable(draft, id, object, old)
    if (now && old?.served && keepsNames(draft, old, now)) keepServing(draft, old, now, touched)
    else if (now) {
      if (old?.served) release(old)
      draft.graph.nodes.set(id, now)
      contenders.set(id, { node: now, old: old?.served ? old : null })
    } else if (old) {
      draft.graph.nodes.delete(id)
      if (!old.served) continue
      release(old)
      retire(draft, id, touched)
    }
  }
  for (const id of woken) {
    const node = draft.graph.nodes.get(id)
    if (!node || node.served || contenders.has(id)) continue
    draft.rebuilt++
    contenders.set(id, { node, old: null })
  }
  for (const contender of yield* inOrder(draft, [...contenders.values()])) {
    contend(draft, contender, touched)
    yield 1
  }
  yield* claimAliases(
    draft,
    [...contenders.values()].map(({ node }) => node),
    moved,
  )
}

function dirtyTables(changes: Changes): ReadonlyMap<TableId, MetadataObject | null> {
  const dirty = new Map<TableId, MetadataObject | null>()
  for (const { address, new: now } of changes.byType.get('table') ?? []) dirty.set(tableIdOf(address), now)
  for (const { address, object } of changes.tables) dirty.set(tableIdOf(address), object)
  return dirty
}

/** The table by itself, or null where it cannot be: then the reason is recorded, unless its source is what is wrong. */
function resolveTable(
  draft: ModelDraft,
  id: TableId,
  object: MetadataObject | null,
  old: TableNode | undefined,
): TableNode | null {
  const address = old?.address ?? addressOfTable(id)
  if (object) draft.rebuilt++
  const source = childrenOf(draft.input.document, 'source').get(address.parent?.own ?? '')
  const state = draft.input.sources.get(String(source?.value.name))
  if (!object || !source || state?.status !== 'ready') {
    clearFault(draft, addressText(address))
    return null
  }
  try {
    const table = state.introspection.tables.get(address.own)
    if (!table) throw missing(object)
    const { types } = state.backend
    const naming = namingOf(source, draft.input.settings.namingConvention ?? null)
    const enums = enumsOf(source, state, address.own, table, naming)
    const shape = shapeOf(id, state.name, table, types, old?.shape, enums)
    const isFederated =
      draft.input.settings.apolloFederation === true && isRecord(object.value.apollo_federation_config)
    const graphql = graphqlTableOf(
      configurationOf(object.value),
      table,
      types,
      old?.graphql,
      naming,
      enums,
      isFederated,
    )
    return { id, address, shape, graphql, served: false }
  } catch (error) {
    if (!(error instanceof ResolutionError)) throw error
    recordFault(draft, address, object, error)
    return null
  }
}

function missing({ value }: MetadataObject): ResolutionError {
  const name = quotedTable(qualifiedNameOf(value.table as MetadataObject['value']))
  return databaseError(`no such table/view exists in source: ${name}`, ['table'])
}

/** No name is another, and no new column is of a scalar that a table is called like. */
const keepsNames = (draft: ModelDraft, old: TableNode, now: TableNode): boolean =>
  sameNames(old.graphql, now.graphql) &&
  (old.graphql.columns === now.graphql.columns || takenScalar(draft, now) === undefined)

const sameNames = (a: GraphqlTable, b: GraphqlTable): boolean =>
  a.naming === b.naming &&
  a.graphqlName === b.graphqlName &&
  a.enumName === b.enumName &&
  a.rootFields === b.rootFields &&
  a.mutationFields === b.mutationFields &&
  a.alias === b.alias

function keepServing(draft: ModelDraft, old: TableNode, now: TableNode, touched: Map<TableId, TableChange>): void {
  draft.graph.nodes.set(now.id, { ...now, served: true })
  if (old.graphql.columns !== now.graphql.columns) {
    forgetScalars(draft, old)
    rememberScalars(draft, now)
  }
  if (old.graphql !== now.graphql) partsOf(draft, now.id)
  noteTouched(draft, old, now, touched)
}

function noteTouched(
  draft: ModelDraft,
  old: TableNode | null,
  now: TableNode,
  touched: Map<TableId, TableChange>,
): void {
  if (!old || old.shape !== now.shape) {
    touched.set(now.id, 'all')
    announce(draft, tableReadKey(now.id))
  } else if (old.graphql.columns !== now.graphql.columns) touched.set(now.id, 'relationships')
}

function retire(draft: ModelDraft, id: TableId, touched: Map<TableId, TableChange>): void {
  draft.tables.delete(id)
  draft.tableParts.delete(id)
  announce(draft, tableReadKey(id))
  touched.set(id, 'silent')
}

interface Contender {
  readonly node: TableNode
  /** As it was served before. */
  readonly old: TableNode | null
}

/**
 * Tables that were served before come first, then the order of the document: so it does not matter which claims first.
 * A table that is named like a scalar comes last: only it is inconsistent where other tables have columns of that
 * scalar.
 */
function* inOrder(draft: ModelDraft, contenders: readonly Contender[]): LongWork<readonly Contender[]> {
  if (contenders.length < 2) return contenders
  const scalars = new Set<string>()
  for (const [i, { node }] of contenders.entries()) {
    for (const name of oddScalarsOf(node)) scalars.add(name)
    if (i % piece === 0) yield piece
  }
  const sorted: { readonly contender: Contender; readonly sort: string }[] = []
  for (const [i, contender] of contenders.entries()) {
    sorted.push({ contender, sort: documentOrder(draft, contender, scalars) })
    if (i % piece === 0) yield piece
  }
  sorted.sort((a, b) => (a.sort < b.sort ? -1 : 1))
  yield piece
  return sorted.map(({ contender }) => contender)
}

/** Tables that are put in order between two yields. */
const piece = 32

/** No name in a database has the character between the parts, which sorts before all others. */
function documentOrder(draft: ModelDraft, { node, old }: Contender, scalars: ReadonlySet<string>): string {
  const source = node.address.parent && findObject(draft.input.document, node.address.parent)
  const { schema, name } = node.shape.table
  const called = node.graphql.graphqlName ?? ''
  const isLast = scalars.has(called) || isScalarName(called, node.shape.types)
  const parts = [old ? '0' : '1', isLast ? '1' : '0', ...(source ? objectKinds.source.sort(source.value) : [])]
  return [...parts, schema, name].join('\0')
}

function contend(draft: ModelDraft, { node, old }: Contender, touched: Map<TableId, TableChange>): void {
  const error = claimNames(draft, node)
  if (!error) {
    clearFault(draft, addressText(node.address))
    draft.graph.nodes.set(node.id, { ...node, served: true })
    partsOf(draft, node.id)
    noteTouched(draft, old, node, touched)
    // the types of its computed fields' arguments are named after it
    if (old && old.graphql.graphqlName !== node.graphql.graphqlName) announce(draft, tableNameReadKey(node.id))
    return
  }
  const object = findObject(draft.input.document, node.address)
  if (object) recordFault(draft, node.address, object, error)
  waitFor(draft, node.id, error)
  if (old) retire(draft, node.id, touched)
}
