import { emptyDocument, type JsonObject, type MetadataDocument, putObject, sourceAddress } from '@svc/schema'

/**
 * What the first start of an engine stores (spec 04 §12.2, step 4): the source `default` when a database URL was given,
 * by the variable that holds it or literally; nothing without.
 */
export function initialDocument(databaseUrl: string | { readonly from_env: string } | null): MetadataDocument {
  if (databaseUrl === null) return emptyDocument
  const configuration: JsonObject = {
    connection_info: {
      database_url: databaseUrl,
      isolation_level: 'read-committed',
      pool_settings: { max_connections: 50, idle_timeout: 180, retries: 1, connection_lifetime: 600 },
      use_prepared_statements: false,
    },
  }
  return putObject(emptyDocument, sourceAddress('default'), {
    type: 'source',
    value: { name: 'default', kind: 'postgres', configuration },
    children: {},
  })
}
