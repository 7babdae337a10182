import type { Encodable } from '../../protobuf/index.ts'
import type { getMetadata } from '../protocol/provider-messages.ts'
import type { Context } from './context.ts'

/** With the second, Terraform requests the schema once for a plan and not three times. */
export const serverCapabilities = { planDestroy: true, getProviderSchemaOptional: true, moveResourceState: true }

/** The names of all types. */
export async function answerGetMetadata({ types }: Context): Promise<Encodable<typeof getMetadata.response>> {
  return {
    serverCapabilities,
    resources: [...types.resources.keys()].map((typeName) => ({ typeName })),
    dataSources: [...types.dataSources.keys()].map((typeName) => ({ typeName })),
  }
}
