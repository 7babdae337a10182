import { childrenOf, findObject, keyedObject, nameText } from '@svc/schema'
import type { Changes } from '../../update/find-changes.ts'
import type { ModelDraft } from '../../update/model-draft.ts'
import { clearFault } from '../../update/record-fault.ts'
import { type RestEndpointProblem, resolveRestEndpoints } from './resolve-rest-endpoints.ts'

/**
 * Endpoints clash with each other and rest on collections: all are read when either changed
 * (reference/stored-queries#rest-endpoints).
 */
export function updateRestEndpoints(draft: ModelDraft, { byType }: Changes): void {
  if (!byType.has('rest_endpoint') && !byType.has('query_collection')) return
  const { document } = draft.input
  const now = resolveRestEndpoints(document)
  for (const key of draft.restEndpoints.problems.keys()) if (!now.problems.has(key)) clearFault(draft, key)
  for (const [key, problem] of now.problems) record(draft, key, problem)
  draft.restEndpoints = now
  draft.rebuilt += childrenOf(document, 'rest_endpoint').size
}

function record(draft: ModelDraft, key: string, { address: at, reason, needs }: RestEndpointProblem): void {
  const { document } = draft.input
  const {
    name = null,
    url = null,
    methods = null,
    definition = null,
    comment = null,
  } = findObject(document, at)?.value ?? {}
  draft.inconsistencies.set(key, {
    reason,
    type: at.type,
    name: nameText(keyedObject(document, at)),
    definition: { definition, url, methods, name, comment },
  })
  draft.faults.set(key, { address: at, cause: needs.length > 0 ? 'metadata' : 'definition', needs, at: [], names: [] })
}
