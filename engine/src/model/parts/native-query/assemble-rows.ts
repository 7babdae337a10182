import { childrenOf, equalJson, findObject, type ObjectType } from '@svc/schema'
import { partReadKey } from '../../graph.ts'
import { defaultNaming } from '../../naming/source-naming.ts'
import type { ResolvedSelectPermission } from '../../resolved-permission.ts'
import type { LogicalRows, NestedRows, ResolvedRelationship } from '../../resolved-rows.ts'
import { addressOfTable, objectId } from '../../table-id.ts'
import type { ModelDraft } from '../../update/model-draft.ts'
import { changedValues } from '../change-value.ts'
import { logicalModelPart } from '../logical-model/logical-model-part.ts'
import { logicalPermissionPart } from '../logical-model/logical-permission-part.ts'
import { type LogicalNode, logicalModelAddress, rowsOfModel } from '../logical-model/logical-shape.ts'
import { partValue } from '../values.ts'
import { type ServedQuery, servedQueries } from './serve-native-queries.ts'

/**
 * Native queries, and the types of their rows. A logical model is served as long as a served
 * query reaches it, with the relationships that any query declares for its rows.
 */
export function assembleRows(draft: ModelDraft): void {
  const models = new Set(changedValues(draft, logicalModelPart).keys())
  for (const { at } of changedValues(draft, logicalPermissionPart).values())
    if (at.parent) models.add(objectId(at.parent))
  for (const [id, { old, now }] of changedValues(draft, servedQueries)) {
    if (now) draft.nativeQueries.set(id, now.node.query)
    else draft.nativeQueries.delete(id)
    for (const served of [old, now]) for (const model of served?.node.models ?? []) models.add(model)
    for (const served of [old, now]) if (served && isInPlace(served.node.rows)) serve(draft, served.node.rows.id, null)
    if (now && isInPlace(now.node.rows)) {
      const { rows, permissions } = now.node
      serve(draft, rows.id, rowsTypeOf(draft, rows, now.relationships, permissions))
    }
  }
  for (const id of models) serveModel(draft, id)
}

const isInPlace = ({ id }: LogicalNode): boolean => addressOfTable(id).type === 'native_query'

function serveModel(draft: ModelDraft, id: string): void {
  const node = partValue(draft, logicalModelPart, id)
  const at = modelAddress(id)
  const users = usersOf(draft, id)
  if (!node || users.length === 0) {
    serve(draft, rowsOfModel(at), null)
    return
  }
  const relationships = users.flatMap((user) => (user.node.rows.id === node.id ? [...user.relationships] : []))
  const permissions = new Map<string, ResolvedSelectPermission>()
  const object = findObject(draft.input.document, at)
  for (const own of object ? childrenOf(object, 'logical_model_select_permission').keys() : []) {
    const permission = partValue(draft, logicalPermissionPart, `${id}/${own}`)
    if (permission) permissions.set(permission.role, permission)
  }
  serve(draft, node.id, rowsTypeOf(draft, node, new Map(relationships), permissions))
}

const modelAddress = (id: string) => {
  const end = id.indexOf('/')
  return addressOfTable(`${id.slice(0, end)}//model/${id.slice(end + 1)}`)
}

const servingTypes: readonly ObjectType[] = ['native_query', 'stored_procedure']

/** The served queries that reach a logical model; each has read it. */
function usersOf(draft: ModelDraft, id: string): readonly ServedQuery[] {
  const readers = draft.graph.readers.get(partReadKey(logicalModelPart.key, id))?.values() ?? []
  return [...readers].flatMap((at) =>
    servingTypes.includes(at.type) ? (partValue(draft, servedQueries, objectId(at)) ?? []) : [],
  )
}

/** Null: no longer. One that is the same keeps its reference. */
function serve(draft: ModelDraft, id: string, now: LogicalRows | null): void {
  const old = draft.logicalRows.get(id)
  if (now === null) draft.logicalRows.delete(id)
  else if (!old || !equalJson(plain(old), plain(now))) draft.logicalRows.set(id, now)
}

/** Maps and sets as plain data. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, part: unknown) => (part instanceof Map || part instanceof Set ? [...part] : part)),
  )

function rowsTypeOf(
  draft: ModelDraft,
  { id, name, description, columns, shape, nested }: LogicalNode,
  relationships: ReadonlyMap<string, ResolvedRelationship>,
  selectPermissions: ReadonlyMap<string, ResolvedSelectPermission>,
): LogicalRows {
  const byColumn = new Map(columns.map((column) => [column.name, column]))
  const sourceOwn = id.slice(0, id.indexOf('/'))
  const nestedRows = [...nested].flatMap(([own, { model, ...one }]): NestedRows[] => {
    const target = partValue(draft, logicalModelPart, objectId(logicalModelAddress(sourceOwn, model)))
    return target ? [{ name: own, ...one, target: target.id }] : []
  })
  return {
    kind: 'logical-model',
    id,
    source: shape.source,
    table: shape.table,
    address: addressOfTable(id),
    naming: defaultNaming,
    baseName: { custom: name },
    graphqlName: name,
    description,
    nestedRows: new Map(nestedRows.map((one) => [one.name, one])),
    columns,
    columnsByField: byColumn,
    columnsByName: byColumn,
    primaryKey: null,
    relationships,
    computedFields: new Map(),
    selectPermissions,
  }
}
