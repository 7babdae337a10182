import { toMessage } from '../diagnostics.ts'
import type { readDataSource } from '../protocol/provider-messages.ts'
import { type Answer, dataType, receivedValues, sent } from './context.ts'

export const answerReadDataSource: Answer<typeof readDataSource> = async (context, request) => {
  const { name, attributes } = dataType(context, request.typeName)
  const { state, diagnostics } = await context.provider.readData(name, receivedValues(attributes, request.config))
  return {
    ...(state && { state: sent(attributes, state) }),
    diagnostics: diagnostics.map((problem) => toMessage(attributes, problem)),
  }
}
