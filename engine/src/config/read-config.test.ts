import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  configurationDocument,
  type Environment,
  FatalError,
  helpText,
  isLocalOrigin,
  isOriginListed,
  parseArguments,
  readConfig,
  shownConfig,
} from './index.ts'
import { settingKeys, settings } from './settings.ts'

const database = { SVC_GRAPHQL_DATABASE_URL: 'postgres://u:geheim@h/d' }
const read = (line: string, environment: Environment = database) =>
  readConfig(parseArguments(line.split(' ').filter((word) => word !== '')).flags, environment)

function fatal(line: string, environment: Environment = database): string {
  try {
    read(line, environment)
  } catch (error) {
    assert.ok(error instanceof FatalError)
    return error.message
  }
  return assert.fail('was accepted')
}

test('a flag wins over the environment, that over the default', () => {
  const environment = { ...database, SVC_GRAPHQL_SERVER_PORT: '9000' }
  assert.equal(read('').serverPort, 8080)
  assert.equal(read('', environment).serverPort, 9000)
  assert.equal(read('serve --server-port 9001', environment).serverPort, 9001)
  assert.equal(read('--server-port=9001 serve', environment).serverPort, 9001)
})

test('without any database the error names the three ways to give one', () => {
  const message = fatal('', {})
  assert.match(message, /^Fatal Error: Either of --metadata-database-url or --database-url option expected/)
  assert.match(message, /--embedded/)
})

test('a bad variable is named with the reason', () => {
  assert.equal(
    fatal('', { ...database, SVC_GRAPHQL_SERVER_PORT: '80a' }),
    'Fatal Error:- Environment variable SVC_GRAPHQL_SERVER_PORT: expected a whole number from 0 to 65535, but got "80a"',
  )
  assert.match(fatal('', { ...database, SVC_GRAPHQL_DEV_MODE: '1' }), /SVC_GRAPHQL_DEV_MODE: Not a valid boolean text/)
  assert.match(fatal('', { ...database, SVC_GRAPHQL_EXPERIMENTAL_FEATURES: 'nope' }), /got "nope"/)
  assert.match(fatal('', { ...database, SVC_GRAPHQL_CORS_DOMAIN: 'a.io' }), /invalid domain: 'a\.io'/)
  assert.match(fatal('--server-prot 1'), /unknown flag: --server-prot/)
})

test('a secret that cannot be read is not printed', () => {
  assert.ok(!fatal('', { ...database, SVC_GRAPHQL_ADMIN_SECRETS: '["geheim' }).includes('geheim'))
})

test('environment booleans are the eight words in any case', () => {
  for (const word of ['true', 'T', 'Yes', 'y'])
    assert.equal(read('', { ...database, SVC_GRAPHQL_DEV_MODE: word }).devMode, true)
  for (const word of ['false', 'F', 'No', 'n'])
    assert.equal(read('', { ...database, SVC_GRAPHQL_DEV_MODE: word }).devMode, false)
})

test('a switch needs no value, and takes one', () => {
  assert.equal(read('serve --dev-mode --server-port 1').devMode, true)
  assert.equal(read('serve --admin-internal-errors false').adminInternalErrors, false)
  assert.equal(read('serve --disable-close-websockets-on-metadata-change').closeWebsocketsOnMetadataChange, false)
})

test('the metadata database is the source database unless it is given', () => {
  assert.deepEqual(read('').database, {
    kind: 'given',
    metadataUrl: 'postgres://u:geheim@h/d',
    source: { url: 'postgres://u:geheim@h/d', fromEnvironment: true },
  })
  assert.deepEqual(read('--metadata-database-url postgres://m/m', {}).database, {
    kind: 'given',
    metadataUrl: 'postgres://m/m',
    source: null,
  })
  assert.deepEqual(read('--host h -p 1 -u u --password p/w -d d', {}).database, {
    kind: 'given',
    metadataUrl: 'postgresql://u:p%2Fw@h:1/d',
    source: { url: 'postgresql://u:p%2Fw@h:1/d', fromEnvironment: false },
  })
})

