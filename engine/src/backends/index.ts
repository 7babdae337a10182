/**
 * backends: one folder a kind of database, each with the same files. Begin at backend.ts.
 * Imports errors and ir. Knows no GraphQL, no metadata and no HTTP.
 */
export { allBackends, withExperiments } from './all.ts'
export * from './backend.ts'
export { bigquery } from './bigquery/index.ts'
export { changedTables } from './changed-tables.ts'
export * from './event-store.ts'
export { mssql } from './mssql/index.ts'
export { connectionSettings, connectionUrl, postgres } from './postgres/index.ts'
export * from './source-configuration.ts'
export type { SourceKind, Unsupported } from './source-kind.ts'
