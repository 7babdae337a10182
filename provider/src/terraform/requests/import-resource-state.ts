import { toMessage } from '../diagnostics.ts'
import { writePrivate } from '../private-state.ts'
import type { importResourceState } from '../protocol/provider-messages.ts'
import { withTimeouts } from '../timeouts.ts'
import { type Answer, resourceType, sent } from './context.ts'

/** The object that an import id names; Terraform reads it right after. */
export const answerImportResourceState: Answer<typeof importResourceState> = async (context, { typeName, id }) => {
  const { kind, attributes } = resourceType(context, typeName)
  const { state, diagnostics } = context.provider.importStub(kind, id)
  return {
    importedResources: state
      ? [
          {
            typeName,
            state: sent(attributes, withTimeouts(state, null)),
            private: writePrivate({ imported: 'named' }),
          },
        ]
      : [],
    diagnostics: diagnostics.map((problem) => toMessage(attributes, problem)),
  }
}
