import { writeDeclared } from '@svc/schema'
import { ClientError, type Envelope, type MetadataClient, stepOf } from '../client/index.ts'
import type { Plan, PlannedChange } from './plan.ts'

export interface StepProgress {
  readonly change: PlannedChange
  /** Counted from 1. */
  readonly step: number
  readonly steps: number
}

/**
 * Applies a plan object by object: one request each, an update as one atomic step. A step that is refused by itself (a
 * relationship that goes while a permission still names it) is tried again at the end, as one atomic bulk with all others
 * that were refused; what no operation can say comes last, as one replacement of the document. Throws
 * ClientError for what is refused then, too: what was done remains.
 */
export async function applySteps(
  client: MetadataClient,
  plan: Plan,
  onProgress: (progress: StepProgress) => void = () => {},
): Promise<void> {
  const changes = plan.changes.filter(({ operations }) => operations === null || operations.length > 0)
  let step = 0
  const report = (change: PlannedChange) => onProgress({ change, step: ++step, steps: changes.length })
  const refused: PlannedChange[] = []
  for (const change of changes) {
    if (change.operations === null) continue
    if (await sendAlone(client, change.operations)) report(change)
    else refused.push(change)
  }
  if (refused.length > 0) await client.send(stepOf(refused.flatMap(({ operations }) => operations ?? [])))
  refused.forEach(report)
  const others = changes.filter(({ operations }) => operations === null)
  if (others.length > 0)
    await client.send({ type: 'replace_metadata', version: 2, args: { metadata: writeDeclared(plan.wanted) } })
  others.forEach(report)
}

async function sendAlone(client: MetadataClient, operations: readonly Envelope[]): Promise<boolean> {
  try {
    await client.send(stepOf(operations))
    return true
  } catch (error) {
    if (error instanceof ClientError && error.problem === 'refused') return false
    throw error
  }
}
