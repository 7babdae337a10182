import type { Decoded, Encodable } from '../../protobuf/index.ts'
import { sentPath } from '../attribute-path.ts'
import { toMessage } from '../diagnostics.ts'
import type { planResourceChange } from '../protocol/provider-messages.ts'
import { TIMEOUTS, withoutTimeouts, withTimeouts } from '../timeouts.ts'
import { type Context, received, resourceType, sent } from './context.ts'

/** What an apply would make of what is proposed. */
export async function answerPlanResourceChange(
  context: Context,
  request: Decoded<typeof planResourceChange.request>,
): Promise<Encodable<typeof planResourceChange.response>> {
  const { kind, attributes } = resourceType(context, request.typeName)
  const prior = received(attributes, request.priorState)
  const proposed = received(attributes, request.proposedNewState)
  const config = received(attributes, request.config)
  const { planned, replace, diagnostics } = await context.provider.plan({
    kind,
    prior: prior && withoutTimeouts(prior),
    proposed: proposed && withoutTimeouts(proposed),
    config: config && withoutTimeouts(config),
  })
  return {
    plannedState: sent(attributes, planned && withTimeouts(planned, proposed?.[TIMEOUTS])),
    requiresReplace: replace.map((path) => ({ steps: sentPath(attributes, path).steps })),
    plannedPrivate: request.priorPrivate,
    diagnostics: diagnostics.map((problem) => toMessage(attributes, problem)),
  }
}
