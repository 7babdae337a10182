import type { LongWork } from '../../long-work.ts'
import { anyDeclaredReadKey, declaredReadKey, sourceKindsReadKey } from '../graph.ts'
import { announce } from '../names/names.ts'
import { objectId } from '../table-id.ts'
import type { Changes } from './find-changes.ts'
import type { ModelDraft } from './model-draft.ts'

/** Says to their readers what came and went in the document, and what databases have otherwise. */
export function* announceChanges(draft: ModelDraft, { byType, database }: Changes): LongWork<void> {
  if (draft.graph.readers.isEmpty()) return
  for (const key of database) announce(draft, key)
  if (byType.get('source')?.some(({ change }) => change !== 'update')) announce(draft, sourceKindsReadKey)
  for (const [type, changes] of byType) {
    if (!draft.graph.readers.has(anyDeclaredReadKey(type))) continue
    for (const { change, address } of changes) {
      if (change === 'update') continue
      announce(draft, declaredReadKey(type, objectId(address)))
      yield 1
    }
  }
}
