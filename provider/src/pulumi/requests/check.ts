import type { Decoded, Encodable } from '../../protobuf/index.ts'
import type { check } from '../protocol/provider-messages.ts'
import { readNames } from '../values/named-values.ts'
import { noProperties } from '../values/struct.ts'
import { checkFailures, strangerFailures } from './check-failures.ts'
import { type Context, hider, resourceType, sentProperties } from './context.ts'

/** A resource's inputs, defaults filled in. Asks nobody. */
export async function answerCheck(
  context: Context,
  { urn, news = noProperties }: Decoded<typeof check.request>,
): Promise<Encodable<typeof check.response>> {
  const { kind, attributes, nothing } = resourceType(context, urn)
  const { values, strangers } = readNames(attributes, news.values)
  const given = { ...nothing, ...values }
  const { planned, diagnostics } = context.provider.settle({ kind, prior: null, proposed: given, config: given })
  const failures = [
    ...strangerFailures(attributes, strangers),
    ...checkFailures(attributes, diagnostics, hider(attributes, news)),
  ]
  return { inputs: failures.length > 0 ? news : sentProperties(attributes, planned ?? given, news.secrets), failures }
}
