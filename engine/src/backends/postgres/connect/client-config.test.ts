import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConnectionSettings, SslSettings } from '../../backend.ts'
import { clientConfig } from './client-config.ts'
import { settingsFor } from './settings.fixture.ts'
import { SourceClient } from './wire.ts'

/** What pg makes of the settings. */
function understood(databaseUrl: string, over: Partial<ConnectionSettings> = {}) {
  const client = new SourceClient(clientConfig({ ...settingsFor(databaseUrl), ...over }))
  const { host, port, user, password, database, ssl } = client
  return { host, port, user, password, database, ssl }
}

test('URLs and keyword=value pairs are understood alike', () => {
  const expected = { host: 'db', port: 6543, user: 'a b', password: "p'\\@", database: 'my db', ssl: false }
  assert.deepEqual(understood("postgres://a%20b:p'%5C%40@db:6543/my%20db"), expected)
  assert.deepEqual(understood(String.raw`host=db port=6543 user='a b' password='p\'\\@' dbname = 'my db'`), expected)
  assert.equal(understood('postgres:///x?host=/run/pg').host, '/run/pg')
  assert.equal(understood('host=/run/pg user=a dbname=x').host, '/run/pg')
  assert.throws(() => understood('gibberish'), /neither postgres/)
})

test('sslmode means what libpq takes it for', () => {
  const ssl = (mode: string) => understood(`postgres://a@db/x?sslmode=${mode}`).ssl as unknown
  for (const mode of ['disable', 'allow', 'prefer']) assert.equal(ssl(mode), false)
  assert.deepEqual(ssl('require'), { rejectUnauthorized: false })
  assert.deepEqual(ssl('verify-full'), {})
})

test('ssl_configuration verifies as much as its mode says', () => {
  const base: SslSettings = { mode: 'require', rootCertificate: null, certificate: null, key: null, password: null }
  const ssl = (over: Partial<SslSettings>) =>
    understood('postgres://a@db/x', { ssl: { ...base, ...over } }).ssl as unknown as Record<string, unknown> | false
  assert.equal(ssl({ mode: 'disable' }), false)
  const require = ssl({})
  assert.ok(require && require.rejectUnauthorized === false)
  const withRoot = ssl({ rootCertificate: 'PEM' })
  assert.ok(withRoot && withRoot.rejectUnauthorized === true && withRoot.ca === 'PEM' && withRoot.checkServerIdentity)
  const full = ssl({ mode: 'verify-full', certificate: 'C', key: 'K', password: 'P' })
  assert.ok(full && full.rejectUnauthorized === true && full.checkServerIdentity === undefined)
  assert.deepEqual([full.cert, full.key, full.passphrase], ['C', 'K', 'P'])
})
