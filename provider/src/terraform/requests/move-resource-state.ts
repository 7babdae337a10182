import type { Encodable } from '../../protobuf/index.ts'
import type { moveResourceState } from '../protocol/provider-messages.ts'
import { PROVIDER_NAME } from '../types.ts'
import { type Answer, resourceType } from './context.ts'
import { upgradedState } from './upgrade-resource-state.ts'

/**
 * A `moved` block from the same type of this provider under another address (another registry or mirror, a fork). The
 * kinds are of different objects: nothing of one can become one of another.
 */
export const answerMoveResourceState: Answer<typeof moveResourceState> = async (context, request) => {
  const { sourceProviderAddress, sourceTypeName, sourceSchemaVersion, sourceState, targetTypeName } = request
  const type = resourceType(context, targetTypeName)
  if (sourceTypeName !== targetTypeName || sourceProviderAddress.split('/').at(-1) !== PROVIDER_NAME)
    return refused(`A ${sourceTypeName} of ${sourceProviderAddress} cannot become a ${targetTypeName}`)
  if (sourceSchemaVersion > type.version)
    return refused(`The state was written by a newer version of the provider than this one`)
  const { state, diagnostics } = upgradedState(
    context,
    type,
    sourceSchemaVersion,
    sourceState?.json ?? Buffer.from('{}'),
  )
  return { diagnostics, ...(state && { targetState: state }) }
}

const refused = (summary: string): Encodable<typeof moveResourceState.response> => ({
  diagnostics: [
    { severity: 'error', summary, detail: 'Remove the old resource from the state and import the new one.' },
  ],
})
