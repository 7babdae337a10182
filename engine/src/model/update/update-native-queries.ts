import {
  address,
  addressText,
  childrenOf,
  equalJson,
  isRecord,
  type LogicalModelSelectPermission,
  type MetadataObject,
  type NativeQuery,
  type ObjectAddress,
  objectKinds,
} from '@svc/schema'
import type { ReadySource } from '../../sources/index.ts'
import type { ReadKey } from '../graph.ts'
import { tableReadKey } from '../graph.ts'
import type { NestedRows, ResolvedRelationship, ResolvedSelectPermission, ResolvedTable, TableId } from '../model.ts'
import { defaultNaming } from '../naming/source-naming.ts'
import { type LogicalNode, type LogicalSurroundings, logicalShape } from '../native/logical-shape.ts'
import { inlinePermissions, permissionOf } from '../native/native-permissions.ts'
import { nativeRelationships } from '../native/native-relationships.ts'
import { type NativeNode, resolveNativeQuery } from '../native/resolve-native-query.ts'
import { Flaw } from '../resolve/flaw.ts'
import { addressOfTable } from '../table-id.ts'
import { type Draft, draftLookup } from './draft.ts'
import type { Changes } from './find-changes.ts'
import { claimType, refuseTakenNames, type TypeClaims } from './native-names.ts'
import { clearFault, recordFault } from './record-fault.ts'
import { noReads, recordReads } from './record-reads.ts'

/**
 * Last of all: logical models and native queries (spec 01 §2.15, spec 02 §6.5). Like functions they are few, and all are
 * looked at when anything changed that any of them rests on. Tables and functions come first for a name. A logical model
 * is served as long as a native query returns it, with the relationships that any of these declares.
 */
export function updateNativeQueries(draft: Draft, changes: Changes): void {
  if (!concerned(draft, changes)) return
  for (const { change, address: at } of changes.objects) if (change === 'delete' && isOurs(at)) forget(draft, at)
  const before = new Map([...draft.tables].filter(([, { isLogicalModel }]) => isLogicalModel))
  for (const id of before.keys()) draft.tables.delete(id)
  const old = new Map(draft.nativeQueries)
  draft.nativeQueries.clear()
  const types = new Map<string, ObjectAddress>()
  for (const [own, source] of inOrder('source', draft.input.document)) {
    const state = draft.input.sources.get(String(source.value.name))
    if (state?.status === 'ready') serveSource(draft, { own, source, state, types })
    else forgetSource(draft, own, source)
  }
  for (const [name, query] of draft.nativeQueries) {
    const known = old.get(name)
    if (known && equalJson(known, query)) draft.nativeQueries.set(name, known)
  }
  for (const [id, table] of [...draft.tables]) {
    const known = before.get(id)
    if (known && table.isLogicalModel && sameTable(known, table)) draft.tables.set(id, known)
  }
}

const types = ['logical_model', 'logical_model_select_permission', 'native_query'] as const
const isOurs = ({ type }: ObjectAddress): boolean => types.some((one) => one === type)

function concerned(draft: Draft, changes: Changes): boolean {
  if (changes.objects.some(({ address: at }) => isOurs(at))) return true
  const isAny = [...childrenOf(draft.input.document, 'source').values()].some(
    (source) => !childrenOf(source, 'native_query').isEmpty() || !childrenOf(source, 'logical_model').isEmpty(),
  )
  if (!isAny) return false
  if (changes.sources.length > 0 || draft.rootFields.wasAltered() || draft.functionFields.wasAltered()) return true
  const { typeNames, oddScalars, argumentTypes } = draft.graph
  if (typeNames.wasAltered() || oddScalars.wasAltered() || argumentTypes.wasAltered()) return true
  return [...draft.changed].some((read) => draft.graph.readers.get(read)?.some(isOurs) ?? false)
}

interface Place {
  readonly own: string
  readonly source: MetadataObject
  readonly state: ReadySource
  /** Type names that logical models have so far. */
  readonly types: TypeClaims
}

