/**
 * What a model is made of, in layers: each reads those above it and the database, so one pass is enough. A new kind of
 * object adds its part here (docs/model.md).
 */
import { findObject, type MetadataDocument, type ObjectAddress, type ObjectType } from '@svc/schema'
import type { LongWork } from '../../long-work.ts'
import { partReadKey, type ReadKey } from '../graph.ts'
import type { Model } from '../model.ts'
import { objectId } from '../table-id.ts'
import { assembleTables } from '../update/assemble-tables.ts'
import type { Changes } from '../update/find-changes.ts'
import type { ModelDraft } from '../update/model-draft.ts'
import { actionPart, actionPermissionPart } from './action/action-part.ts'
import { customTypesPart } from './action/custom-types-part.ts'
import { computedFieldPart } from './computed-field/computed-field-part.ts'
import { cronTriggerPart } from './cron-trigger/cron-trigger-part.ts'
import { eventTriggerPart } from './event-trigger/event-trigger-part.ts'
import { assembleFunctions } from './function/assemble-functions.ts'
import { functionPart } from './function/function-part.ts'
import { functionPermissionPart } from './function/function-permission-part.ts'
import { updateInheritedRoles } from './inherited-role/update-inherited-roles.ts'
import { logicalModelPart } from './logical-model/logical-model-part.ts'
import { logicalPermissionPart } from './logical-model/logical-permission-part.ts'
import { assembleRows } from './native-query/assemble-rows.ts'
import { nativeQueryPart } from './native-query/native-query-part.ts'
import { serveNativeQueries } from './native-query/serve-native-queries.ts'
import { opentelemetryPart } from './opentelemetry/opentelemetry-part.ts'
import type { KindFacts, Part } from './part.ts'
import {
  deletePermissionPart,
  insertPermissionPart,
  selectPermissionPart,
  updatePermissionPart,
} from './permission/permission-parts.ts'
import { arrayRelationPart, objectRelationPart } from './relationship/relationship-parts.ts'
import { remoteRelationshipPart } from './remote-relationship/remote-relationship-part.ts'
import { typeRelationshipPart } from './remote-relationship/type-relationship-part.ts'
import { announceRemotes } from './remote-schema/announce-remotes.ts'
import { remotePermissionPart } from './remote-schema/remote-permission-part.ts'
import { remoteSchemaPart } from './remote-schema/remote-schema-part.ts'
import { updateRestEndpoints } from './rest-endpoint/update-rest-endpoints.ts'
import { updateSources } from './source/update-sources.ts'
import { serveStoredProcedures, storedProcedurePart } from './stored-procedure/stored-procedure-part.ts'
import { tableFacts } from './table/table-facts.ts'
import { updateTables } from './table/update-tables.ts'
import { updatePart } from './update-part.ts'

interface Layer extends KindFacts {
  readonly type?: ObjectType
  /** Null: it is done at once. */
  update(draft: ModelDraft, changes: Changes, previous: Model | null): LongWork<void> | null
}

const layer = (update: (...args: Parameters<Layer['update']>) => void): Layer => ({
  update: (...args) => {
    update(...args)
    return null
  },
})
const part = <V, T extends ObjectType>(of: Part<V, T>): Layer => ({
  type: of.type,
  readKeys: of.readKeys ?? ((at) => [partReadKey(of.key, objectId(at))]),
  ...(of.dependentText && { dependentText: of.dependentText }),
  ...(of.isCascaded && { isCascaded: of.isCascaded }),
  ...(of.rename && { rename: of.rename }),
  ...(of.namesTables && { namesTables: of.namesTables }),
  update: (draft, changes) => updatePart(draft, changes, of),
})

export const layers: readonly Layer[] = [
  layer(updateSources),
  { ...tableFacts, type: 'table', update: updateTables },
  part(objectRelationPart),
  part(arrayRelationPart),
  part(computedFieldPart),
  part(eventTriggerPart),
  part(selectPermissionPart),
  part(insertPermissionPart),
  part(updatePermissionPart),
  part(deletePermissionPart),
  { type: 'inherited_role', dependentText: ({ own }) => `role ${own}`, ...layer(updateInheritedRoles) },
  part(functionPart),
  part(functionPermissionPart),
  layer(assembleFunctions),
  { update: assembleTables },
  part(logicalModelPart),
  part(logicalPermissionPart),
  part(nativeQueryPart),
  layer(serveNativeQueries),
  part(storedProcedurePart),
  layer(serveStoredProcedures),
  layer(assembleRows),
  part(customTypesPart),
  part(actionPart),
  part(actionPermissionPart),
  part(cronTriggerPart),
  part(opentelemetryPart),
  layer(announceRemotes),
  part(remoteSchemaPart),
  part(remotePermissionPart),
  part(remoteRelationshipPart),
  part(typeRelationshipPart),
  // what leads to remote schemas is known only now
  { update: assembleTables },
  layer(updateRestEndpoints),
]

/** Of two objects of different kinds that want a name, that of the earlier layer has it. */
export const precedence: ReadonlyMap<ObjectType, number> = new Map(
  layers.flatMap(({ type }, i) => (type ? [[type, i] as const] : [])),
)

/** What the dependents of an object read of it. */
export function readKeysOf(document: MetadataDocument, at: ObjectAddress): readonly ReadKey[] {
  const object = findObject(document, at)
  return (object && factsOf(at.type).readKeys?.(at, object)) ?? []
}

/** What is said of a kind of object; of one that the model has nothing of, nothing. */
export const factsOf = (type: ObjectType): KindFacts => layers.find((one) => one.type === type) ?? {}

/** Kinds whose objects may name tables that they do not stand below. */
export const typesNamingTables: readonly (readonly [ObjectType, 'of-its-source' | 'of-all-sources'])[] = layers.flatMap(
  ({ type, namesTables }) => (type && namesTables ? [[type, namesTables] as const] : []),
)
