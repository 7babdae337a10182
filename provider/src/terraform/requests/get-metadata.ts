import type { getMetadata } from '../protocol/provider-messages.ts'
import type { Answer } from './context.ts'

/** With the second, Terraform requests the schema once for a plan and not three times. */
export const serverCapabilities = { planDestroy: true, getProviderSchemaOptional: true, moveResourceState: true }

/** The names of all types. */
export const answerGetMetadata: Answer<typeof getMetadata> = async ({ types }) => {
  return {
    serverCapabilities,
    resources: [...types.resources.keys()].map((typeName) => ({ typeName })),
    dataSources: [...types.dataSources.keys()].map((typeName) => ({ typeName })),
  }
}
