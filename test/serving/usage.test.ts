/** Usage is counted on all transports, by all instances together; a kill loses what was not stored yet and nothing else. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import pg from 'pg'
import { createSvcFolder } from '../cli/svc.ts'
import { type Engine, startEngine } from '../engine.ts'
import { openSocket } from '../websocket-client.ts'

interface Usage {
  readonly counted: boolean
  readonly since: string | null
  readonly operations: readonly {
    readonly hash: string | null
    readonly name: string | null
    readonly role: string
    readonly type: string | null
    readonly count: number
    readonly last: string
  }[]
  readonly unused: {
    readonly roles: readonly string[]
    readonly tables: readonly { readonly table: { readonly name: string } }[]
    readonly permissions: readonly {
      readonly table: { readonly name: string }
      readonly role: string
      readonly permission: string
    }[]
    readonly fields: readonly { readonly role: string; readonly type: string; readonly fields: readonly string[] }[]
  }
}

const schemaOfPreview = JSON.parse(
  readFileSync(new URL('../../docs/reference/preview.schema.json', import.meta.url), 'utf8'),
)

const usageOf = async (engine: Engine): Promise<Usage> => {
  const { status, text, body } = await engine.metadata('get_usage', {})
  assert.equal(status, 200, text)
  return body
}

/** Counts by name and role. */
const countsOf = ({ operations }: Usage): Readonly<Record<string, number>> =>
  Object.fromEntries(operations.map(({ name, role, type, count }) => [`${name} ${role} ${type}`, count]))

const tables = `
  CREATE TABLE genre (value text PRIMARY KEY, comment text);
  INSERT INTO genre VALUES ('rock'), ('jazz');
  CREATE TABLE artist (id int PRIMARY KEY, name text, born int, genre text REFERENCES genre);
  CREATE TABLE album (id int PRIMARY KEY, title text, artist_id int REFERENCES artist);
  CREATE TABLE label (id int PRIMARY KEY);
  CREATE TABLE secret (id int PRIMARY KEY);
  INSERT INTO artist VALUES (1, 'Ada', 1900, 'rock')`

const track = (name: string, more: object = {}) => ({ type: 'pg_track_table', args: { table: name, ...more } })
const permit = (kind: string, table: string, role: string, permission: object) => ({
  type: `pg_create_${kind}_permission`,
  args: { table, role, permission },
})

const metadata = {
  type: 'bulk',
  args: [
    track('artist'),
    track('album'),
    track('label'),
    track('secret'),
    {
      type: 'pg_create_array_relationship',
      args: {
        table: 'artist',
        name: 'albums',
        using: { foreign_key_constraint_on: { table: 'album', column: 'artist_id' } },
      },
    },
    permit('select', 'artist', 'user', { columns: '*', filter: {} }),
    permit('select', 'album', 'user', { columns: '*', filter: {} }),
    permit('insert', 'artist', 'user', { columns: '*', check: {} }),
    permit('update', 'artist', 'user', { columns: '*', filter: {} }),
    permit('delete', 'label', 'user', { filter: {} }),
    permit('select', 'label', 'parent', { columns: '*', filter: {} }),
    permit('select', 'label', 'idle', { columns: '*', filter: {} }),
    { type: 'add_inherited_role', args: { role_name: 'heir', role_set: ['parent'] } },
    {
      type: 'create_query_collection',
      args: { name: 'app', definition: { queries: [{ name: 'Stored', query: 'query Stored { artist { id } }' }] } },
    },
    {
      type: 'create_rest_endpoint',
      args: {
        name: 'stored',
        url: 'stored',
        methods: ['GET'],
        definition: { query: { collection_name: 'app', query_name: 'Stored' } },
      },
    },
  ],
}

async function prepared(engine: Engine): Promise<void> {
  const client = new pg.Client({ connectionString: engine.databaseUrl })
  await client.connect()
  await client.query(tables)
  await client.end()
  const { status, text } = await engine.post('/v1/metadata', metadata)
  assert.equal(status, 200, text)
}

