import type { DataDeclaration, KindDeclaration } from '../../core/index.ts'
import type { getProviderSchema } from '../protocol/provider-messages.ts'
import { schemaMessage } from '../schema-messages.ts'
import type { Answer } from './context.ts'
import { serverCapabilities } from './get-metadata.ts'

const schemas = (types: ReadonlyMap<string, KindDeclaration | DataDeclaration>) =>
  new Map(
    [...types].map(([typeName, type]) => [
      typeName,
      schemaMessage(type.attributes, type.description, 'version' in type ? type.version : 0),
    ]),
  )

/** The schemas of everything. */
export const answerGetProviderSchema: Answer<typeof getProviderSchema> = async ({ types }) => {
  return {
    provider: schemaMessage(types.config, '', 0),
    resourceSchemas: schemas(types.resources),
    dataSourceSchemas: schemas(types.dataSources),
    serverCapabilities,
  }
}
