/** How `serve` uses the databases of sources. */
import { choice, integer, optionalInteger, textOr, toggle } from './value-kinds.ts'

export const sourceSettings = {
  stripes: integer(1, {
    env: 'PG_STRIPES',
    short: 's',
    least: 1,
    most: 64,
    help: 'Multiplies --connections, as the reference engine has this many pools of that size.',
  }),
  connections: integer(50, { env: 'PG_CONNECTIONS', short: 'c', least: 1, help: 'Connections per source, at most.' }),
  timeout: integer(180, { env: 'PG_TIMEOUT', help: 'Seconds after which an idle connection is closed.' }),
  connLifetime: integer(600, { env: 'PG_CONN_LIFETIME', help: 'Seconds a connection may live; 0: for ever.' }),
  poolTimeout: optionalInteger({ env: 'PG_POOL_TIMEOUT', help: 'Seconds to wait for a free connection.' }),
  usePreparedStatements: toggle(true, { help: 'Use named statements; a pooler in transaction mode may need false.' }),
  txIso: choice(['read-committed', 'repeatable-read', 'serializable'], 'read-committed', {
    env: 'TX_ISOLATION',
    short: 'i',
    help: 'Isolation level of the source "default" that the first start stores.',
  }),
  maxReplicaLag: integer(10_000, {
    help: 'Reads do not go to a replica that lags more than this many milliseconds behind its primary; 0: no limit.',
  }),
  replicaCheckInterval: integer(1000, {
    least: 50,
    help: 'Milliseconds between two checks of a read replica: whether it answers, and how far it lags.',
  }),
  bigqueryApiEndpoint: textOr('https://bigquery.googleapis.com', {
    placeholder: 'URL',
    help: 'Where sources on BigQuery are read: an emulator, or a private endpoint of Google Cloud.',
  }),
  bigqueryTokenEndpoint: textOr('https://www.googleapis.com/oauth2/v4/token', {
    placeholder: 'URL',
    help: 'Where service accounts get tokens for BigQuery; the whole URL, and the audience of their assertions.',
  }),
} as const
