import type { update } from '../protocol/provider-messages.ts'
import { storedMade } from '../state-version.ts'
import { noProperties } from '../values/struct.ts'
import {
  type Answer,
  hider,
  receivedValues,
  reportDiagnostics,
  resourceType,
  sentProperties,
  storedValues,
  timeLimit,
  withVersion,
  withWriteOnly,
} from './context.ts'

/** Changes a resource in place, or in a preview lets the engine say what it would answer. */
export const answerUpdate: Answer<typeof update> = async (
  context,
  { id, urn, olds, news: checked = noProperties, timeout, preview },
) => {
  const { provider, run } = context
  const type = resourceType(context, urn)
  const { kind, attributes } = type
  const news = withWriteOnly(run, urn, checked)
  const prior = storedValues(context, type, olds, id)
  const config = receivedValues(type, news)
  const request = { kind, prior, proposed: config, config }
  const hide = hider(attributes, olds, news)
  const { planned, diagnostics } = preview
    ? await provider.plan(request)
    : { ...provider.planWithoutEngine(request), diagnostics: [] }
  await reportDiagnostics(context, attributes, urn, diagnostics, hide)
  const changed = preview
    ? { state: planned, diagnostics: [] }
    : await provider.apply({ kind, prior, planned, config, ...timeLimit(timeout) })
  await reportDiagnostics(context, attributes, urn, changed.diagnostics, hide)
  return {
    properties: withVersion(
      type,
      sentProperties(attributes, changed.state ?? config, news.secrets),
      changed.made ?? storedMade(olds?.values ?? {}),
    ),
    refreshBeforeUpdate: run.refreshBeforeUpdate,
  }
}