test('the embedded database and a given one exclude each other', () => {
  assert.equal(read('--embedded', {}).database.kind, 'embedded')
  assert.match(fatal('--embedded'), /--embedded brings its own database/)
})

test('without an admin secret it listens on the loopback address and answers local pages only', () => {
  const open = read('')
  assert.deepEqual([open.listenHost, open.localPagesOnly], ['127.0.0.1', true])
  const secured = read('--admin-secret x')
  assert.deepEqual([secured.listenHost, secured.localPagesOnly], ['*', false])
  const wished = read('--server-host 0.0.0.0 --cors-domain https://a.io')
  assert.deepEqual([wished.listenHost, wished.localPagesOnly], ['0.0.0.0', false])
})

test('what guards access is refused rather than ignored', () => {
  assert.equal(read('--enable-allowlist true').enableAllowlist, true)
  assert.match(fatal('', { ...database, SVC_GRAPHQL_ADMIN_SECRET: '' }), /SVC_GRAPHQL_ADMIN_SECRET: is empty/)
})

test('variables of the reference engine are named, with those that count here', () => {
  const environment = {
    HASURA_GRAPHQL_DATABASE_URL: 'postgres://x',
    HASURA_GRAPHQL_ODD: '1',
    SVC_GRAPHQL_DEV_MODE: 'true',
  }
  assert.match(
    fatal('', environment),
    /HASURA_GRAPHQL_DATABASE_URL \(here SVC_GRAPHQL_DATABASE_URL\), HASURA_GRAPHQL_ODD \(no counterpart\)$/,
  )
})

test('an empty list of log types is an empty list, other empty variables are not set', () => {
  assert.equal(read('', { ...database, SVC_GRAPHQL_ENABLED_LOG_TYPES: '' }).enabledLogTypes.size, 0)
  assert.equal(read('', { ...database, SVC_GRAPHQL_SERVER_PORT: '' }).serverPort, 8080)
})

test('the shown configuration holds no secret', () => {
  const shown = JSON.stringify(shownConfig(read('--admin-secret geheim --admin-secrets ["geheim2"]')))
  assert.ok(!shown.includes('geheim'))
  assert.ok(shown.includes('"admin_secret_set":true'))
})

test('a wildcard of a CORS domain stands for exactly one label', () => {
  const { corsDomain } = read('--cors-domain https://*.a.io,http://b.io:3000')
  const allowed = (origin: string) => isOriginListed(corsDomain, origin)
  assert.ok(allowed('https://x.a.io') && allowed('http://b.io:3000') && allowed('https://x.a.io:443'))
  for (const origin of ['https://a.io', 'https://y.x.a.io', 'http://x.a.io', 'http://b.io', 'https://xa.io', 'null'])
    assert.ok(!allowed(origin), origin)
})

test('local pages are those of loopback names', () => {
  for (const origin of ['http://localhost:3000', 'https://app.localhost', 'http://127.0.0.1', 'http://[::1]:80'])
    assert.ok(isLocalOrigin(origin), origin)
  for (const origin of ['http://localhost.evil.io', 'http://127.0.0.1.evil.io', 'null', 'https://evil.io'])
    assert.ok(!isLocalOrigin(origin), origin)
})

test('docs/configuration.md is what the table says (UPDATE_DOCS=1 writes it)', () => {
  const file = new URL('../../../docs/configuration.md', import.meta.url)
  if (process.env.UPDATE_DOCS) writeFileSync(file, configurationDocument())
  assert.equal(readFileSync(file, 'utf8'), configurationDocument())
})

