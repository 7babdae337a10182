import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode } from '../decode.ts'
import { bigqueryConfiguration } from './source-bigquery.ts'
import { mssqlConfiguration } from './source-mssql.ts'

const read = (schema: Parameters<typeof decode>[0], json: unknown) => {
  const decoded = decode(schema, json)
  return decoded.ok ? decoded.value : decoded.issue.path.join('.')
}

test('a connection to SQL Server is a string or a variable, and database_url counts where both are there', () => {
  const one = (connection_info: object) => read(mssqlConfiguration, { connection_info })
  assert.deepEqual(one({ connection_string: 'a', database_url: { from_env: 'B' } }), {
    connection_info: { connection_string: { from_env: 'B' } },
  })
  const whole = {
    connection_string: 'Server=db',
    pool_settings: { max_connections: 5, total_max_connections: 9, idle_timeout: 2.5 },
    isolation_level: 'snapshot',
  }
  const replicas = {
    connection_info: whole,
    read_replicas: [{ connection_string: 'b', pool_settings: { enable: false } }],
  }
  assert.deepEqual(read(mssqlConfiguration, replicas), replicas)
  assert.equal(one({ ...whole, isolation_level: 'read' }), 'connection_info.isolation_level')
  assert.equal(
    one({ ...whole, pool_settings: { max_connections: -1 } }),
    'connection_info.pool_settings.max_connections',
  )
  assert.equal(one({ database_url: 7 }), 'connection_info.database_url')
})

test('what BigQuery needs is given as values, texts or variables, and exported as it was given', () => {
  const account = { client_email: 'a@b', private_key: 'k', project_id: 'p', token_uri: 'kept' }
  for (const configuration of [
    { service_account: account, project_id: 'acme', datasets: ['music'], global_select_limit: 10 },
    { service_account: JSON.stringify(account), project_id: 7, datasets: { from_env: 'D' }, retry_limit: '0' },
    {
      service_account: { from_env: 'KEY' },
      project_id: { from_env: 'P' },
      datasets: [],
      retry_base_delay: { from_env: 'DELAY' },
      maximum_bytes_billed: '10000000000',
    },
  ])
    assert.deepEqual(read(bigqueryConfiguration, configuration), configuration)
  const small = { service_account: 'x', project_id: 'p', datasets: ['d'] }
  for (const [key, value] of [
    ['service_account', 7],
    ['project_id', true],
    ['datasets', 'music'],
    ['global_select_limit', false],
  ] as const)
    assert.equal(read(bigqueryConfiguration, { ...small, [key]: value }), key)
  assert.equal(read(bigqueryConfiguration, { ...small, service_account: { client_email: 'a' } }), 'service_account')
})
