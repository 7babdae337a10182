import { finish, type LongWork } from '../long-work.ts'
import type { Model } from './model.ts'
import type { ModelInput } from './model-settings.ts'
import { layers, precedence } from './parts/parts.ts'
import { updateStoredQueries } from './parts/query-collection/update-stored-queries.ts'
import { announceChanges } from './update/announce-changes.ts'
import { countRoles } from './update/count-roles.ts'
import { findChanges } from './update/find-changes.ts'
import { finishDraft, startDraft } from './update/model-draft.ts'

/**
 * The model of a document on its sources, made from the previous one by resolving again only what changed and what
 * depends on it (architecture, decision 1). `previous` is unchanged. Never throws: what cannot be resolved becomes
 * an inconsistency, and so does what depends on it (reference/metadata-document#inconsistent-objects).
 *
 * The objects are layered, so one pass is enough (parts/parts.ts). Each layer sees what changed in those before it; an
 * object whose new meaning equals the old one keeps its reference and notifies no one.
 */
export const updateModel = (previous: Model | null, input: ModelInput): Model =>
  finish(updateModelInPieces(previous, input))

/** Updates a model in pieces: a first build of 5,000 tables takes more than a second. */
export function* updateModelInPieces(previous: Model | null, input: ModelInput): LongWork<Model> {
  const draft = startDraft(previous, input, precedence)
  const changes = yield* findChanges(previous, input)
  yield* countRoles(draft, changes.byType)
  yield* announceChanges(draft, changes)
  for (const layer of layers) {
    const work = layer.update(draft, changes, previous)
    if (work) yield* work
  }
  return yield* updateStoredQueries(finishDraft(draft, previous), previous)
}
