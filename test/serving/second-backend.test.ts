/** A second kind of database, given where the engine is wired up: no file of the product knows it. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { buildClientSchema, getIntrospectionQuery, printSchema } from 'graphql'
import { z } from 'zod'
import { postgres, readsOnly } from '../../engine/src/backends/index.ts'
import { parseArguments, readConfig } from '../../engine/src/config/index.ts'
import { createObserver } from '../../engine/src/observe/index.ts'
import { startServer } from '../../engine/src/server/index.ts'
import { memoryBackend } from '../../engine/test/memory-backend.ts'
import { createTestDatabase } from '../postgres.ts'

const music = {
  artist: {
    columns: { id: 'int4', name: 'text', owner: 'text' },
    rows: [
      { id: 1, name: 'Nina', owner: 'ann' },
      { id: 2, name: 'Miles', owner: 'bob' },
    ],
  },
  album: {
    columns: { id: 'int4', title: 'text', artist_id: 'int4' },
    rows: [
      { id: 10, title: 'Pastel Blues', artist_id: 1 },
      { id: 11, title: 'Kind of Blue', artist_id: 2 },
    ],
  },
} as const

test('a table, a relationship and a permission of it are served from /v1/metadata to GraphQL, and of one with nothing but reads all there is', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t)
  const configuration = z.object({ database: z.string() })
  const backend = memoryBackend({ music }, configuration)
  const reader = memoryBackend({ music }, configuration, { kind: 'reader', features: readsOnly })
  const flags = ['--server-port', '0', '--admin-secret', 's', '--metadata-database-url', databaseUrl]
  const { flags: read } = parseArguments(['serve', ...flags])
  const server = await startServer(readConfig(read, {}), createObserver(), [postgres, backend, reader])
  t.after(() => server.close())
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-svc-admin-secret': 's', ...headers },
      body: JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    const json: any = await answer.json()
    return { status: answer.status, body: json }
  }
  const metadata = async (type: string, args: unknown) => {
    const { status, body } = await post('/v1/metadata', { type, args })
    assert.equal(status, 200, `${type}: ${JSON.stringify(body)}`)
    return body
  }
  const bad = await post('/v1/metadata', {
    type: 'memory_add_source',
    args: { name: 'm', configuration: { file: 'x' } },
  })
  assert.equal(bad.body.code, 'parse-failed', 'the settings are those of the kind')
  const source = 'm'
  await metadata('memory_add_source', { name: source, configuration: { database: 'music' } })
  assert.deepEqual(await metadata('memory_get_source_tables', { source }), [
    { name: 'album', schema: 'public' },
    { name: 'artist', schema: 'public' },
  ])
  await metadata('memory_track_tables', { tables: ['artist', 'album'].map((table) => ({ source, table })) })
  await metadata('memory_create_array_relationship', {
    source,
    table: 'artist',
    name: 'albums',
    using: { manual_configuration: { remote_table: 'album', column_mapping: { id: 'artist_id' } } },
  })
  for (const [table, permission] of [
    ['artist', { columns: ['name'], filter: { owner: { _eq: 'X-Svc-User-Id' } } }],
    ['album', { columns: ['title'], filter: {} }],
  ] as const)
    await metadata('memory_create_select_permission', { source, table, role: 'user', permission })
  const query = '{ artist { name albums { title } } }'
  const user = { 'x-svc-role': 'user', 'x-svc-user-id': 'ann' }
  const answered = await post('/v1/graphql', { query }, user)
  assert.deepEqual(answered.body, { data: { artist: [{ name: 'Nina', albums: [{ title: 'Pastel Blues' }] }] } })
  const everything = await post('/v1/graphql', { query: '{ artist(where: { id: { _eq: 2 } }) { id name } }' })
  assert.deepEqual(everything.body, { data: { artist: [{ id: 2, name: 'Miles' }] } })
  const explained = await post('/v1/graphql/explain', { query: { query }, user })
  assert.match(explained.body[0].sql, /^FIND `name`, `albums`\(`title`\) IN `artist` WHERE /)
  const hidden = await post('/v1/graphql', { query: '{ artist { owner } }' }, user)
  assert.equal(hidden.body.errors[0].extensions.code, 'validation-failed')
  await writes(post, metadata)
  const { sources } = await metadata('export_metadata', {})
  assert.deepEqual(
    sources.map(({ name, kind, configuration }: Record<string, unknown>) => ({ name, kind, configuration })),
    [{ name: 'm', kind: 'memory', configuration: { database: 'music' } }],
  )
  await metadata('replace_metadata', { version: 3, sources })
  assert.deepEqual((await post('/v1/graphql', { query }, user)).body, answered.body)
  for (const [type, code] of [
    ['pg_untrack_table', 'not-exists'],
    ['memory_track_function', 'parse-failed'],
  ] as const)
    assert.equal((await post('/v1/metadata', { type, args: { source, table: 'artist' } })).body.code, code, type)
  const kinds = (await metadata('list_source_kinds', {})).sources.map(({ kind }: { kind: string }) => kind)
  assert.ok(kinds.includes('memory'))
  await metadata('memory_drop_source', { name: source })
  await metadata('reader_add_source', { name: source, configuration: { database: 'music' } })
  await metadata('reader_track_tables', { tables: ['artist', 'album'].map((table) => ({ source, table })) })
  await metadata('reader_create_array_relationship', {
    source,
    table: 'artist',
    name: 'albums',
    using: { manual_configuration: { remote_table: 'album', column_mapping: { id: 'artist_id' } } },
  })
  const introspected = await post('/v1/graphql', { query: getIntrospectionQuery() })
  const printed = `${printSchema(buildClientSchema(introspected.body.data))}\n`
  assert.equal(printed, await readFile(new URL('reads-only.schema.txt', import.meta.url), 'utf8'))
  const relay = await post('/v1beta1/relay', { query: '{ __type(name: "artistConnection") { name } }' })
  assert.deepEqual(relay.body, { data: { __type: null } }, 'no row is a node')
})

/** Rows are inserted under a check, updated and deleted there, and each is all or nothing. */
async function writes(
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<{ status: number; body: unknown }>,
  metadata: (type: string, args: unknown) => Promise<unknown>,
): Promise<void> {
  const own = { owner: { _eq: 'X-Svc-User-Id' } }
  const table = { source: 'm', table: 'artist', role: 'user' }
  const columns = ['id', 'name']
  const set = { owner: 'X-Svc-User-Id' }
  const named = { _not: { name: { _eq: 'Nobody' } } }
  await metadata('memory_create_insert_permission', { ...table, permission: { columns, set, check: named } })
  await metadata('memory_create_update_permission', { ...table, permission: { columns, filter: own, check: named } })
  await metadata('memory_create_delete_permission', { ...table, permission: { filter: own } })
  const ann = { 'x-svc-role': 'user', 'x-svc-user-id': 'ann' }
  const answer = async (query: string, variables: object = {}) =>
    (await post('/v1/graphql', { query, variables }, ann)).body
  const insert =
    'mutation ($o: [artist_insert_input!]!) { insert_artist(objects: $o) { affected_rows returning { name } } }'
  assert.deepEqual(
    await answer(insert, {
      o: [
        { id: 3, name: 'Ella' },
        { id: 4, name: 'Bill' },
      ],
    }),
    {
      data: { insert_artist: { affected_rows: 2, returning: [{ name: 'Ella' }, { name: 'Bill' }] } },
    },
  )
  assert.deepEqual(
    await answer(insert, {
      o: [
        { id: 5, name: 'Chet' },
        { id: 6, name: 'Nobody' },
      ],
    }),
    {
      errors: [
        {
          message: 'check constraint of an insert/update permission has failed',
          extensions: { path: '$.selectionSet.insert_artist.args.objects[1]', code: 'permission-error' },
        },
      ],
    },
  )
  const update = `mutation ($id: Int!, $name: String) {
    update_artist(where: {name: {_eq: "Miles"}}, _set: {name: "Ann's"}) { affected_rows }
    insert_artist_one(object: {id: $id, name: "Dinah"}) { name albums { title } }
    changed: update_artist(where: {name: {_eq: "Bill"}}, _set: {name: $name}) { returning { name } } }`
  assert.deepEqual(await answer(update, { id: 7, name: 'Nobody' }), {
    errors: [
      {
        message: 'check constraint of an insert/update permission has failed',
        extensions: { path: '$', code: 'permission-error' },
      },
    ],
  })
  assert.deepEqual(await answer(update, { id: 7, name: 'William' }), {
    data: {
      update_artist: { affected_rows: 0 },
      insert_artist_one: { name: 'Dinah', albums: [] },
      changed: { returning: [{ name: 'William' }] },
    },
  })
  assert.deepEqual(
    await answer(
      'mutation { delete_artist(where: {_or: [{name: {_eq: "Ella"}}, {name: {_eq: "Miles"}}]}) { affected_rows } }',
    ),
    {
      data: { delete_artist: { affected_rows: 1 } },
    },
  )
  assert.deepEqual(await answer('{ artist { name } }'), {
    data: { artist: [{ name: 'Nina' }, { name: 'William' }, { name: 'Dinah' }] },
  })
  const back = await answer(
    'mutation { delete_artist(where: {_or: [{name: {_eq: "William"}}, {name: {_eq: "Dinah"}}]}) { affected_rows } }',
  )
  assert.deepEqual(back, { data: { delete_artist: { affected_rows: 2 } } })
}