test('usage', async (t) => {
  const engine = await startEngine({}, t)
  await prepared(engine)
  const user = { 'x-svc-role': 'user' }

  await t.test('counts each operation once, over whichever transport it comes', async () => {
    const byId = (id: number) => ({ query: `query ById { artist(where: {id: {_eq: ${id}}}, limit: 1) { id name } }` })
    for (const id of [1, 2, 3]) await engine.post('/v1/graphql', byId(id), user)
    await engine.post('/v1/graphql', byId(1))
    const two = [byId(4), { query: 'query Two { album { title } }' }]
    assert.equal((await engine.post('/v1/graphql', two, user)).body.length, 2)
    await engine.post(
      '/v1beta1/relay',
      { query: 'query Relay { artist_connection { edges { node { name } } } }' },
      user,
    )
    assert.equal((await engine.get('/api/rest/stored', user)).status, 200)
    const insert = 'mutation Add($o: [artist_insert_input!]!) { insert_artist(objects: $o) { affected_rows } }'
    await engine.post('/v1/graphql', { query: insert, variables: { o: [{ id: 7, name: 'Bo' }] } }, user)
    // with the same plan
    await engine.post('/v1/graphql', { query: insert, variables: { o: [{ id: 8, genre: 'jazz' }] } }, user)
    await engine.post('/v1/graphql', { query: '{ label { id } }' }, { 'x-svc-role': 'heir' })
    const socket = await openSocket(engine, {
      protocol: 'graphql-transport-ws',
      init: { 'x-svc-admin-secret': engine.secret, ...user },
    })
    socket.send({ id: '1', type: 'subscribe', payload: { query: 'subscription Live { artist { id } }' } })
    assert.equal((await socket.next()).type, 'next')
    socket.send({ id: '2', type: 'subscribe', payload: byId(5) })
    assert.equal((await socket.next()).type, 'next')
    assert.equal((await socket.next()).type, 'complete')
    socket.close()
    // none of these
    await engine.post('/v1/graphql', { query: 'query Intro { __schema { queryType { name } } __typename }' }, user)
    await engine.post('/v1/graphql', { query: 'query Wrong { nothing }' }, user)
    await engine.post('/v1/graphql/explain', { query: { query: 'query Explained { artist { id } }' } })
    const usage = await usageOf(engine)
    assert.deepEqual(countsOf(usage), {
      'ById user query': 5,
      'ById admin query': 1,
      'Two user query': 1,
      'Relay user query': 1,
      'Stored user query': 1,
      'Add user mutation': 2,
      'null heir query': 1,
      'Live user subscription': 1,
    })
    assert.equal(usage.operations[0]?.name, 'ById')
    assert.match(usage.operations[0]?.hash ?? '', /^[0-9a-f]{64}$/)
    assert.match(usage.since ?? '', /^\d{4}-\d\d-\d\dT\d\d:00:00Z$/)
  })

  await t.test('says what no client requests', async () => {
    const { unused } = await usageOf(engine)
    assert.deepEqual(unused.roles, ['idle'])
    assert.deepEqual(
      unused.tables.map(({ table }) => table.name),
      ['secret'],
    )
    assert.deepEqual(
      unused.permissions.map(({ table, role, permission }) => `${role} ${permission} ${table.name}`).sort(),
      ['idle select label', 'user delete label', 'user update artist'],
    )
    assert.deepEqual(
      unused.fields.map(({ role, type, fields }) => [role, type, fields]),
      [
        ['user', 'artist', ['albums', 'born', 'genre']],
        ['user', 'album', ['artist_id', 'id']],
      ],
    )
  })

  await t.test('is shown with what a change breaks', async (t) => {
    const client = new pg.Client({ connectionString: engine.databaseUrl })
    await client.connect()
    t.after(() => client.end())
    await client.query(
      "UPDATE svc_catalog.usage_hours SET hour = hour - interval '8 days' WHERE operation IN (SELECT id FROM svc_catalog.usage_operations WHERE name = 'Live')",
    )
    const without = (...columns: readonly string[]) => [
      { type: 'pg_drop_select_permission', args: { table: 'artist', role: 'user' } },
      permit('select', 'artist', 'user', { columns, filter: {} }),
    ]
    const { body } = await engine.post('/v1/metadata', {
      type: 'bulk_atomic',
      args: [
        ...without('id', 'born', 'genre'),
        { type: 'pg_drop_insert_permission', args: { table: 'artist', role: 'user' } },
        permit('insert', 'artist', 'user', { columns: ['id'], check: {} }),
      ],
      dry_run: { preview: true },
    })
    const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schemaOfPreview)
    assert.ok(validate(body.preview), JSON.stringify(validate.errors))
    assert.ok(!validate({ ...body.preview, roles: [{ role: 'user' }] }))
    const [role] = body.preview.roles
    const usersOf = (at: string) =>
      role.schema.changes
        .find((one: { at: string }) => one.at === at)
        ?.used?.map((one: { operation: string; count: number; certain: boolean }) => [
          one.operation,
          one.count,
          one.certain,
        ])
    assert.deepEqual(usersOf('artist.name'), [
      ['ById', 5, true],
      ['Relay', 1, true],
    ])
    for (const column of ['name', 'genre'])
      assert.deepEqual(usersOf(`artist_insert_input.${column}`), [['Add', 2, true]])
    assert.equal(usersOf('artist_insert_input.born'), undefined)
    assert.equal(usersOf('artist_bool_exp.name'), undefined)
    // the column, and two fields of the insert
    assert.equal(role.schema.breaking_used, 3)
    assert.equal(body.preview.usage.days, 7)
    // the same of a column that only an operation of eight days ago asked for
    const { body: ids } = await engine.post('/v1/metadata', {
      type: 'bulk_atomic',
      args: without('name'),
      dry_run: { preview: true },
    })
    const change = ids.preview.roles[0].schema.changes.find((one: { at: string }) => one.at === 'artist.id')
    assert.deepEqual(change.used.map((one: { operation: string }) => one.operation).sort(), ['ById', 'Stored'])
    const folder = await createSvcFolder(engine, t)
    const listed = await folder.svc('usage')
    assert.equal(listed.code, 0, listed.stderr)
    assert.match(listed.stdout, /^role idle\ntable public\.secret in source default\n/)
    assert.match(listed.stdout, /^permission delete of role user on public\.label in source default$/m)
    assert.match(listed.stdout, /^fields of album for role user: artist_id, id$/m)
    const operations = await folder.svc('usage', '--operations', '--days', '30')
    assert.match(operations.stdout, /^query ById of role user: 5 times, last \d{4}-/)
    assert.match(operations.stdout, /^subscription Live of role user: once, last /m)
    assert.equal(JSON.parse((await folder.svc('usage', '--json')).stdout).counted, true)
  })

  await t.test('has no values', async () => {
    const client = new pg.Client({ connectionString: engine.databaseUrl })
    await client.connect()
    t.after(() => client.end())
    const { rows } = await client.query(`
      SELECT o::text AS row FROM svc_catalog.usage_operations o UNION ALL SELECT p::text FROM svc_catalog.usage_parts p`)
    assert.ok(rows.length > 20)
    for (const { row } of rows) assert.ok(!row.includes('Bo'), row)
  })
})

