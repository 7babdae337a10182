/** A source. */
import type { KindSample } from './kind-sample.fixture.ts'
import type { Values } from './value.ts'

export const source = (databaseUrl: string, urlFile: string): KindSample => ({
  kind: 'Source',
  base: {
    name: 'other',
    database_url: databaseUrl,
    database_url_from_env: null,
    database_url_from_file: null,
    connection_parameters: null,
    database_url_wo: null,
    database_url_wo_version: null,
    isolation_level: 'read-committed',
    pool_settings: {
      max_connections: 5,
      total_max_connections: null,
      idle_timeout: 180,
      retries: 1,
      pool_timeout: null,
      connection_lifetime: 600,
    },
    ssl_configuration: { sslmode: 'disable', sslrootcert: null, sslcert: null, sslkey: null, sslpassword: null },
    use_prepared_statements: false,
    read_replicas: null,
    extensions_schema: 'public',
    connection_template: null,
    connection_set: null,
    customization: {
      root_fields: { namespace: null, prefix: 'x_', suffix: null },
      type_names: { prefix: 'X', suffix: null },
      naming_convention: null,
    },
    health_check: { test: { sql: 'SELECT 1' }, interval: 60, retries: 3, retry_interval: 10, timeout: 10 },
  },
  changes: {
    name: { name: 'another' },
    database_url: { database_url: `${databaseUrl}?application_name=x` },
    database_url_from_env: { database_url: null, database_url_from_env: 'SVC_TEST_OTHER_URL' },
    database_url_from_file: { database_url: null, database_url_from_file: urlFile },
    connection_parameters: { database_url: null, connection_parameters: parametersOf(databaseUrl) },
    database_url_wo: {
      database_url: null,
      database_url_wo: `${databaseUrl}?application_name=w`,
      database_url_wo_version: 1,
    },
    database_url_wo_version: {
      database_url: null,
      database_url_wo: `${databaseUrl}?application_name=w`,
      database_url_wo_version: 2,
    },
    isolation_level: { isolation_level: 'serializable' },
    pool_settings: { pool_settings: { max_connections: 7 } },
    ssl_configuration: { ssl_configuration: null },
    use_prepared_statements: { use_prepared_statements: true },
    read_replicas: { read_replicas: [{ database_url: databaseUrl }] },
    extensions_schema: { extensions_schema: 'shop' },
    connection_template: { connection_template: { template: '{{ $.default }}' } },
    connection_set: {
      connection_set: [
        { name: 'a', connection_info: { database_url: databaseUrl, isolation_level: 'serializable' } },
        { name: 'b', connection_info: { database_url_from_env: 'SVC_TEST_OTHER_URL' } },
        { name: 'c', connection_info: { database_url_from_file: urlFile } },
        { name: 'd', connection_info: { connection_parameters: parametersOf(databaseUrl) } },
      ],
    },
    customization: { customization: { root_fields: { suffix: '_y' } } },
    health_check: { health_check: null },
  },
  respelled: [
    { isolation_level: null, use_prepared_statements: null, extensions_schema: null },
    { health_check: { test: {}, interval: 60 } },
    { pool_settings: { connection_lifetime: 600, idle_timeout: 180, max_connections: 5, retries: 1 } },
  ],
})

function parametersOf(databaseUrl: string): Values {
  const { username, password, hostname, port, pathname } = new URL(databaseUrl)
  return {
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    host: hostname,
    port: Number(port || 5432),
    database: pathname.slice(1),
  }
}
