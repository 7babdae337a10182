import type { Encodable } from '../../protobuf/index.ts'
import type { getProviderSchema } from '../protocol/provider-messages.ts'
import { schemaMessage } from '../schema-messages.ts'
import type { DataType, ResourceType } from '../types.ts'
import type { Context } from './context.ts'
import { serverCapabilities } from './get-metadata.ts'

const schemas = (types: ReadonlyMap<string, ResourceType | DataType>) =>
  new Map(
    [...types.values()].map((type) => [
      type.typeName,
      schemaMessage(type.attributes, type.description, 'version' in type ? type.version : 0),
    ]),
  )

/** The schemas of everything. */
export async function answerGetProviderSchema({
  types,
}: Context): Promise<Encodable<typeof getProviderSchema.response>> {
  return {
    provider: schemaMessage(types.config, '', 0),
    resourceSchemas: schemas(types.resources),
    dataSourceSchemas: schemas(types.dataSources),
    serverCapabilities,
  }
}