function inOrder(
  type: 'source' | 'logical_model' | 'native_query',
  node: Parameters<typeof childrenOf>[0],
): readonly (readonly [string, MetadataObject])[] {
  const { sort } = objectKinds[type]
  return [...childrenOf(node, type)].sort(([, a], [, b]) =>
    sort(a.value).join('/') < sort(b.value).join('/') ? -1 : 1,
  )
}

interface Query {
  readonly at: ObjectAddress
  readonly object: MetadataObject
  readonly node: NativeNode
}

function serveSource(draft: Draft, place: Place): void {
  const { own, source } = place
  const around: LogicalSurroundings = {
    source: String(source.value.name),
    sourceOwn: own,
    types: place.state.backend.types,
    typeOf: (name) => place.state.queries.types.get(name) ?? null,
    isDeclared: (name) => [...childrenOf(source, 'logical_model').values()].some(({ value }) => value.name === name),
  }
  const models = new Map<string, LogicalNode>()
  const permissions = new Map<TableId, ReadonlyMap<string, ResolvedSelectPermission>>()
  for (const [ownModel, object] of inOrder('logical_model', source)) {
    const at = address('logical_model', ownModel, address('source', own))
    draft.rebuilt++
    const node = attempt(draft, at, object, () => {
      const name = String(object.value.name)
      claimType(draft, place.types, around.types, name, at, ['name'])
      return logicalShape(`${own}//model/${ownModel}`, name, object.value, around)
    })
    if (node) models.set(node.name, node)
    const below = childrenOf(object, 'logical_model_select_permission')
    if (node) permissions.set(node.id, permissionsOf(draft, at, [...below], node))
    else for (const [ownRole] of below) forget(draft, address('logical_model_select_permission', ownRole, at))
  }
  let queries: readonly Query[] = inOrder('native_query', source).flatMap(([ownQuery, object]) => {
    const at = address('native_query', ownQuery, address('source', own))
    draft.rebuilt++
    const node = attempt(draft, at, object, () => {
      const told = draft.input.settings.ignoreNativeQueryVerdicts
        ? undefined
        : place.state.queries.checked.get(ownQuery)?.verdict
      const verdict = told ?? ({ status: 'unchecked' } as const)
      const found = resolveNativeQuery(object, { ...around, own: ownQuery, model: (name) => models.get(name), verdict })
      refuseTakenNames(draft, place.types, around.types, found, at)
      if (isRecord(object.value.returns)) permissions.set(found.rows.id, inlinePermissions(object.value.returns, found))
      return found
    })
    return node ? [{ at, object, node }] : []
  })
  const relationships = new Map<TableId, Map<string, ResolvedRelationship>>()
  // one that falls takes those along that lead to it
  for (let isSettled = false; !isSettled; ) {
    relationships.clear()
    const left = queries.filter((query) => relate(draft, own, query, queries, relationships))
    isSettled = left.length === queries.length
    queries = left
  }
  const serve = (rows: LogicalNode) => {
    const { id, nested } = rows
    if (draft.tables.has(id)) return
    const targets = [...nested].flatMap(([name, { model, ...one }]): NestedRows[] => {
      const target = models.get(model)
      return target ? [{ name, ...one, target: target.id }] : []
    })
    draft.tables.set(
      id,
      tableOf(rows, targets, around.source, relationships.get(id) ?? new Map(), permissions.get(id) ?? new Map()),
    )
    for (const { model } of nested.values()) {
      const target = models.get(model)
      if (target) serve(target)
    }
  }
  for (const { node } of queries) {
    draft.nativeQueries.set(node.query.name, node.query)
    serve(node.rows)
  }
}

function attempt<T>(draft: Draft, at: ObjectAddress, object: MetadataObject, resolve: () => T): T | null {
  try {
    const found = resolve()
    clearFault(draft, addressText(at))
    return found
  } catch (error) {
    if (!(error instanceof Flaw)) throw error
    const kind = object.type.replaceAll('_', ' ')
    const name = String(object.value.name ?? object.value.root_field_name)
    const text = error.detail.bare ? error.message : `in ${kind} "${name}": ${error.message}`
    recordFault(draft, at, object, new Flaw(text, error.detail))
    recordReads(draft, at, noReads)
    return null
  }
}

