import { toMessage } from '../diagnostics.ts'
import { readPrivate, writePrivate } from '../private-state.ts'
import type { applyResourceChange } from '../protocol/provider-messages.ts'
import { TIMEOUTS, timeoutOf, withoutTimeouts, withTimeouts } from '../timeouts.ts'
import { type Answer, received, resourceType, sent } from './context.ts'

/** Carries out what was planned. In addition to an error goes what is known to be there. */
export const answerApplyResourceChange: Answer<typeof applyResourceChange> = async (context, request) => {
  const { kind, attributes } = resourceType(context, request.typeName)
  const prior = received(attributes, request.priorState)
  const planned = received(attributes, request.plannedState)
  const config = received(attributes, request.config)
  const timeoutMilliseconds = planned ? timeoutOf(planned, prior ? 'update' : 'create') : timeoutOf(prior, 'delete')
  const { made, anew } = readPrivate(request.plannedPrivate)
  const applied = await context.provider.apply({
    kind,
    prior: prior && withoutTimeouts(prior),
    planned: planned && withoutTimeouts(planned),
    config: config && withoutTimeouts(config),
    ...(timeoutMilliseconds !== undefined && { timeoutMilliseconds }),
    ...(made && { made }),
    ...(anew && { anew }),
  })
  const { state, diagnostics } = applied
  const current = applied.made ?? made
  return {
    newState: sent(attributes, state && withTimeouts(state, (planned ?? prior)?.[TIMEOUTS])),
    private: writePrivate(current ? { made: current } : {}),
    diagnostics: diagnostics.map((problem) => toMessage(attributes, problem)),
  }
}
