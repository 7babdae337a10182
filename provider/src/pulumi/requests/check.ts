import type { Decoded, Encodable } from '../../protobuf/index.ts'
import type { check } from '../protocol/provider-messages.ts'
import { readNames } from '../values/named-values.ts'
import { noProperties } from '../values/struct.ts'
import { checkFailures, strangerFailures } from './check-failures.ts'
import { type Context, hider, receivedValues, resourceType, sentProperties } from './context.ts'

/** A resource's inputs, defaults filled in. Asks nobody. What is as it was has been checked already. */
export async function answerCheck(
  context: Context,
  { urn, olds, news = noProperties }: Decoded<typeof check.request>,
): Promise<Encodable<typeof check.response>> {
  const type = resourceType(context, urn)
  context.run.checked.add(urn)
  const { kind, attributes, nothing } = type
  const { values, strangers } = readNames(attributes, news.values)
  const given = { ...nothing, ...values }
  const request = { kind, prior: null, proposed: given, config: given }
  const before = olds && Object.keys(olds.values).length > 0 ? receivedValues(type, olds) : null
  const same = before && context.provider.settle({ ...request, prior: before })
  const { planned, diagnostics } = same && same.planned === before ? same : context.provider.settle(request)
  const failures = [
    ...strangerFailures(attributes, strangers),
    ...checkFailures(attributes, diagnostics, hider(attributes, news)),
  ]
  return { inputs: failures.length > 0 ? news : sentProperties(attributes, planned ?? given, news.secrets), failures }
}
