import type { stopProvider } from '../protocol/provider-messages.ts'
import type { Answer } from './context.ts'

/** Ctrl-C: what is under way ends as soon as it is safe. */
export const answerStopProvider: Answer<typeof stopProvider> = async ({ provider }) => {
  provider.stop()
  return {}
}
