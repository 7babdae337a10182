/**
 * The files at the top of a metadata directory and the key of the metadata in each
 * (reference/metadata-directory#commands).
 */
export const topFiles = {
  remote_schemas: { file: 'remote_schemas.yaml', empty: [] },
  query_collections: { file: 'query_collections.yaml', empty: [] },
  allowlist: { file: 'allow_list.yaml', empty: [] },
  cron_triggers: { file: 'cron_triggers.yaml', empty: [] },
  rest_endpoints: { file: 'rest_endpoints.yaml', empty: [] },
  api_limits: { file: 'api_limits.yaml', empty: {} },
  metrics_config: { file: 'metrics_config.yaml', empty: {} },
  inherited_roles: { file: 'inherited_roles.yaml', empty: [] },
  graphql_schema_introspection: { file: 'graphql_schema_introspection.yaml', empty: {} },
  network: { file: 'network.yaml', empty: {} },
  backend_configs: { file: 'backend_configs.yaml', empty: {} },
  opentelemetry: { file: 'opentelemetry.yaml', empty: {} },
} as const

export const versionFile = 'version.yaml'
export const databasesFile = 'databases/databases.yaml'
export const actionsFile = 'actions.yaml'
export const actionsGraphqlFile = 'actions.graphql'

/** Of a directory of version 2, whose tables are in one database without a name. */
export const olderTablesFile = 'tables.yaml'
export const olderFunctionsFile = 'functions.yaml'
