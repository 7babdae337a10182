import { isRecord, recordsIn, writeDeclared } from '@svc/schema'
import { ClientError, type Envelope, type MetadataClient } from '../client/index.ts'
import type { Plan, PlannedChange } from './plan.ts'

export interface InconsistentObject {
  readonly type: string
  readonly name: string
  readonly reason: string
}

export interface ObjectResult {
  readonly change: PlannedChange
  readonly verdict: 'ok' | 'error' | 'not-applied'
  readonly error?: string
}

export interface Applied {
  /** False: nothing was stored. */
  readonly stored: boolean
  readonly results: readonly ObjectResult[]
  /** What the engine calls inconsistent, in its words. */
  readonly inconsistent: readonly InconsistentObject[]
  /** What to say in addition when nothing was stored. */
  readonly error?: string
  /** After the request; null from an engine that does not say. */
  readonly resourceVersion: number | null
}

export interface ApplyOptions {
  /** The version the plan was made from: a change by another client in between is a conflict. */
  readonly resourceVersion: number
  readonly allowInconsistent: boolean
}

/** The one request that applies a plan, and which change each of its members belongs to. */
export interface PlanRequest {
  readonly envelope: Envelope
  /** Null: the request replaces the document as a whole. */
  readonly members: readonly PlannedChange[] | null
}

/**
 * Returns the request of a plan: an atomic bulk of the differing objects; or, where a part has no operation or
 * inconsistency is wanted, a replacement of the whole document. Either is stored whole or not at all.
 */
export function planRequest(plan: Plan, { resourceVersion, allowInconsistent }: ApplyOptions): PlanRequest {
  if (allowInconsistent || plan.changes.some(({ operations }) => operations === null))
    return {
      envelope: {
        type: 'replace_metadata',
        version: 2,
        args: { allow_inconsistent_metadata: allowInconsistent, metadata: writeDeclared(plan.wanted) },
        resource_version: resourceVersion,
      },
      members: null,
    }
  const members = plan.changes.flatMap((change) =>
    (change.operations ?? []).map((operation) => ({ change, operation })),
  )
  return {
    envelope: {
      type: 'bulk_atomic',
      args: members.map(({ operation: { type, args } }) => ({ type, args })),
      resource_version: resourceVersion,
    },
    members: members.map(({ change }) => change),
  }
}

/**
 * Applies a plan in one request. A refusal by the engine is a result; throws ClientError for what is none: no answer,
 * no admission, a conflict.
 */
export async function applyPlan(client: MetadataClient, plan: Plan, options: ApplyOptions): Promise<Applied> {
  const request = planRequest(plan, options)
  try {
    const { body, resourceVersion } = await client.send(request.envelope)
    const inconsistent = isRecord(body) ? inconsistentObjects(body.inconsistent_objects) : []
    return {
      stored: true,
      results: plan.changes.map((change) => ({ change, verdict: 'ok' })),
      inconsistent,
      resourceVersion,
    }
  } catch (error) {
    if (!(error instanceof ClientError) || error.problem !== 'refused' || !error.body) throw error
    const inconsistent = inconsistentObjects(error.body.internal)
    return {
      stored: false,
      results: explainRefusal(plan, request, error.body.path, error.body.error, inconsistent),
      inconsistent,
      error: `${error.body.error} (${error.body.code} at ${error.body.path})`,
      resourceVersion: null,
    }
  }
}

/**
 * Returns the results of a refused request: the member whose path is named and the objects that would be inconsistent
 * are at fault.
 */
export function explainRefusal(
  plan: Plan,
  { members }: PlanRequest,
  path: string,
  error: string,
  inconsistent: readonly InconsistentObject[],
): readonly ObjectResult[] {
  const index = /^\$\.args\[(\d+)\]/.exec(path)?.[1]
  const member = index === undefined ? undefined : members?.[Number(index)]
  const reasons = new Map(inconsistent.map(({ name, reason }) => [name, reason]))
  return plan.changes.map((change) => {
    const reason = change === member ? error : reasons.get(engineName(change))
    return reason === undefined ? { change, verdict: 'not-applied' } : { change, verdict: 'error', error: reason }
  })
}

/**
 * The engine's lists of inconsistent objects call relationships by a shorter type
 * (reference/metadata-document#inconsistent-objects).
 */
const engineName = ({ name }: PlannedChange) => name.name.replace(/^(object|array)_relationship /, '$1_relation ')

/** Reads the inconsistent objects in an engine's answer. */
export const inconsistentObjects = (json: unknown): readonly InconsistentObject[] =>
  recordsIn(json).map(({ type, name, reason, message }) => ({
    type: String(type ?? ''),
    name: String(name ?? ''),
    // "connection error" says nothing of what the database said
    reason: typeof message === 'string' ? `${String(reason ?? '')} (${message})` : String(reason ?? ''),
  }))
