import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionCodecs, connectionsOfJson } from './source-connection.ts'

const parameters = { username: 'u', host: 'h', port: 5432, database: 'd' }
const attributes = {
  read_replicas: [
    { database_url: 'postgres://h/d', isolation_level: 'serializable' },
    { database_url_from_env: 'URL', use_prepared_statements: true },
    { database_url_from_file: '/url' },
    { connection_parameters: parameters },
  ],
  connection_set: [{ name: 'a', connection_info: { database_url_from_env: 'URL' } }],
}
const metadata = {
  read_replicas: [
    { database_url: 'postgres://h/d', isolation_level: 'serializable' },
    { database_url: { from_env: 'URL' }, use_prepared_statements: true },
    { database_url: { dynamic_from_file: '/url' } },
    { database_url: { connection_parameters: parameters } },
  ],
  connection_set: [{ name: 'a', connection_info: { database_url: { from_env: 'URL' } } }],
}

for (const name of ['read_replicas', 'connection_set'] as const)
  test(`${name} are the same in the metadata and back`, () => {
    const { encode, decode } = connectionCodecs[name]
    assert.deepEqual(encode?.(attributes[name]), metadata[name])
    assert.deepEqual(decode?.(metadata[name]), attributes[name])
    assert.equal(decode?.(undefined), undefined)
  })

test('a place in the metadata is that of the attribute', () => {
  const { read_replicas, connection_set } = connectionCodecs
  assert.deepEqual(read_replicas.decodePath?.([1, 'database_url', 'from_env']), [1, 'database_url_from_env'])
  assert.deepEqual(read_replicas.decodePath?.([0, 'database_url']), [0, 'database_url'])
  assert.deepEqual(
    connection_set.decodePath?.([0, 'connection_info', 'database_url', 'connection_parameters', 'host']),
    [0, 'connection_info', 'connection_parameters', 'host'],
  )
  assert.deepEqual(connection_set.decodePath?.([0, 'name']), [0, 'name'])
})

test('a state of when they were JSON is upgraded, of a text and of a value', () => {
  const template = { version: 1, template: '{{$.default}}' }
  const before = { name: 'a', ...metadata, connection_template: template }
  const after = { name: 'a', ...attributes, connection_template: template }
  assert.deepEqual(connectionsOfJson(before), after)
  const texts = Object.fromEntries(
    Object.entries(before).map(([key, json]) => [key, key === 'name' ? json : JSON.stringify(json)]),
  )
  assert.deepEqual(connectionsOfJson(texts), after)
  assert.deepEqual(connectionsOfJson({ name: 'a' }), { name: 'a' })
})
