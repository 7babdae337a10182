import type { Decoded, Encodable } from '../../protobuf/index.ts'
import { toMessage } from '../diagnostics.ts'
import type { readDataSource } from '../protocol/provider-messages.ts'
import { type Context, dataType, receivedValues, sent } from './context.ts'

export async function answerReadDataSource(
  context: Context,
  request: Decoded<typeof readDataSource.request>,
): Promise<Encodable<typeof readDataSource.response>> {
  const { name, attributes } = dataType(context, request.typeName)
  const { state, diagnostics } = await context.provider.readData(name, receivedValues(attributes, request.config))
  return {
    ...(state && { state: sent(attributes, state) }),
    diagnostics: diagnostics.map((problem) => toMessage(attributes, problem)),
  }
}