/** Sends the same request again and again over one connection, and waits for all answers. */
async function pipeline({ url, secret }: Engine, query: string, times: number): Promise<void> {
  const { hostname, port } = new URL(url)
  const body = JSON.stringify({ query })
  const head = `POST /v1/graphql HTTP/1.1\r\nhost: a\r\nx-svc-admin-secret: ${secret}\r\ncontent-type: application/json\r\n`
  const request = `${head}content-length: ${body.length}\r\n\r\n${body}`
  const socket = connect(Number(port), hostname)
  let seen = 0
  let rest = ''
  const all = new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`${seen} of ${times} were answered`)))
    socket.on('data', (bytes) => {
      const text = rest + bytes.toString('latin1')
      const parts = text.split('{"data":{"label":[]}}')
      seen += parts.length - 1
      rest = parts.at(-1) ?? ''
      if (seen === times) resolve()
    })
  })
  for (let sent = 0; sent < times; sent += 100) socket.write(request.repeat(Math.min(100, times - sent)))
  await all
  socket.removeAllListeners('close')
  socket.destroy()
}

const requests = Number(process.env.USAGE_REQUESTS ?? 2000)

test(`usage is exact after ${requests} requests to two instances, of which one is killed`, async (t) => {
  const one = await startEngine({}, t)
  await prepared(one)
  const other = await startEngine({ databaseUrl: one.databaseUrl }, t)
  const query = 'query Labels { label { id } }'
  const half = requests / 2
  const chunk = 500
  const send = async (engine: Engine, count: number) => {
    for (let sent = 0; sent < count; sent += chunk) await pipeline(engine, query, Math.min(chunk, count - sent))
  }
  await Promise.all([send(one, half), send(other, half)])
  // reading flushes the instance that is asked
  await usageOf(one)
  assert.equal(countsOf(await usageOf(other))['Labels admin query'], requests)
  await send(other, 300)
  other.kill()
  await other.ended
  await send(one, 200)
  const after = countsOf(await usageOf(one))['Labels admin query'] ?? 0
  assert.ok(after >= requests + 200 && after <= requests + 500, `${after}`)
  await send(one, 100)
  await one.stop()
  const third = await startEngine({ databaseUrl: one.databaseUrl }, t)
  assert.equal(countsOf(await usageOf(third))['Labels admin query'], after + 100)
})

test('operations beyond the bound are counted together, and nothing is counted where it is switched off', async (t) => {
  const engine = await startEngine({ env: { SVC_GRAPHQL_USAGE_OPERATIONS: '2' } }, t)
  await prepared(engine)
  for (const name of ['A', 'B', 'A']) await engine.post('/v1/graphql', { query: `query ${name} { label { id } }` })
  await usageOf(engine)
  for (const name of ['C', 'D', 'A', 'C', 'B'])
    await engine.post('/v1/graphql', { query: `query ${name} { ${name === 'D' ? 'secret' : 'artist'} { id } }` })
  const usage = await usageOf(engine)
  assert.deepEqual(countsOf(usage), { 'A admin query': 2, 'B admin query': 1, 'null admin null': 5 })
  assert.ok(!usage.unused.tables.some(({ table }) => table.name === 'secret'))
  await engine.stop()
  const silent = await startEngine({ databaseUrl: engine.databaseUrl, env: { SVC_GRAPHQL_USAGE_DAYS: '0' } }, t)
  await silent.post('/v1/graphql', { query: '{ label { id } }' })
  const { counted, operations } = await usageOf(silent)
  assert.equal(counted, false)
  assert.equal(operations.length, 3)
})
