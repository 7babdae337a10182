import { toMessage } from '../diagnostics.ts'
import { readPrivate, writePrivate } from '../private-state.ts'
import type { readResource } from '../protocol/provider-messages.ts'
import { TIMEOUTS, withoutTimeouts, withTimeouts } from '../timeouts.ts'
import { type Answer, receivedValues, resourceType, sent } from './context.ts'

/** What is there now; null when it is gone. */
export const answerReadResource: Answer<typeof readResource> = async (context, request) => {
  const { kind, attributes } = resourceType(context, request.typeName)
  const current = receivedValues(attributes, request.currentState)
  const { state, diagnostics } = await context.provider.read(kind, withoutTimeouts(current))
  return {
    newState: sent(attributes, state && withTimeouts(state, current[TIMEOUTS])),
    diagnostics: diagnostics.map((problem) => toMessage(attributes, problem)),
    private: readOnce(request.private),
  }
}

/** The run that imports an object reads it once; a later one reads what is its own. */
function readOnce(bytes: Buffer): Buffer {
  const { imported, ...others } = readPrivate(bytes)
  if (imported === undefined) return bytes
  return writePrivate({ ...others, ...(imported === 'named' && { imported: 'read' }) })
}
