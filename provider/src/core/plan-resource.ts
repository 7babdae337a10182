import { FORCE_DESTROY, hasUnknown, InvalidValue, type JsonSpelling, type ResourceKind } from '../resources/index.ts'
import type { EngineSession } from './engine-session.ts'
import type { Intent } from './preview.ts'
import type { Diagnostic, PlanRequest, PlanResult } from './provider.ts'
import { settle } from './settle.ts'
import { validateInputs } from './validate-inputs.ts'
import { wantedObject, withWriteOnly } from './wanted-object.ts'

/** What will be, and, without the engine, what is wrong with it. */
export function settlePlan(kind: ResourceKind, request: PlanRequest, spelling: JsonSpelling): PlanResult {
  const { prior, proposed } = request
  if (proposed === null) return { planned: null, replace: [], changed: [], diagnostics: [] }
  const config = request.config ?? proposed
  const settled = settle(kind, prior, config, spelling)
  const diagnostics = settled.planned === prior ? [] : validateInputs(kind, config, spelling)
  return { ...settled, diagnostics }
}

/** What the engine says of a plan that is not wrong by itself, in the severity that is wanted. */
export async function checkPlan(
  session: EngineSession,
  kind: ResourceKind,
  request: PlanRequest,
  plan: PlanResult,
  isAnew: boolean,
): Promise<readonly Diagnostic[]> {
  const { previewChecks } = session.settings
  const intent = previewChecks === 'off' ? null : intentOf(kind, request, plan, session.spelling, isAnew)
  if (!intent) return []
  const diagnostics = await session.preview.judge(intent)
  return previewChecks === 'warn' ? diagnostics.map((one) => ({ ...one, severity: 'warning' })) : diagnostics
}

/** Null: nothing changes, or not all of it is known. */
function intentOf(
  kind: ResourceKind,
  { prior, proposed, config }: PlanRequest,
  { planned, replace }: PlanResult,
  spelling: JsonSpelling,
  isAnew: boolean,
): Intent | null {
  if (planned === prior || hasUnknown(planned ?? undefined)) return null
  try {
    const old = prior && wantedObject(kind, prior, spelling)
    if (planned === null) return old && { kind: 'delete', old, force: prior?.[FORCE_DESTROY] === true }
    const values = withWriteOnly(kind, planned, config ?? proposed)
    if (hasUnknown(values)) return null
    const wanted = wantedObject(kind, values, spelling)
    if (!old) return { kind: 'create', wanted, replaces: isAnew }
    return replace.length > 0 ? { kind: 'replace', old, wanted } : { kind: 'update', wanted }
  } catch (error) {
    if (error instanceof InvalidValue) return null // a state of another shape: applying it will tell
    throw error
  }
}
