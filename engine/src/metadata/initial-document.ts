import {
  defaultKind,
  emptyDocument,
  type JsonObject,
  type MetadataDocument,
  putObject,
  sourceAddress,
} from '@svc/schema'

/** Settings of the server that the source `default` of a first start takes over (reference/server#start). */
export interface InitialSettings {
  readonly isolationLevel: 'read-committed' | 'repeatable-read' | 'serializable'
  readonly maxConnections: number
  /** Seconds, as the next. */
  readonly idleTimeout: number
  readonly connectionLifetime: number
}

const defaults: InitialSettings = {
  isolationLevel: 'read-committed',
  maxConnections: 50,
  idleTimeout: 180,
  connectionLifetime: 600,
}

/**
 * Returns what the first start of an engine stores (reference/server#start, step 4): the source `default` when a
 * database URL is set, by the variable that contains it or literally; nothing without.
 */
export function initialDocument(
  databaseUrl: string | { readonly from_env: string } | null,
  { isolationLevel, maxConnections, idleTimeout, connectionLifetime }: InitialSettings = defaults,
): MetadataDocument {
  if (databaseUrl === null) return emptyDocument
  const configuration: JsonObject = {
    connection_info: {
      database_url: databaseUrl,
      isolation_level: isolationLevel,
      pool_settings: {
        max_connections: maxConnections,
        idle_timeout: idleTimeout,
        retries: 1,
        connection_lifetime: connectionLifetime,
      },
      use_prepared_statements: false,
    },
  }
  return putObject(emptyDocument, sourceAddress('default'), {
    type: 'source',
    value: { name: 'default', kind: defaultKind, configuration },
    children: {},
  })
}
