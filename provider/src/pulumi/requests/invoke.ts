import type { invoke } from '../protocol/provider-messages.ts'
import { readNames } from '../values/named-values.ts'
import { noProperties } from '../values/struct.ts'
import { checkFailures, strangerFailures } from './check-failures.ts'
import { type Answer, functionType, hider, reportDiagnostics, sentProperties } from './context.ts'

/** What a data source says. */
export const answerInvoke: Answer<typeof invoke> = async (context, { token, args = noProperties }) => {
  const { name, attributes } = functionType(context, token)
  const { values, strangers } = readNames(attributes, args.values)
  const hide = hider(attributes, args)
  const failures = [
    ...strangerFailures(attributes, strangers),
    ...checkFailures(attributes, context.provider.validateData(name, values), hide),
  ]
  if (failures.length > 0) return { failures }
  const { state, diagnostics } = await context.provider.readData(name, values)
  await reportDiagnostics(context, attributes, '', diagnostics, hide)
  return { return: sentProperties(attributes, state ?? {}, args.secrets) }
}
