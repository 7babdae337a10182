import {
  addressOf,
  type CommonKind,
  FORCE_DESTROY,
  hasUnknown,
  InvalidValue,
  identityOf,
  type JsonSpelling,
  type ResourceKind,
  type Values,
} from '../resources/index.ts'
import type { EngineSession } from './engine-session.ts'
import { equalValues } from './normal-form.ts'
import { planValues } from './plan-values.ts'
import type { Intent } from './preview-question.ts'
import type { Diagnostic, PlanRequest, PlanResult } from './provider.ts'
import { validateInputs } from './validate-inputs.ts'
import { type WantedObject, wantedObject, withWriteOnly } from './wanted-object.ts'

/** Returns what a resource will be, and what is wrong with it without a request to the engine. */
export function planWithoutEngine(kind: CommonKind, request: PlanRequest, spelling: JsonSpelling): PlanResult {
  const { prior, proposed } = request
  if (proposed === null) return { planned: null, replace: [], changed: [], diagnostics: [] }
  const config = request.config ?? proposed
  const values = planValues(kind, prior, config, spelling)
  const diagnostics = values.planned === prior ? [] : validateInputs(kind, config, spelling)
  return { ...values, diagnostics }
}

/**
 * Returns what the engine says of a plan that is not wrong by itself, in the severity of `preview_checks`. Throws
 * ClientError.
 */
export async function checkPlan(
  session: EngineSession,
  kind: ResourceKind,
  request: PlanRequest,
  plan: PlanResult,
  isAnew: boolean,
): Promise<readonly Diagnostic[]> {
  const { previewChecks } = session.settings
  if (previewChecks === 'off') return []
  const intent = intentOf(kind, request, plan, session, isAnew)
  if (!intent) expectUnknown(session, kind, request, plan)
  const checked = intent ? await session.preview.check(intent) : []
  const subject = checked.some(({ severity }) => severity === 'error')
    ? null
    : subjectOfReload(session, kind, request, plan)
  const diagnostics = subject ? [...checked, ...(await session.preview.reload(subject))] : checked
  return previewChecks === 'warn' ? diagnostics.map((one) => ({ ...one, severity: 'warning' })) : diagnostics
}

/** Announces what other resources may need and cannot be tried yet, since not all of it is known. */
function expectUnknown(
  { preview, tool }: EngineSession,
  kind: ResourceKind,
  { prior }: PlanRequest,
  { planned }: PlanResult,
): void {
  if (planned === null || planned === prior) return
  try {
    const isIdentified = identityOf(kind, planned) !== null
    preview.expect(kind.type, isIdentified ? addressOf(kind, planned, tool.json) : null)
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    preview.expect(kind.type, null)
  }
}

/** Returns an unchanged resource that depends on another server, where that is to be read again; else null. */
function subjectOfReload(
  { settings, tool }: EngineSession,
  kind: ResourceKind,
  { prior, config, proposed }: PlanRequest,
  { planned, replace }: PlanResult,
): WantedObject | null {
  if (!kind.outside || !prior || !planned || replace.length > 0) return null
  const isAsked = settings.introspectRemoteSchemas || causesReload(kind, prior, planned)
  const values = withWriteOnly(kind, planned, config ?? proposed)
  return isAsked && !hasUnknown(values) ? wantedObject(kind, values, tool) : null
}

/** Whether a change makes the engine read again what is outside of its metadata. */
export const causesReload = ({ outside }: ResourceKind, prior: Values, planned: Values): boolean =>
  outside !== undefined && !equalValues(prior[outside.attribute], planned[outside.attribute])

/** Null: nothing changes, or not all of it is known. */
function intentOf(
  kind: ResourceKind,
  { prior, proposed, config }: PlanRequest,
  { planned, replace }: PlanResult,
  { tool, sourceKinds }: EngineSession,
  isAnew: boolean,
): Intent | null {
  if (planned === prior || hasUnknown(planned ?? undefined)) return null
  try {
    const old = prior && wantedObject(sourceKinds.variant(kind, prior), prior, tool)
    if (planned === null) return old && { kind: 'delete', old, force: prior?.[FORCE_DESTROY] === true }
    const values = withWriteOnly(kind, planned, config ?? proposed)
    if (hasUnknown(values)) return null
    const wanted = wantedObject(kind, values, tool)
    if (!old) return { kind: 'create', wanted, replaces: isAnew }
    return replace.length > 0 ? { kind: 'replace', old, wanted } : { kind: 'update', wanted }
  } catch (error) {
    if (error instanceof InvalidValue) return null // a state of another shape: applying it will show
    throw error
  }
}
