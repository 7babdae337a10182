import type { Model, ModelInput } from './model.ts'
import { layers, precedence } from './parts/parts.ts'
import { settleStoredQueries } from './parts/query-collection/settle-stored-queries.ts'
import { announceChanges } from './update/announce-changes.ts'
import { countRoles } from './update/count-roles.ts'
import { finishDraft, startDraft } from './update/draft.ts'
import { findChanges } from './update/find-changes.ts'

/**
 * The model of a document on its sources, made from the previous one by resolving again only what changed and what
 * depends on it (architecture, decision 1). `previous` stays as it is. Never throws: what cannot be resolved becomes
 * an inconsistency and takes what depends on it along (reference/metadata-document#inconsistent-objects).
 *
 * The objects are layered, so one pass is enough (parts/parts.ts). Each layer sees what changed in those before it; an
 * object whose new meaning equals the old one keeps its reference and tells nobody.
 */
export function updateModel(previous: Model | null, input: ModelInput): Model {
  const draft = startDraft(previous, input, precedence)
  const changes = findChanges(previous, input)
  countRoles(draft, changes.objects)
  announceChanges(draft, changes)
  for (const layer of layers) layer.update(draft, changes, previous)
  return settleStoredQueries(finishDraft(draft, previous), previous)
}
