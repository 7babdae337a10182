import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { PostgresConfiguration } from '@svc/schema'
import { UnresolvedConfiguration } from '../source-configuration.ts'
import { connectionSettings } from './connection-settings.ts'

type Url = PostgresConfiguration['connection_info']['database_url']

const environment = { DB: 'postgres://from-env/x', HOST: 'h', CERT: 'PEM' }
const read = (info: Partial<PostgresConfiguration['connection_info']>, more: Partial<PostgresConfiguration> = {}) =>
  connectionSettings(
    'default',
    {
      connection_info: { database_url: 'postgres://a/b', ...info } as PostgresConfiguration['connection_info'],
      ...more,
    },
    environment,
    { usePreparedStatements: true },
  )
const urlOf = (database_url: Url) => read({ database_url }).databaseUrl

test('a source that says nothing but its URL gets the settings of reference/metadata-operations#sources', () => {
  assert.deepEqual(read({}), {
    source: 'default',
    databaseUrl: 'postgres://a/b',
    maxConnections: 50,
    idleTimeout: 180,
    connectionLifetime: 600,
    poolTimeout: null,
    retries: 1,
    isolationLevel: 'read-committed',
    usePreparedStatements: true,
    extensionsSchema: null,
    ssl: null,
  })
})

test('what a source says of its pool holds, the total limits it', () => {
  const pool_settings = {
    max_connections: 20,
    total_max_connections: 8,
    idle_timeout: 5,
    retries: 3,
    pool_timeout: 2,
    connection_lifetime: 0,
  }
  const { maxConnections, idleTimeout, retries, poolTimeout, connectionLifetime } = read({ pool_settings })
  assert.deepEqual([maxConnections, idleTimeout, retries, poolTimeout, connectionLifetime], [8, 5, 3, 2, 0])
})

test('a URL may come from variables, parts or a file', (t) => {
  assert.equal(urlOf({ from_env: 'DB' }), 'postgres://from-env/x')
  assert.equal(urlOf('postgres://{{HOST}}/{{ HOST }}'), 'postgres://h/h')
  const parts = { username: 'a b', password: 'p@:/', host: 'h', port: 5433, database: 'x/y' }
  assert.equal(urlOf({ connection_parameters: parts }), 'postgres://a%20b:p%40%3A%2F@h:5433/x%2Fy')
  assert.equal(
    urlOf({ connection_parameters: { username: 'u', host: '/run/pg', port: 5432, database: 'd' } }),
    'postgres://u@localhost:5432/d?host=%2Frun%2Fpg',
  )
  const folder = mkdtempSync(join(tmpdir(), 'svc-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'url'), 'postgres://file/x\n')
  assert.equal(urlOf({ dynamic_from_file: join(folder, 'url') }), 'postgres://file/x')
})

test('what is not there is named', () => {
  const refused = (url: Url, message: RegExp) =>
    assert.throws(
      () => urlOf(url),
      (error) => error instanceof UnresolvedConfiguration && message.test(error.message),
    )
  refused({ from_env: 'NOPE' }, /^environment variable 'NOPE' not set$/)
  refused('postgres://{{NOPE}}', /'NOPE' not set/)
  refused({ from_env: 'constructor' }, /'constructor' not set/)
  refused({ dynamic_from_file: '/not/there' }, /'\/not\/there'.* cannot be read/)
})

test('a URL is read from a regular file of 64 KB at most', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'url')
  const refused = (path: string) => assert.throws(() => urlOf({ dynamic_from_file: path }), UnresolvedConfiguration)
  writeFileSync(file, 'postgres://file/x'.padEnd(65_536))
  assert.equal(urlOf({ dynamic_from_file: file }), 'postgres://file/x')
  writeFileSync(file, 'postgres://file/x'.padEnd(65_537))
  for (const path of [file, folder, '/dev/null']) refused(path)
})

test('certificates are read from variables', () => {
  const { ssl } = read({ ssl_configuration: { sslmode: 'verify-ca', sslrootcert: { from_env: 'CERT' } } })
  assert.deepEqual(ssl, { mode: 'verify-ca', rootCertificate: 'PEM', certificate: null, key: null, password: null })
})

test('the schema of extensions is reported unless it is public', () => {
  assert.equal(read({}, { extensions_schema: 'ext' }).extensionsSchema, 'ext')
  assert.equal(read({}, { extensions_schema: 'public' }).extensionsSchema, null)
})
