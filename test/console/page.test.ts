import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { address, emptyDocument, readMetadata, sourceAddress, tableAddress } from '@svc/schema'
import { buildSchema } from 'graphql'
import { draftOf, planDrafts } from '../../console/src/change/drafted.ts'
import { exportsOf } from '../../console/src/change/exports.ts'
import { conditionText } from '../../console/src/data/condition-text.ts'
import { placeAtEnd } from '../../console/src/edit/graphql-place.ts'
import { ownedOf } from '../../console/src/engine/owners.ts'
import type { ObjectKey } from '../../console/src/navigate/object-address.ts'
import { tableViews, views } from '../../console/src/navigate/views.ts'
import { kinOf, relationsOf, useOf, usesOf } from '../../console/src/relate/relations.ts'
import { prepareConsole } from '../../tools/start/build-console.ts'
import { type Engine, startEngine } from '../engine.ts'

const folder = join(import.meta.dirname, '../../console/page')
let engine: Engine
/** Of the page, without the licences. */
let files: readonly string[]

before(async () => {
  await prepareConsole(process.cwd())
  files = readdirSync(folder).filter((name) => !name.endsWith('.txt'))
})

test('the page is served with a policy, names its files whatever stands before them, and leads to no other file', async (t) => {
  engine = await startEngine({ env: { SVC_GRAPHQL_ENABLE_CONSOLE: 'true', SVC_GRAPHQL_HEADER_PREFIX: 'X-Shop-' } }, t)
  const page = await engine.get('/console')
  assert.equal(page.status, 200)
  assert.equal(
    page.headers['content-security-policy'],
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  assert.match(page.text, /<script type="module" src="console\/console.js">/)
  assert.match(page.text, /content="X-Shop-"/)
  assert.match((await engine.get('/console/data/x')).text, /src="\.\.\/\.\.\/console\/console\.js"/)
  const types: Readonly<Record<string, RegExp>> = { js: /javascript/, css: /css/, svg: /svg/ }
  for (const name of files.filter((one) => one !== 'page.html'))
    assert.match(
      String((await engine.get(`/console/${name}`)).headers['content-type']),
      types[name.split('.').at(-1) ?? ''] ?? /^$/,
      name,
    )
  assert.match((await engine.get('/console/page.html')).text, /<div id="console">/)
  assert.doesNotMatch((await engine.get('/console/%2e%2e/package.json')).text, /@svc\/console/)
})

test('the page takes at most 250 kB, compressed', () => {
  const sizes = files.map((name) => gzipSync(readFileSync(join(folder, name))).length)
  const all = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(all < 250_000, `${all} bytes`)
})

test('conditions are read out', () => {
  const read = [
    [{}, ''],
    [{ id: { _eq: 'X-Svc-Id' } }, 'id = X-Svc-Id'],
    [{ _or: [{ a: { _gt: 1, _lt: 5 } }, { b: { _is_null: true } }] }, '(a > 1 and a < 5) or b is null'],
    [{ _not: { owner: { name: { _in: ['x', 'y'] } } } }, 'not (owner.name in ["x","y"])'],
    [{ _exists: { _table: { schema: 'public', name: 'plan' }, _where: { id: { _eq: 1 } } } }, 'some plan with id = 1'],
    [{ _or: [] }, 'no row'],
    [{ a: 5 }, 'a = 5'],
  ] as const
  for (const [condition, text] of read) assert.equal(conditionText(condition), text)
})

const shop = readMetadata({
  version: 3,
  sources: [
    {
      name: 'default',
      kind: 'postgres',
      configuration: { connection_info: { database_url: 'postgres://x' } },
      tables: [
        { table: 'artist', array_relationships: [{ name: 'albums', using: { foreign_key_constraint_on: { table: 'album', column: 'artist_id' } } }] },
        {
          table: 'album',
          object_relationships: [{ name: 'artist', using: { foreign_key_constraint_on: 'artist_id' } }],
          computed_fields: [{ name: 'label', definition: { function: 'album_label' } }],
          remote_relationships: [{ name: 'stock', definition: { to_remote_schema: { remote_schema: 'stock', lhs_fields: ['id'], remote_field: { of: { arguments: { id: '$id' } } } } } }],
          select_permissions: [{ role: 'listener', permission: { columns: ['id'], filter: {} } }],
          event_triggers: [{ name: 'on_album', definition: { insert: { columns: '*' } }, webhook: 'http://x' }],
        },
      ],
      functions: [{ function: 'search', permissions: [{ role: 'listener' }] }],
    },
  ],
  remote_schemas: [{ name: 'stock', definition: { url: 'http://x' }, permissions: [{ role: 'clerk', definition: { schema: 'type Query { of(id: Int): Int }' } }] }],
  actions: [{ name: 'shout', definition: { handler: 'http://x', output_type: 'Words', kind: 'synchronous' }, permissions: [{ role: 'listener' }] }],
  custom_types: { objects: [{ name: 'Words', fields: [{ name: 'text', type: 'String' }] }] },
  query_collections: [{ name: 'stored', definition: { queries: [{ name: 'one', query: '{ album { id } }' }] } }],
  allowlist: [{ collection: 'stored', scope: { global: false, roles: ['clerk'] } }],
  rest_endpoints: [{ name: 'one', url: 'one', methods: ['GET'], definition: { query: { collection_name: 'stored', query_name: 'one' } } }],
  inherited_roles: [{ role_name: 'manager', role_set: ['listener', 'clerk'] }],
  cron_triggers: [{ name: 'nightly', webhook: 'http://x', schedule: '0 3 * * *', include_in_metadata: true }],
}) // biome-ignore format: an object a line

test('what an object depends on, what uses it and who may use it is known of every kind, both ways', () => {
  assert.ok(shop.ok)
  const { document } = shop
  const source = sourceAddress('default')
  const album = tableAddress('default', { schema: 'public', name: 'album' })
  const keys = [{ type: 'object', from: { table: { schema: 'public', name: 'album' }, columns: ['artist_id'] }, to: { table: { schema: 'public', name: 'artist' } } }] // biome-ignore format: one
  const seen = (of: Parameters<typeof relationsOf>[1], settings = {}) => {
    const { dependsOn, usedBy } = relationsOf(document, of, keys)
    const { roles, words } = useOf(document, of, settings)
    const named = (relations: typeof dependsOn) =>
      relations.map(({ object: { name }, by }) => [name.replace(' in source default', ''), ...by].join(': ')).sort()
    return [named(dependsOn), named(usedBy), roles.map(({ role, what, from }) => [role, what, from ?? ''].join(' ').trim()), words] // biome-ignore format: one
  }
  const of = (type: Parameters<typeof address>[0], own: string) => address(type, own)
  const nobody = 'No role but the admin may use it.'
  const allRoles = 'Every role may use all of it: the engine runs without --enable-remote-schema-permissions.'
  assert.deepEqual(seen(album), [
    ['remote_schema stock: remote_relationship stock', 'source default', 'table artist: object_relation artist'],
    ['event_trigger on_album in table album', 'table artist: array_relation albums'],
    ['listener select', 'manager select listener'],
    '',
  ])
  assert.deepEqual(seen(tableAddress('default', { schema: 'public', name: 'artist' })), [
    ['source default', 'table album: array_relation albums'],
    ['table album: object_relation artist'],
    [],
    nobody,
  ])
  assert.deepEqual(seen(address('event_trigger', 'on_album', album)), [['table album'], [], [], 'The engine runs it; no role does.']) // biome-ignore format: one
  assert.deepEqual(seen(of('cron_trigger', 'nightly')), [[], [], [], 'The engine runs it; no role does.'])
  assert.deepEqual(
    seen(address('function', 'public.search', source), { is_function_permissions_inferred: false }).slice(0, 3),
    [['source default'], [], ['listener use', 'manager use listener']],
  )
  assert.deepEqual(seen(of('action', 'shout')), [['custom_types custom_types'], [], ['listener use', 'manager use listener'], '']) // biome-ignore format: one
  assert.deepEqual(seen(of('custom_types', '')).slice(0, 2), [[], ['action shout']])
  assert.deepEqual(seen(of('remote_schema', 'stock')), [[], ['table album: remote_relationship stock'], ['clerk use', 'manager use clerk'], allRoles]) // biome-ignore format: one
  assert.equal(seen(of('remote_schema', 'stock'), { is_remote_schema_permissions_enabled: true })[3], '')
  assert.deepEqual(seen(of('query_collection', 'stored'), { is_allow_list_enabled: true }), [
    [],
    ['allowlist stored', 'rest_endpoint one'],
    ['clerk run it', 'manager run it clerk'],
    '',
  ])
  assert.deepEqual(seen(of('rest_endpoint', 'one')), [['query_collection stored'], [], [], 'Every role that may run its query "one" may use it.']) // biome-ignore format: one
  assert.deepEqual(seen(source)[2], ['listener select, use', 'manager select, use listener'])
  assert.deepEqual(
    usesOf(document, 'manager').map(({ object: { name }, by }) => [name, ...by].join(': ')),
    [
      'table album in source default: select of listener',
      'function search in source default: use of listener',
      'remote_schema stock: use of clerk',
      'query_collection stored: run it of clerk',
      'action shout: use of listener',
    ],
  )
  assert.deepEqual(kinOf(document, 'listener'), { madeOf: [], within: ['manager'] })
})

test('one type of actions is one resource in code, and the action that has it waits for it', () => {
  assert.ok(shop.ok)
  const words = { name: 'Words', fields: [{ name: 'text', type: 'String', description: null }] }
  const shout = { name: 'shout', handler: 'http://x', output_type: 'Words' }
  const drafts = [['CustomType', words] as const, ['Action', shout] as const].flatMap(([kind, values], id) => {
    const draft = draftOf(shop.document, kind, values)
    return draft ? [{ ...draft, id }] : []
  })
  const planned = planDrafts(drafts, emptyDocument)
  assert.deepEqual([planned.problems, [...planned.wanted.keys()]], [[], ['custom_types:Words', 'action:shout']])
  const wanted = [...planned.wanted.values()].map(({ at }) => at)
  const exports = exportsOf({ before: emptyDocument, after: shop.document, wanted, operations: planned.operations })
  const files = exports.find(({ id }) => id === 'terraform')?.files ?? []
  const text = files.map((file) => file.text).join('')
  assert.match(text, /resource "svc_custom_type" "Words" \{/)
  assert.match(text, /depends_on += \[svc_custom_type\.Words\]/)
  assert.doesNotMatch(text, /svc_custom_types|import \{/)
})

test('an object has its owner, and those of what is in it', () => {
  const table = { schema: 'public', name: 'album' }
  const owned = (type: string, key: ObjectKey['key'], owner: string) => ({ object: { type, key, name: type }, owner })
  const owners = [
    owned('table', { source: 'default', table }, 'shop'),
    owned('select_permission', { source: 'default', table, role: 'listener' }, 'blog'),
    owned('table', { source: 'other', table }, 'x'),
    owned('table', { source: 'default', table: { ...table, name: 'artist' } }, 'x'),
    owned('action_permission', { action: 'shout', role: 'listener' }, 'blog'),
    owned('source', { name: 'default' }, 'base'),
  ]
  const of = (type: string, key: ObjectKey['key']) => ownedOf(owners, { type, key }).map(({ owner }) => owner)
  assert.deepEqual(of('table', { source: 'default', table }), ['shop', 'blog'])
  assert.deepEqual(of('action', { name: 'shout' }), ['blog'])
  assert.deepEqual(of('source', { name: 'other' }), [])
  assert.deepEqual(of('source', { name: 'default' }), ['base'])
})

const schema = buildSchema(`
  type Query { album(limit: Int, where: AlbumWhere, order: [Order!]): [Album!]! search: Item }
  type Mutation { add(album: AlbumWhere!): Album }
  type Album { id: Int! artist: Artist }
  type Artist { name(upper: Boolean): String }
  union Item = Album | Artist
  enum Order { NEWEST OLDEST }
  input AlbumWhere { id: Int artist: AlbumWhere order: Order }
`)

test('completion knows what may stand at a place of an operation', () => {
  const seen: readonly (readonly [before: string, offered: string | null])[] = [
    ['', 'document'],
    ['{ ', 'fields Query'],
    ['mutation { ', 'fields Mutation'],
    ['query A { album { artist { name } ', 'fields Album'],
    ['{ all: album(limit: 1) { ', 'fields Album'],
    ['{ album(', 'keys limit where order'],
    ['{ album(where: {', 'keys id artist order'],
    ['{ album(where: {artist: {id: 1}, order: ', 'value Order'],
    ['{ album(order: [', 'value [Order!]'],
    ['query ($n: Int) { album(limit: ', 'value Int $n'],
    ['query ($n: ', 'input-type'],
    ['{ search { ... on ', 'type-condition'],
    ['{ search { ... on Album { ', 'fields Album'],
    ['{ album { ...', 'spread Album Part'],
    ['{ album { # artist {\n ', 'fields Album'],
    ['{ album { artist { name(upper: ', 'value Boolean'],
    ['{ nothing { ', null],
  ]
  for (const [before, offered] of seen) {
    const place = placeAtEnd(before, `${before} } fragment Part on Album { id }`, schema)
    const of = place && 'of' in place ? (Array.isArray(place.of) ? place.of.map(({ name }) => name).join(' ') : String(place.of)) : '' // biome-ignore format: one
    const more = place?.kind === 'spread' ? place.fragments : place?.kind === 'value' ? place.variables : []
    assert.equal(place && [place.kind, of, ...more].filter(Boolean).join(' '), offered, before)
  }
})

test('the docs have a small picture of every view, in light and dark', () => {
  const pictures = join(import.meta.dirname, '../../docs/console')
  const names = ['sign-in', 'objects-roles', ...views.flatMap(([view]) => (view === 'data' ? tableViews.map((one) => `data-${one}`) : [view]))] // biome-ignore format: one
  const wanted = names.flatMap((name) => [`${name}-light.webp`, `${name}-dark.webp`]).sort()
  assert.deepEqual(
    readdirSync(pictures).sort(),
    wanted,
    'made anew by SVC_SCREENSHOTS=docs/console npm test -- test/console/console',
  )
  const page = readFileSync(join(pictures, '../console.md'), 'utf8')
  for (const name of wanted) {
    assert.ok(statSync(join(pictures, name)).size < 60_000, name)
    assert.ok(page.includes(`console/${name}`), name)
  }
})
