import type { Decoded, Encodable } from '../../protobuf/index.ts'
import { toMessage } from '../diagnostics.ts'
import type { configureProvider } from '../protocol/provider-messages.ts'
import { type Context, receivedValues } from './context.ts'

/** Where the engine is and how it is to be spoken to, some of it perhaps not known yet. */
export async function answerConfigureProvider(
  { provider, types }: Context,
  request: Decoded<typeof configureProvider.request>,
): Promise<Encodable<typeof configureProvider.response>> {
  const problems = provider.configure(receivedValues(types.config, request.config))
  return { diagnostics: problems.map((problem) => toMessage(types.config, problem)) }
}
