import { isRecord, type JsonObject, recordOf, recordsIn } from '@svc/schema'
import { ClientError, type MetadataClient } from '../client/index.ts'
import {
  type ApplyOptions,
  explainRefusal,
  type InconsistentObject,
  inconsistentObjects,
  type ObjectResult,
  planRequest,
} from './apply-plan.ts'
import type { Plan } from './plan.ts'

export interface Verdicts {
  readonly results: readonly ObjectResult[]
  readonly inconsistent: readonly InconsistentObject[]
  /** Why the plan as a whole would be refused. */
  readonly error?: string
  /** What it means for users of the API (docs/preview.md), where that was requested and nothing is refused. */
  readonly preview?: JsonObject
  /** What was left as a draft (docs/drafts.md), where that was requested and nothing is refused. */
  readonly draft?: JsonObject
}

/** What a dry run answers in addition. */
export interface DryRunWishes {
  readonly preview?: boolean
  readonly draft?: boolean
}

/** Has the engine try a plan without storing it (docs/dry-run.md). Throws ClientError. */
export async function dryRunPlan(
  client: MetadataClient,
  plan: Plan,
  options: ApplyOptions,
  dryRun: true | DryRunWishes = true,
): Promise<Verdicts> {
  const request = planRequest(plan, options)
  const { body } = await client.send({ ...request.envelope, dry_run: dryRun })
  if (!isRecord(body) || body.dry_run !== true || !Array.isArray(body.results))
    throw new ClientError(
      'older-engine',
      `the engine at ${client.endpoint} does not know dry runs: it is older than this svc`,
    )
  const refused = recordsIn(body.results).find(({ verdict }) => verdict !== 'ok')
  const inconsistent = inconsistentObjects(body.inconsistent_objects)
  const preview = isRecord(body.preview) ? { preview: body.preview } : {}
  const draft = isRecord(body.draft) ? { draft: body.draft } : {}
  if (!refused)
    return { results: plan.changes.map((change) => ({ change, verdict: 'ok' })), inconsistent, ...preview, ...draft }
  const error = recordOf(refused.error)
  const broken = [...inconsistent, ...inconsistentObjects(error.internal)]
  return {
    results: explainRefusal(plan, request, String(error.path ?? ''), String(error.error ?? ''), broken),
    inconsistent: broken,
    error: `${String(error.error)} (${String(error.code)} at ${String(error.path)})`,
  }
}
