import type { remove } from '../protocol/provider-messages.ts'
import { storedMade } from '../state-version.ts'
import { type Answer, hider, reportDiagnostics, resourceType, storedValues, timeLimit } from './context.ts'

/** Removes a resource; one that is already deleted, with its table, counts as removed. */
export const answerDelete: Answer<typeof remove> = async (context, { id, urn, properties, timeout }) => {
  const type = resourceType(context, urn)
  const made = storedMade(properties?.values ?? {})
  // what the program has under this identity remains: either it is made again, or has been made since, or two names
  // have it
  const anew = [...context.run.compared].some(
    ([one, has]) => has === id && !context.run.replaced.has(one) && resourceType(context, one) === type,
  )
  const { diagnostics } = await context.provider.apply({
    kind: type.kind,
    prior: storedValues(context, type, properties, id),
    planned: null,
    config: null,
    ...(made && { made }),
    anew,
    ...timeLimit(timeout),
  })
  await reportDiagnostics(context, type.attributes, urn, diagnostics, hider(type.attributes, properties))
  return {}
}
