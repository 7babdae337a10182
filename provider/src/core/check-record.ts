import { type Json, recordOf, recordsIn } from '@svc/schema'
import { ClientError, type Verdict, verdictOf } from '../client/index.ts'
import { hasUnknown, InvalidValue, type RecordKind, storedValue } from '../resources/index.ts'
import { errorOf, warningOf } from './diagnostic.ts'
import type { EngineSession } from './engine-session.ts'
import { explainClientError } from './explain-client-error.ts'
import { explainRefusal } from './explain-refusal.ts'
import type { Diagnostic, PlanRequest, PlanResult } from './provider.ts'
import { findRecord, recordId } from './record-values.ts'
import { withWriteOnly } from './wanted-object.ts'

/** Returns what the engine says of a plan for a record, and what an apply means for one that has served its purpose. */
export async function checkRecord(
  session: EngineSession,
  kind: RecordKind,
  { prior, proposed, config }: PlanRequest,
  { planned }: PlanResult,
): Promise<readonly Diagnostic[]> {
  const { previewChecks } = session.settings
  if (previewChecks === 'off' || planned === prior || hasUnknownInputs(kind, planned)) return []
  try {
    const found = await check(session, kind, prior, planned && withWriteOnly(kind, planned, config ?? proposed))
    return previewChecks === 'warn' ? found.map((one) => ({ ...one, severity: 'warning' })) : found
  } catch (error) {
    if (error instanceof InvalidValue) return [] // a state of another shape: applying it will say so
    if (!(error instanceof ClientError)) throw error
    const { summary, detail } = explainClientError(error, session.reader.endpoint)
    const report = previewChecks === 'lenient' || previewChecks === 'warn' ? warningOf : errorOf
    return [report(`the plan of this ${kind.kind} is not checked by the engine: ${summary}`, detail)]
  }
}

const hasUnknownInputs = ({ fields }: RecordKind, planned: PlanResult['planned']): boolean =>
  planned !== null && fields.some(({ name }) => hasUnknown(planned[name]))

async function check(
  { reader, spelling }: EngineSession,
  kind: RecordKind,
  prior: PlanRequest['prior'],
  planned: PlanResult['planned'],
): Promise<readonly Diagnostic[]> {
  const id = recordId(prior)
  const now = planned && storedValue(kind, planned, spelling)
  if (now && planned && kind.store.check) {
    const { body } = await reader.send({ ...kind.store.check(now), dry_run: true })
    const refusal = refusalIn(body)
    if (refusal) return [explainRefusal(kind, planned, refusal.error, refusal.at)]
  }
  const old = id === null ? null : await findRecord(reader, kind, id)
  const remarks = kind.store.remarks?.({ old, now, time: Date.now() }) ?? []
  const name = id === null ? kind.kind : `${kind.kind} ${id}`
  return remarks.length === 0 ? [] : [warningOf(`${name}: what is sent stays sent`, remarks.join('\n'))]
}

/** Of the dry run of one operation. */
function refusalIn(body: Json): Extract<Verdict, { kind: 'error' }> | null {
  const [result] = recordsIn(recordOf(body).results)
  const verdict = result && verdictOf(result)
  return verdict?.kind === 'error' ? verdict : null
}
