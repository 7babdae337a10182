import type { ServerConfig } from '../config/index.ts'
import { defaultGraphqlSettings, type GraphqlSettings } from '../graphql/index.ts'

/** Returns the settings of planning from the server's configuration. */
export const graphqlSettings = (config: ServerConfig): GraphqlSettings => ({
  ...defaultGraphqlSettings,
  maxSize: config.maxQuerySize,
  maxTokens: config.maxQueryTokens,
  maxDepth: config.maxQueryDepth,
  maxSelections: config.maxQuerySelections,
  maxInputNodes: config.maxQueryInputs,
  maxJoinDepth: config.maxJoinDepth,
  maxJoinRows: config.maxJoinRows,
  maxValuesSize: config.maxValuesSize,
  booleanNullCollapse: config.v1BooleanNullCollapse,
  nullInNonNullableVariables: config.nullInNonnullableVariables,
  unboundIsAbsent: config.experimentalFeatures.has('no_null_unbound_variable_default'),
  skipsRemoteNulls: config.remoteSchemaSkipNulls,
  enableAllowlist: config.enableAllowlist,
})
