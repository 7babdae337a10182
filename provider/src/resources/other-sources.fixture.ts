/** Sources of other databases than PostgreSQL, and what only such sources have: these need no database to be planned. */
import type { KindSample } from './kind-sample.fixture.ts'

const key = (email: string) =>
  JSON.stringify({ client_email: email, private_key: 'a key of no account', project_id: 'acme' })

const mssqlSource: KindSample = {
  kind: 'MssqlSource',
  base: {
    name: 'shop',
    connection_string: 'Server=127.0.0.1,1;Database=shop;Uid=app;Pwd=of no login',
    connection_string_from_env: null,
    connection_string_wo: null,
    connection_string_wo_version: null,
    isolation_level: 'snapshot',
    pool_settings: { max_connections: 5, total_max_connections: null, idle_timeout: 7, enable: null },
    read_replicas: null,
    customization: {
      root_fields: { namespace: null, prefix: 'ms_', suffix: null },
      type_names: { prefix: 'Ms', suffix: null },
      naming_convention: null,
    },
    health_check: { test: { sql: 'SELECT 1' }, interval: 60, retries: 3, retry_interval: 10, timeout: 10 },
  },
  changes: {
    name: { name: 'another' },
    connection_string: { connection_string: 'Server=127.0.0.1,2;Database=shop;Uid=app;Pwd={a;b}' },
    connection_string_from_env: { connection_string: null, connection_string_from_env: 'SHOP_MSSQL' },
    connection_string_wo: {
      connection_string: null,
      connection_string_wo: 'Server=127.0.0.1,3;Database=shop;Uid=app;Pwd=w',
      connection_string_wo_version: 1,
    },
    connection_string_wo_version: {
      connection_string: null,
      connection_string_wo: 'Server=127.0.0.1,3;Database=shop;Uid=app;Pwd=w',
      connection_string_wo_version: 2,
    },
    isolation_level: { isolation_level: null },
    pool_settings: { pool_settings: { enable: false } },
    read_replicas: {
      read_replicas: [
        { connection_string: 'Server=127.0.0.1,4;Database=shop;Uid=app;Pwd=r', isolation_level: 'serializable' },
        { connection_string_from_env: 'SHOP_MSSQL_COPY' },
      ],
    },
    customization: { customization: null },
    health_check: { health_check: null },
  },
  respelled: [{ health_check: { test: {}, interval: 60 } }],
}

const bigquerySource: KindSample = {
  kind: 'BigquerySource',
  base: {
    name: 'warehouse',
    service_account: key('svc@acme.example'),
    service_account_from_env: null,
    service_account_wo: null,
    service_account_wo_version: null,
    project_id: 'acme',
    project_id_from_env: null,
    datasets: ['music', 'sales'],
    datasets_from_env: null,
    global_select_limit: 500,
    global_select_limit_from_env: null,
    retry_limit: 3,
    retry_limit_from_env: null,
    retry_base_delay: 1000,
    retry_base_delay_from_env: null,
    maximum_bytes_billed: 1_000_000_000,
    customization: {
      root_fields: { namespace: null, prefix: 'bq_', suffix: null },
      type_names: { prefix: 'Bq', suffix: null },
      naming_convention: null,
    },
  },
  changes: {
    name: { name: 'another' },
    service_account: { service_account: key('other@acme.example') },
    service_account_from_env: { service_account: null, service_account_from_env: 'BQ_KEY' },
    service_account_wo: {
      service_account: null,
      service_account_wo: key('wo@acme.example'),
      service_account_wo_version: 1,
    },
    service_account_wo_version: {
      service_account: null,
      service_account_wo: key('wo@acme.example'),
      service_account_wo_version: 2,
    },
    project_id: { project_id: 'other' },
    project_id_from_env: { project_id: null, project_id_from_env: 'BQ_PROJECT' },
    datasets: { datasets: ['music'] },
    datasets_from_env: { datasets: null, datasets_from_env: 'BQ_DATASETS' },
    global_select_limit: { global_select_limit: null },
    global_select_limit_from_env: { global_select_limit: null, global_select_limit_from_env: 'BQ_LIMIT' },
    retry_limit: { retry_limit: 0 },
    retry_limit_from_env: { retry_limit: null, retry_limit_from_env: 'BQ_RETRIES' },
    retry_base_delay: { retry_base_delay: null },
    retry_base_delay_from_env: { retry_base_delay: null, retry_base_delay_from_env: 'BQ_DELAY' },
    maximum_bytes_billed: { maximum_bytes_billed: 0 },
    customization: { customization: null },
  },
  respelled: [
    {
      service_account: `{ "private_key": "a key of no account", "project_id": "acme", "client_email": "svc@acme.example" }`,
    },
  ],
}

const storedProcedure: KindSample = {
  kind: 'StoredProcedure',
  base: {
    source: 'shop',
    stored_procedure: { schema: 'dbo', name: 'top_albums' },
    exposed_as: 'query',
    custom_name: 'best_albums',
    returns: 'top_album',
    arguments: { n: { type: 'int', nullable: false, description: 'How many' } },
    description: 'The best ones',
  },
  changes: {
    source: { source: 'second' },
    stored_procedure: { stored_procedure: { schema: 'sales', name: 'top_albums' } },
    custom_name: { custom_name: null },
    returns: { returns: 'other_album' },
    arguments: { arguments: null },
    description: { description: null },
  },
  respelled: [{ stored_procedure: { name: 'top_albums' }, exposed_as: null }],
}

export const otherSourceSamples: readonly KindSample[] = [mssqlSource, bigquerySource, storedProcedure]

/** The kinds that no source of PostgreSQL has a use for. */
export const onlyElsewhere: ReadonlySet<string> = new Set(otherSourceSamples.map(({ kind }) => kind))

/** Attributes, at any depth, that are for other sources, and the one that has a single value. */
export const isOnlyElsewhere = (kind: string, path: string): boolean =>
  /(^|\.)dataset$/.test(path) ||
  (kind === 'ComputedField' && /^(argument_mapping|return_table)(\.|$)/.test(path)) ||
  (kind === 'StoredProcedure' && path === 'exposed_as')
