import type { Attributes, Values } from '../../resources/index.ts'
import { snakeName } from '../names.ts'
import type { check } from '../protocol/provider-messages.ts'
import { readNames } from '../values/named-values.ts'
import { noProperties } from '../values/struct.ts'
import { checkFailures, strangerFailures } from './check-failures.ts'
import { type Answer, hider, receivedValues, resourceType, sentProperties } from './context.ts'

/**
 * A resource's inputs, defaults filled in. Sends no request. What is as it was has been checked already. What the answer holds
 * Pulumi stores: what is only written is cached for the requests that follow in this process instead.
 */
export const answerCheck: Answer<typeof check> = async (context, { urn, olds, news = noProperties }) => {
  const type = resourceType(context, urn)
  context.run.checked.add(urn)
  const { rest, writeOnly } = splitWriteOnly(type.attributes, news.values)
  context.run.writeOnly.set(urn, writeOnly)
  const { kind, attributes, nothing } = type
  const { values, strangers } = readNames(attributes, news.values)
  const given = { ...nothing, ...values }
  const request = { kind, prior: null, proposed: given, config: given }
  await context.provider.prepare(kind, given)
  const before = olds && Object.keys(olds.values).length > 0 ? receivedValues(type, olds) : null
  const same = before && context.provider.planWithoutEngine({ ...request, prior: before })
  const { planned, diagnostics } = same && same.planned === before ? same : context.provider.planWithoutEngine(request)
  const failures = [
    ...strangerFailures(attributes, strangers),
    ...checkFailures(attributes, diagnostics, hider(attributes, news)),
  ]
  return {
    inputs:
      failures.length > 0
        ? { values: rest, secrets: news.secrets }
        : sentProperties(attributes, planned ?? given, news.secrets),
    failures,
  }
}

function splitWriteOnly(attributes: Attributes, values: Values): { readonly rest: Values; readonly writeOnly: Values } {
  const isWriteOnly = (property: string) => attributes[snakeName(attributes, property) ?? '']?.writeOnly === true
  const pick = (which: boolean) =>
    Object.fromEntries(Object.entries(values).filter(([property]) => isWriteOnly(property) === which))
  return { rest: pick(false), writeOnly: pick(true) }
}
