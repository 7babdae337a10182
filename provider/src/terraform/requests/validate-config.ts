/** What a user wrote, checked before anything is planned: of the provider, a resource, a data source. */
import { type Diagnostic, errorOf } from '../../core/index.ts'
import type { Attributes, Values } from '../../resources/index.ts'
import { toMessage } from '../diagnostics.ts'
import type {
  DiagnosticMessage,
  validateDataResourceConfig,
  validateProviderConfig,
  validateResourceConfig,
} from '../protocol/provider-messages.ts'
import { checkTimeouts, withoutTimeouts } from '../timeouts.ts'
import { ValueError } from '../values/value-error.ts'
import { type Answer, dataType, receivedValues, resourceType } from './context.ts'

type Checked = { readonly diagnostics: readonly DiagnosticMessage[] }

export const answerValidateProviderConfig: Answer<typeof validateProviderConfig> = async (
  { provider, types },
  request,
) => check(types.config, request, (values) => provider.validateConfig(values))

export const answerValidateResourceConfig: Answer<typeof validateResourceConfig> = async (context, request) => {
  const { kind, attributes } = resourceType(context, request.typeName)
  return check(attributes, request, (values) => [
    ...checkTimeouts(values),
    ...context.provider.validate(kind, withoutTimeouts(values)),
  ])
}

export const answerValidateDataResourceConfig: Answer<typeof validateDataResourceConfig> = async (context, request) => {
  const { name, attributes } = dataType(context, request.typeName)
  return check(attributes, request, (values) => context.provider.validateData(name, values))
}

/** A number that would lose digits is found here, before anything else has to store it. */
function check(
  attributes: Attributes,
  { config }: { readonly config: Parameters<typeof receivedValues>[1] },
  problemsOf: (values: Values) => readonly Diagnostic[],
): Checked {
  try {
    const problems = problemsOf(receivedValues(attributes, config))
    return { diagnostics: problems.map((problem) => toMessage(attributes, problem)) }
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
    return { diagnostics: [toMessage(attributes, errorOf(error.message, '', error.path))] }
  }
}
