import { writeMetadata } from '@svc/schema'
import type { Envelope, MetadataClient } from '../client/index.ts'
import type { Plan, PlannedChange } from './plan.ts'

export interface StepProgress {
  readonly change: PlannedChange
  /** Counted from 1. */
  readonly step: number
  readonly steps: number
}

/**
 * Applies a plan object by object: one request each, an update as one atomic step. What no operation can say comes
 * last, as one replacement of the document. Stops at the first refusal with its ClientError: what was done stays.
 */
export async function applySteps(
  client: MetadataClient,
  plan: Plan,
  onProgress: (progress: StepProgress) => void = () => {},
): Promise<void> {
  const steps = plan.changes.filter(({ operations }) => operations === null || operations.length > 0)
  const tell = (change: PlannedChange, i: number) => onProgress({ change, step: i + 1, steps: steps.length })
  const [alone, together] = [
    steps.filter(({ operations }) => operations),
    steps.filter(({ operations }) => !operations),
  ]
  for (const [i, change] of alone.entries()) {
    await client.send(envelopeOf(change.operations ?? []))
    tell(change, i)
  }
  if (together.length === 0) return
  await client.send({ type: 'replace_metadata', version: 2, args: { metadata: writeMetadata(plan.wanted) } })
  for (const [i, change] of together.entries()) tell(change, alone.length + i)
}

function envelopeOf(operations: readonly Envelope[]): Envelope {
  const [only] = operations
  if (only && operations.length === 1) return only
  return { type: 'bulk_atomic', args: operations.map(({ type, args }) => ({ type, args })) }
}
