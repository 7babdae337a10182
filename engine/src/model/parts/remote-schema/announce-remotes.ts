import { remoteReadKey } from '../../graph.ts'
import type { Model } from '../../model.ts'
import { announce } from '../../names/names.ts'
import type { Changes } from '../../update/find-changes.ts'
import type { ModelDraft } from '../../update/model-draft.ts'

/** Remote schemas whose state is another one than before are resolved again. */
export function announceRemotes(draft: ModelDraft, _: Changes, previous: Model | null): void {
  const before = previous?.input.remotes
  const now = draft.input.remotes
  if (before === now) return
  for (const name of new Set([...(before?.keys() ?? []), ...(now?.keys() ?? [])]))
    if (before?.get(name) !== now?.get(name)) announce(draft, remoteReadKey(name))
}
