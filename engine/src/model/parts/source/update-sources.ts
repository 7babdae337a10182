import { address, addressText, ownKeyOf } from '@svc/schema'
import type { UnavailableSource } from '../../../sources/index.ts'
import { ResolutionError } from '../../resolve/resolution-error.ts'
import type { Changes } from '../../update/find-changes.ts'
import type { ModelDraft } from '../../update/model-draft.ts'
import { clearFault, recordFault } from '../../update/record-fault.ts'

/**
 * An unreachable source is reported itself; what hangs below it is silently absent
 * (reference/metadata-document#inconsistent-objects).
 */
export function updateSources(draft: ModelDraft, changes: Changes): void {
  for (const { change, address: at } of changes.byType.get('source') ?? [])
    if (change === 'delete') clearFault(draft, addressText(at))
  for (const source of changes.sources) {
    const at = address('source', ownKeyOf('source', source.value))
    const state = draft.input.sources.get(String(source.value.name))
    draft.rebuilt++
    if (state?.status === 'ready') clearFault(draft, addressText(at))
    else recordFault(draft, at, source, sourceError(state))
  }
}

function sourceError(state: UnavailableSource | undefined): ResolutionError {
  if (!state)
    return new ResolutionError('connection error', { cause: 'database', message: 'the source has not been connected' })
  return new ResolutionError(state.reason.replace(/^Inconsistent object: /, ''), {
    cause: 'database',
    message: state.message,
  })
}
