import { referenceConvention } from '../admin/index.ts'
import { type AuthMode, shownJwtSecret } from '../auth/index.ts'
import { type ServerConfig, shownPrefix } from '../config/index.ts'

export type ConfigAnswer = ReturnType<typeof configAnswer>

/** The body of /v1alpha1/config (reference/http#config). */
export function configAnswer(config: ServerConfig, mode: AuthMode, version: string) {
  /** In seconds; the contract has an integer, which says of a shorter interval that there is one. */
  const refetchDelay = (milliseconds: number) =>
    config.referenceAnswers ? milliseconds / 1000 : Math.max(1, Math.ceil(milliseconds / 1000))
  const jwts = mode.kind === 'jwt' ? mode.jwt.map(shownJwtSecret) : []
  return {
    version,
    header_prefix: shownPrefix(config.headerPrefix),
    is_function_permissions_inferred: config.inferFunctionPermissions,
    is_remote_schema_permissions_enabled: config.enableRemoteSchemaPermissions,
    is_admin_secret_set: config.secrets.length > 0,
    is_auth_hook_set: mode.kind === 'webhook',
    is_jwt_set: mode.kind === 'jwt',
    jwt: config.referenceAnswers ? jwts : (jwts[0] ?? null),
    jwts,
    is_allow_list_enabled: config.enableAllowlist,
    live_queries: {
      batch_size: config.liveQueriesMultiplexedBatchSize,
      refetch_delay: refetchDelay(config.liveQueriesMultiplexedRefetchInterval),
    },
    streaming_queries: {
      batch_size: config.streamingQueriesMultiplexedBatchSize,
      refetch_delay: refetchDelay(config.streamingQueriesMultiplexedRefetchInterval),
    },
    console_assets_dir: config.consoleAssetsDir,
    experimental_features: [...config.experimentalFeatures],
    is_prometheus_metrics_enabled: config.enabledApis.has('metrics'),
    is_apollo_federation_enabled: config.enableApolloFederation || config.experimentalFeatures.has('apollo_federation'),
    default_naming_convention: config.referenceAnswers
      ? referenceConvention(config.defaultNamingConvention)
      : config.defaultNamingConvention,
    feature_flags: [],
    /** Why no events are sent, as far as settings say it. */
    events_withheld: withheldBy(config),
  }
}

function withheldBy(config: ServerConfig): string | null {
  if (config.disableEventing) return 'no events are sent: the engine runs with --disable-eventing'
  if (config.eventsFetchInterval > 0 && config.eventsFetchBatchSize > 0) return null
  const setting = config.eventsFetchInterval > 0 ? '--events-fetch-batch-size' : '--events-fetch-interval'
  return `no events of event triggers are sent: the engine runs with ${setting} 0`
}
