import { toMessage } from '../diagnostics.ts'
import type { configureProvider } from '../protocol/provider-messages.ts'
import { type Answer, receivedValues } from './context.ts'

/** Where the engine is and how it is to be spoken to, some of it perhaps not known yet. */
export const answerConfigureProvider: Answer<typeof configureProvider> = async ({ provider, types }, request) => {
  const problems = provider.configure(receivedValues(types.config, request.config))
  return { diagnostics: problems.map((problem) => toMessage(types.config, problem)) }
}
