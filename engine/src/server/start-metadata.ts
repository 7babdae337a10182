import type { MetadataDocument } from '@svc/schema'
import { MetadataService } from '../admin/index.ts'
import { type Backend, withExperiments } from '../backends/index.ts'
import type { ServerConfig } from '../config/index.ts'
import { eventOperations, eventTriggerEffects } from '../events/index.ts'
import { storedQueryCheck } from '../graphql/index.ts'
import type { TlsAllowedHost } from '../http-client/index.ts'
import { scheduleOperations } from '../schedules/index.ts'
import { getUsage, type UsageCounter } from '../usage/index.ts'
import { graphqlSettings } from './graphql-settings.ts'
import type { StartParts } from './server-parts.ts'
import { serverSetting } from './server-setting.ts'

export interface MetadataParts extends StartParts {
  readonly backends: readonly Backend[]
  readonly usage: UsageCounter | null
}

/** Connects the sources and remote schemas of the stored metadata, and serves it and its changes from then on. */
export const startMetadata = (parts: MetadataParts): Promise<MetadataService> => {
  const { config, environment, store, client, observer, backends, processes, usage } = parts
  return MetadataService.start({
    store,
    observer,
    settings: {
      stringifyNumericTypes: config.stringifyNumericTypes,
      maxQueryJoins: config.maxQueryJoins,
      inferFunctionPermissions: config.inferFunctionPermissions,
      namingConvention: config.experimentalFeatures.has('naming_convention') ? config.defaultNamingConvention : null,
      ignoreNativeQueryVerdicts: config.disableNativeQueryValidation,
      hideAggregationPredicates: config.experimentalFeatures.has('hide_aggregation_predicates'),
      hideStreamFields: config.experimentalFeatures.has('hide_stream_fields'),
      hideUpdateManyFields: config.experimentalFeatures.has('hide_update_many_fields'),
      environment,
      apolloFederation: config.enableApolloFederation || config.experimentalFeatures.has('apollo_federation'),
      remoteSchemaPermissions: config.enableRemoteSchemaPermissions,
      checkStoredQuery: storedQueryCheck(graphqlSettings(config)),
      headerPrefix: config.headerPrefix,
      arraysAreScalars: config.experimentalFeatures.has('disable_postgres_arrays'),
    },
    reads: { inSources: eventOperations(observer.report), others: [...scheduleOperations, getUsage(usage)] },
    sources: {
      backends: backends.map((backend) => withExperiments(backend, config.experimentalFeatures)),
      environment,
      report: observer.report,
      replicas: { checkInterval: config.replicaCheckInterval, maxLag: config.maxReplicaLag },
      defaults: {
        usePreparedStatements: config.usePreparedStatements,
        maxConnections: config.connections * config.stripes,
        processes,
        bigquery: { apiEndpoint: config.bigqueryApiEndpoint, tokenEndpoint: config.bigqueryTokenEndpoint },
        namesTraces: config.traceSqlQuery,
        idleTimeout: config.timeout,
        connectionLifetime: config.connLifetime,
        ...(config.poolTimeout !== null && { poolTimeout: config.poolTimeout }),
      },
    },
    remoteSchemas: { client, environment, headerPrefix: config.headerPrefix, report: observer.report },
    effects: [eventTriggerEffects({ stringifyNumericTypes: config.stringifyNumericTypes })],
    showInternal: config.devMode || config.adminInternalErrors,
    protectsOwned: config.protectOwned,
    frozen: whyFrozen(config),
  })
}

function whyFrozen({ enableMaintenanceMode, enableReadOnlyMode }: ServerConfig): string | null {
  if (enableMaintenanceMode) return 'metadata cannot be modified in maintenance mode'
  return enableReadOnlyMode ? 'metadata cannot be modified in read-only mode' : null
}

/** Returns the hosts whose certificates are not verified (reference/metadata-operations#roles-limits-telemetry). */
export function allowedHosts(
  document: MetadataDocument,
  { metadataDefaults }: ServerConfig,
): readonly TlsAllowedHost[] {
  const value = serverSetting('network', document, metadataDefaults)?.tls_allowlist
  return Array.isArray(value) ? (value as unknown as readonly TlsAllowedHost[]) : []
}
