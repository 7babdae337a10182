/** Every name that a request may have, of every kind of source, with every scope, on each endpoint and in each form. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allBackends } from '../../engine/src/backends/index.ts'
import { settingKeys, settings } from '../../engine/src/config/settings.ts'
import { draftOperations } from '../../engine/src/drafts/index.ts'
import { ApiError } from '../../engine/src/errors.ts'
import { eventOperations } from '../../engine/src/events/index.ts'
import { type AdminEndpoint, requestTable, requireGranted } from '../../engine/src/requests/index.ts'
import { scheduleOperations } from '../../engine/src/schedules/index.ts'
import type { Access } from '../../engine/src/session.ts'
import { getUsage } from '../../engine/src/usage/index.ts'
import { allowed, type Scope, scopes } from './scopes.ts'

// the stacks of a hundred thousand refusals took most of the time
Error.stackTraceLimit = 0

const never = () => {
  throw new Error('nothing is answered here')
}
const table = requestTable(
  allBackends.flatMap(({ kinds }) => kinds),
  {
    inSources: eventOperations(never),
    others: [...scheduleOperations, getUsage(null), ...draftOperations({ modelOf: never })],
  },
)
const prefixes = table.kinds.flatMap((kind) => kind.prefixes)
const paths = ['/v1/metadata', '/v1/query', '/v2/query'] as const

const withScopes = (...given: Access['scopes']): Access => ({ name: 'ci', actor: 'token ci', scopes: given })

function isGranted(access: Access, path: AdminEndpoint, body: unknown): boolean {
  try {
    requireGranted(access, table, path, body)
    return true
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'access-denied', String(error))
    return false
  }
}

/** `mssql_track_table` -> `track_table` */
function plainName(type: string): string {
  const prefix = prefixes.find((one) => type.startsWith(`${one}_`))
  return prefix === undefined ? type : type.slice(prefix.length + 1)
}

/** What an endpoint takes but for bulks, whose members count. */
function takes(path: AdminEndpoint, type: string): boolean {
  const endpoint = table.endpoints[path]
  return (
    endpoint.operation(type, 1) !== undefined ||
    endpoint.operation(type, 2) !== undefined ||
    endpoint.read(type, 1) !== undefined ||
    endpoint.runSql.has(type) ||
    endpoint.stored.has(type) ||
    (endpoint.reloads && /^reload_(metadata|remote_schema)$/.test(type))
  )
}

/** A request in every form that it can be sent in, with whether the form is tried alone. */
function* forms(path: AdminEndpoint, type: string): Generator<readonly [body: object, isDry: boolean]> {
  const mayDry = path === '/v1/metadata'
  const bulks = [...table.endpoints[path].bulks.keys()]
  for (const one of [
    { type, args: 0 },
    { type, version: 2, args: { metadata: {} } },
    { type, args: { source: 'default', dry_run: true } },
  ]) {
    yield [one, false]
    for (const dry of [true, { plan: 'x' }, { draft: true }]) yield [{ ...one, dry_run: dry }, mayDry]
    for (const dry of [false, null, 'true', 1, []]) yield [{ ...one, dry_run: dry }, false]
    for (const bulk of bulks) {
      const nested = { type: bulk, args: [{ type: bulk, args: [one] }] }
      yield [nested, false]
      yield [{ ...nested, dry_run: true }, mayDry]
      // what a member says of itself counts for nothing
      yield [{ type: bulk, args: [{ ...one, dry_run: true }] }, false]
    }
  }
}

test('each scope allows each request as the documentation says, under every prefix, in every form', () => {
  const types = [...table.types].filter((type) => !table.endpoints['/v1/metadata'].bulks.has(type))
  assert.ok(types.length > 450, String(types.length))
  let cells = 0
  for (const type of [...types, 'nothing_of_the_kind', 'dc_add_agent', 'sqlite_track_table'])
    for (const path of paths)
      for (const [body, isDry] of forms(path, type))
        for (const allow of scopes) {
          cells += 1
          const may = takes(path, type) && allowed(allow, plainName(type), isDry)
          assert.equal(isGranted(withScopes({ allow }), path, body), may, `${allow} ${path} ${JSON.stringify(body)}`)
        }
  assert.ok(cells > 100_000, String(cells))
})

test('what is no request, or one in another spelling, is allowed by no scope', () => {
  const everything = withScopes(...scopes.map((allow: Scope) => ({ allow })))
  for (const path of paths)
    for (const body of [
      null,
      [],
      [{ type: 'export_metadata', args: {} }],
      'export_metadata',
      {},
      { type: ['export_metadata'], args: {} },
      { type: 'bulk', args: { 0: { type: 'export_metadata', args: {} } } },
      { type: 'bulk', args: [null] },
      { type: 'bulk', args: [[{ type: 'export_metadata', args: {} }]] },
      ...[
        'Export_Metadata',
        ' export_metadata',
        'export_metadata\0',
        'pg_export_metadata',
        'PG_track_table',
        '__proto__',
      ].map((type) => ({ type, args: {} })),
    ])
      assert.equal(isGranted(everything, path, body), false, `${path} ${JSON.stringify(body)}`)
})

test('no setting that holds a secret is named by a request of a token', () => {
  const change = withScopes({ allow: 'change' })
  const secret = settingKeys.flatMap((key) => (settings[key].secret && settings[key].env ? [settings[key].env] : []))
  assert.ok(secret.length > 5, String(secret))
  for (const name of secret)
    for (const prefix of ['SVC_GRAPHQL_', 'HASURA_GRAPHQL_'])
      for (const definition of [
        { url: `http://127.0.0.1:1/{{${prefix}${name}}}` },
        { url_from_env: prefix + name },
        { url: { from_env: prefix + name } },
        { url: 'http://127.0.0.1:1', headers: [{ name: 'x', value_from_env: prefix + name }] },
      ])
        for (const dry_run of [true, false]) {
          const body = { type: 'add_remote_schema', args: { name: 'r', definition }, dry_run }
          assert.equal(isGranted(change, '/v1/metadata', body), false, prefix + name)
        }
  // but a source is connected by one
  const configuration = { connection_info: { database_url: { from_env: 'SVC_GRAPHQL_DATABASE_URL' } } }
  for (const body of [
    { type: 'pg_add_source', args: { name: 's', configuration } },
    {
      type: 'replace_metadata',
      args: { version: 3, sources: [{ name: 's', kind: 'postgres', tables: [], configuration }] },
    },
  ])
    assert.ok(isGranted(change, '/v1/metadata', body))
})
