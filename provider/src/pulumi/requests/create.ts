import type { PlanRequest } from '../../core/index.ts'
import type { Values } from '../../resources/index.ts'
import type { create } from '../protocol/provider-messages.ts'
import { noProperties } from '../values/struct.ts'
import {
  type Answer,
  hider,
  type Run,
  receivedValues,
  reportDiagnostics,
  resourceType,
  sentProperties,
  timeLimit,
  withVersion,
  withWriteOnly,
} from './context.ts'

/** Makes a resource, or in a preview lets the engine say what it would answer. */
export const answerCreate: Answer<typeof create> = async (
  context,
  { urn, properties: checked = noProperties, timeout, preview },
) => {
  const { provider, run } = context
  const type = resourceType(context, urn)
  const { kind, attributes } = type
  const properties = withWriteOnly(run, urn, checked)
  const config = receivedValues(type, properties)
  const request = { kind, prior: null, proposed: config, config }
  const { planned } = provider.planWithoutEngine(request)
  const hide = hider(attributes, properties)
  if (preview) {
    const { diagnostics } = await provider.plan(inPlace(run, urn, request, planned))
    await reportDiagnostics(context, attributes, urn, diagnostics, hide)
  }
  const made = preview
    ? { state: planned, diagnostics: [] }
    : await provider.apply({
        kind,
        prior: null,
        planned,
        config,
        ...replaced(run, urn, planned),
        ...timeLimit(timeout),
      })
  await reportDiagnostics(context, attributes, urn, made.diagnostics, hide)
  const state = made.state ?? config
  return {
    id: typeof state.id === 'string' ? state.id : '',
    properties: withVersion(type, sentProperties(attributes, state, properties.secrets), made.made),
    refreshBeforeUpdate: run.refreshBeforeUpdate,
  }
}

/** A replacement is checked as what becomes of the object that is there. */
function inPlace(run: Run, urn: string, request: PlanRequest, planned: Values | null): PlanRequest {
  const { anew, former } = replaced(run, urn, planned)
  if (former) return { ...request, prior: former }
  return anew && typeof planned?.id === 'string' ? { ...request, former: planned.id } : request
}

/** What a resource that is made replaces: itself under the same identity, or what had another one. */
function replaced(run: Run, urn: string, planned: Values | null): { readonly anew?: true; readonly former?: Values } {
  const id = run.compared.get(urn)
  if (id === undefined) return {}
  if (id === planned?.id) return { anew: true }
  const former = run.replaced.get(urn)
  return former ? { former } : {}
}
