import { toMessage } from '../diagnostics.ts'
import { lostSecrets } from '../lost-secrets.ts'
import { readPrivate, writePrivate } from '../private-state.ts'
import type { planResourceChange } from '../protocol/provider-messages.ts'
import { TIMEOUTS, withoutTimeouts, withTimeouts } from '../timeouts.ts'
import { type Answer, received, resourceType, sent } from './context.ts'

/**
 * Plans what an apply would make of what is proposed. Another identity is a change in place: the object is moved with
 * what is in it, which no delete before a creation could do.
 */
export const answerPlanResourceChange: Answer<typeof planResourceChange> = async (context, request) => {
  const { kind, attributes } = resourceType(context, request.typeName)
  const prior = received(attributes, request.priorState)
  const proposed = received(attributes, request.proposedNewState)
  const config = received(attributes, request.config)
  const { made, id: former, imported } = readPrivate(request.priorPrivate)
  const { planned, anew, diagnostics } = await context.provider.plan({
    kind,
    prior: prior && withoutTimeouts(prior),
    proposed: proposed && withoutTimeouts(proposed),
    config: config && withoutTimeouts(config),
    ...(former !== undefined && { former }),
  })
  const lost = imported && prior && config ? lostSecrets(attributes, prior, config) : []
  const id = typeof prior?.id === 'string' ? prior.id : undefined
  return {
    plannedState: sent(attributes, planned && withTimeouts(planned, proposed?.[TIMEOUTS])),
    plannedPrivate: writePrivate({
      ...(made && { made }),
      ...(id !== undefined && { id }),
      ...(anew === true && { anew }),
    }),
    diagnostics: [...diagnostics, ...lost].map((problem) => toMessage(attributes, problem)),
  }
}
