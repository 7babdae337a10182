/** What a user wrote, checked before anything is planned: of the provider, a resource, a data source. */
import type { Diagnostic } from '../../core/index.ts'
import type { Decoded } from '../../protobuf/index.ts'
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
import { type Context, dataType, receivedValues, resourceType } from './context.ts'

type Checked = { readonly diagnostics: readonly DiagnosticMessage[] }

export async function answerValidateProviderConfig(
  { provider, types }: Context,
  request: Decoded<typeof validateProviderConfig.request>,
): Promise<Checked> {
  return check(types.config, request, (values) => provider.validateConfig(values))
}

export async function answerValidateResourceConfig(
  context: Context,
  request: Decoded<typeof validateResourceConfig.request>,
): Promise<Checked> {
  const { kind, attributes } = resourceType(context, request.typeName)
  return check(attributes, request, (values) => [
    ...checkTimeouts(values),
    ...context.provider.validate(kind, withoutTimeouts(values)),
  ])
}

export async function answerValidateDataResourceConfig(
  context: Context,
  request: Decoded<typeof validateDataResourceConfig.request>,
): Promise<Checked> {
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
    const problem: Diagnostic = { severity: 'error', summary: error.message, detail: '', path: error.path }
    return { diagnostics: [toMessage(attributes, problem)] }
  }
}