function permissionsOf(
  draft: Draft,
  above: ObjectAddress,
  below: readonly (readonly [string, MetadataObject])[],
  node: LogicalNode,
): ReadonlyMap<string, ResolvedSelectPermission> {
  const found = new Map<string, ResolvedSelectPermission>()
  for (const [own, object] of below) {
    const at = address('logical_model_select_permission', own, above)
    try {
      found.set(String(object.value.role), permissionOf(object.value as unknown as LogicalModelSelectPermission, node))
      clearFault(draft, addressText(at))
    } catch (error) {
      if (!(error instanceof Flaw)) throw error
      recordFault(draft, at, object, error)
    }
  }
  return found
}

/** Adds a query's relationships to those of its rows. False where they cannot be. */
function relate(
  draft: Draft,
  own: string,
  { at, object, node }: Query,
  queries: readonly Query[],
  relationships: Map<TableId, Map<string, ResolvedRelationship>>,
): boolean {
  const reads = new Set<ReadKey>()
  const found = attempt(draft, at, object, () => {
    const declared = nativeRelationships(object.value as unknown as NativeQuery, node.rows, {
      sourceOwn: own,
      table(id) {
        reads.add(tableReadKey(id))
        return draftLookup(draft).shape(id)
      },
      query: (name) => queries.find((one) => one.node.query.name === name)?.node,
    })
    const known = relationships.get(node.rows.id)
    for (const [name, relationship] of declared)
      if (known?.has(name) && !equalJson(known.get(name), relationship))
        throw new Flaw(
          `the rows have a relationship "${name}" already, which another native query declares otherwise`,
          {
            cause: 'clash',
            at: [`${relationship.kind}_relationships`],
          },
        )
    return declared
  })
  recordReads(draft, at, reads)
  if (!found) return false
  relationships.set(node.rows.id, new Map([...(relationships.get(node.rows.id) ?? []), ...found]))
  return true
}

/** Nothing writes to what a query gives. */
const noPermissions: ReadonlyMap<string, never> = new Map<string, never>()

function tableOf(
  { id, name, description, columns, shape }: LogicalNode,
  nested: readonly NestedRows[],
  source: string,
  relationships: ReadonlyMap<string, ResolvedRelationship>,
  selectPermissions: ReadonlyMap<string, ResolvedSelectPermission>,
): ResolvedTable {
  const byColumn = new Map(columns.map((column) => [column.name, column]))
  return {
    id,
    source,
    table: shape.table,
    address: addressOfTable(id),
    naming: defaultNaming,
    baseName: { custom: name },
    graphqlName: name,
    description,
    isEntity: false,
    isLogicalModel: true,
    ...(nested.length > 0 && { nestedRows: new Map(nested.map((one) => [one.name, one])) }),
    columns,
    columnsByField: byColumn,
    columnsByName: byColumn,
    primaryKey: null,
    rootFields: [],
    mutationFields: [],
    uniqueKeys: [],
    streamField: null,
    relationships,
    computedFields: new Map(),
    selectPermissions,
    insertPermissions: noPermissions,
    updatePermissions: noPermissions,
    deletePermissions: noPermissions,
  }
}

/** Maps and sets as plain data. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, part: unknown) => (part instanceof Map || part instanceof Set ? [...part] : part)),
  )

const sameTable = (a: ResolvedTable, b: ResolvedTable): boolean => equalJson(plain(a), plain(b))

function forgetSource(draft: Draft, own: string, source: MetadataObject): void {
  const above = address('source', own)
  for (const [ownModel, model] of childrenOf(source, 'logical_model')) {
    const at = address('logical_model', ownModel, above)
    forget(draft, at)
    for (const [role] of childrenOf(model, 'logical_model_select_permission'))
      forget(draft, address('logical_model_select_permission', role, at))
  }
  for (const [ownQuery] of childrenOf(source, 'native_query')) forget(draft, address('native_query', ownQuery, above))
}

function forget(draft: Draft, at: ObjectAddress): void {
  clearFault(draft, addressText(at))
  recordReads(draft, at, noReads)
}
