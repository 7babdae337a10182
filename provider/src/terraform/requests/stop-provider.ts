import type { Encodable } from '../../protobuf/index.ts'
import type { stopProvider } from '../protocol/provider-messages.ts'
import type { Context } from './context.ts'

/** Ctrl-C: what is under way ends as soon as it is safe. */
export async function answerStopProvider({ provider }: Context): Promise<Encodable<typeof stopProvider.response>> {
  provider.stop()
  return {}
}
