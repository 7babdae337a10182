import type { Model, ModelInput } from './model.ts'
import { assembleTables } from './update/assemble-tables.ts'
import { countRoles } from './update/count-roles.ts'
import { finishDraft, startDraft } from './update/draft.ts'
import { findChanges } from './update/find-changes.ts'
import { settleStoredQueries } from './update/settle-stored-queries.ts'
import { updateComputedFields } from './update/update-computed-fields.ts'
import { updateFunctions } from './update/update-functions.ts'
import { updateInheritedRoles } from './update/update-inherited-roles.ts'
import { updateNativeQueries } from './update/update-native-queries.ts'
import { updatePermissions } from './update/update-permissions.ts'
import { updateRelationships } from './update/update-relationships.ts'
import { updateRestEndpoints } from './update/update-rest-endpoints.ts'
import { updateSources } from './update/update-sources.ts'
import { updateTables } from './update/update-tables.ts'

/**
 * The model of a document on its sources, made from the previous one by resolving again only what changed and what
 * depends on it (architecture, decision 1). `previous` stays as it is. Never throws: what cannot be resolved becomes
 * an inconsistency and takes what depends on it along (spec 01 §5).
 *
 * The objects are layered, so one pass is enough: tables read the database, relationships read tables,
 * computed fields read both and functions, permissions read all. Each layer is told what changed below it; an object whose new meaning equals the old one keeps its
 * reference and tells nobody.
 */
export function updateModel(previous: Model | null, input: ModelInput): Model {
  const draft = startDraft(previous, input)
  const changes = findChanges(previous, input)
  countRoles(draft, changes.objects)
  updateSources(draft, changes)
  const touched = updateTables(draft, changes)
  updateRelationships(draft, changes, touched)
  updateComputedFields(draft, changes, touched)
  updatePermissions(draft, changes, touched)
  updateInheritedRoles(draft, changes)
  updateFunctions(draft, changes, previous)
  assembleTables(draft)
  updateNativeQueries(draft, changes)
  updateRestEndpoints(draft, previous)
  return settleStoredQueries(finishDraft(draft, previous), previous)
}