test('docs/graphql.md has the defaults of its bounds', () => {
  const rows = readFileSync(new URL('../../../docs/graphql.md', import.meta.url), 'utf8').matchAll(
    /\| `(--[a-z-]+)` \| ([\d,]+) \|/g,
  )
  const bounds = [...rows].map(([, flag, most = '']) => `| \`${flag}\` | ${most.replaceAll(',', '')}`)
  const defaults = [...configurationDocument().matchAll(/^(\| `--[a-z-]+` \|) `[A-Z_]+` \| `(\d+)`/gm)]
  const known = new Set(defaults.map(([, flag, value]) => `${flag} ${value}`))
  assert.ok(bounds.length > 7)
  assert.deepEqual(
    bounds.filter((bound) => !known.has(bound)),
    [],
  )
})

test('help names every flag of the documentation', () => {
  const help = helpText()
  for (const [, flag] of configurationDocument().matchAll(/^\| `(--[a-z0-9-]+)`/gm))
    assert.ok(help.includes(`${flag}`), flag)
})

test('what has nothing to do here takes its default only, and says why', () => {
  for (const words of ['--enable-telemetry false', '--metadata-database-extensions-schema public']) read(words)
  for (const [words, why] of [
    ['--enable-telemetry', /only "false" is taken\. The engine reports nothing/],
    ['--metadata-database-extensions-schema extra', /only "public" is taken\. The catalogue needs no extension/],
  ] as const)
    assert.throws(() => read(words), why)
})

/** Of reference/server#settings, by their variables where these have other names. */
const flagsOfContract = `
  database-url metadata-database-url NO_OF_RETRIES server-port server-host PG_CONNECTIONS PG_TIMEOUT PG_CONN_LIFETIME
  PG_POOL_TIMEOUT use-prepared-statements TX_ISOLATION admin-secret access-key auth-hook auth-hook-mode
  auth-hook-send-request-body jwt-secret unauthorized-role cors-domain disable-cors ws-read-cookie enable-console
  console-assets-dir enabled-apis stringify-numeric-types v1-boolean-null-collapse enable-allowlist
  live-queries-multiplexed-refetch-interval live-queries-multiplexed-batch-size
  streaming-queries-multiplexed-refetch-interval streaming-queries-multiplexed-batch-size infer-function-permissions
  enable-remote-schema-permissions configured-header-precedence dev-mode admin-internal-errors enabled-log-types log-level
  enable-metadata-query-logging http-log-query-only-on-error events-http-pool-size events-fetch-interval
  events-fetch-batch-size async-actions-fetch-interval async-actions-fetch-batch-size disable-eventing
  schema-sync-poll-interval enable-maintenance-mode experimental-features default-naming-convention
  graceful-shutdown-timeout websocket-keepalive websocket-connection-init-timeout CONNECTION_COMPRESSION
  CLOSE_WEBSOCKETS_ON_METADATA_CHANGE metadata-database-extensions-schema enable-apollo-federation enable-relay
  preserve-401-errors remote-schema-prioritize-data remote-schema-skip-nulls BACKWARDS_COMPAT_NULL_IN_NONNULLABLE_VARIABLES
  enable-triggers-error-log-level disable-native-query-validation ENABLE_QUERY_TRACING PG_STRIPES server-timeout
  max-total-header-length metadata-defaults log-masked-variables enable-telemetry`
  .trim()
  .split(/\s+/)

test('each flag of the contract is known, and each that is known is read by the engine or refused', () => {
  const known = new Set(settingKeys.map((key) => settings[key].env))
  for (const flag of flagsOfContract) assert.ok(known.has(flag.replaceAll('-', '_').toUpperCase()), flag)
  const root = new URL('../', import.meta.url).pathname
  const files = globSync(`${root}**/*.ts`).filter((path) => !/\.test\.ts$|config\/(settings|setting)[^/]*$/.test(path))
  const words = new Set(files.flatMap((path) => readFileSync(path, 'utf8').match(/\b[A-Za-z0-9]+\b/g) ?? []))
  const unread = settingKeys.filter((key) => settings[key].served && !words.has(key))
  assert.deepEqual(unread, [])
})
