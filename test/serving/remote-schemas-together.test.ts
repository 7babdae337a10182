/**
 * Remote schemas and several instances, and servers that hang, while others go on
 * (reference/remote-schemas#introspection, reference/server#several-instances).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startRemoteServer } from './remote-server.ts'

const first = 'type Query { one: Int }'
const second = 'type Query { one: Int  two: Int }'
const root = { one: () => 1, two: () => 2 }

test('a remote schema that one instance reloads is read again by all instances', async (t) => {
  const database = await createTestDatabase(t)
  const remote = await startRemoteServer(first, root)
  t.after(() => remote.close())
  const options = { databaseUrl: database.url, env: { SVC_GRAPHQL_SCHEMA_SYNC_POLL_INTERVAL: '0' } }
  const [one, other] = await Promise.all([startEngine(options, t), startEngine(options, t)])
  const added = await one.metadata('add_remote_schema', { name: 'r', definition: { url: remote.url } })
  assert.equal(added.status, 200, added.text)
  const version = Number(added.headers['x-svc-resource-version'])
  await other.observed('metadata-synchronised', ({ resourceVersion }) => resourceVersion === version)
  const ask = async (query: string) => (await other.post('/v1/graphql', { query })).text
  // where the machine is busy it is read a moment later
  while ((await ask('{ one }')) !== '{"data":{"one":1}}');
  remote.serve(second)
  assert.equal((await one.metadata('reload_remote_schema', { name: 'r' })).status, 200)
  await other.observed('remote-schemas-reloaded')
  assert.equal(await ask('{ one two }'), '{"data":{"one":1,"two":2}}')
  remote.serve(first)
  assert.equal((await one.metadata('reload_metadata', { reload_sources: false })).status, 200)
  await other.observed('remote-schemas-reloaded')
  assert.match(await ask('{ two }'), /'two' not found/)
})

test('a server that hangs delays neither a start nor other requests of metadata', async (t) => {
  const database = await createTestDatabase(t)
  const remote = await startRemoteServer(first, root)
  t.after(() => remote.close())
  const healthy = await startRemoteServer('type Query { here: Int }', { here: () => 3 })
  t.after(() => healthy.close())
  const options = { databaseUrl: database.url }
  const engine = await startEngine(options, t)
  const add = (name: string, url: string) => engine.metadata('add_remote_schema', { name, definition: { url } })
  assert.equal((await add('h', healthy.url)).status, 200)
  remote.hang(true)
  const waiting = add('r', remote.url)
  while (remote.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  const name = 'c'
  const collection = await engine.metadata('create_query_collection', { name, definition: { queries: [] } })
  assert.equal(collection.status, 200, collection.text)
  assert.equal((await engine.metadata('remove_remote_schema', { name: 'r' })).body.error, 'no such remote schema')
  remote.hang(false)
  remote.release()
  assert.equal((await waiting).status, 200)
  assert.equal((await engine.post('/v1/graphql', { query: '{ one }' })).text, '{"data":{"one":1}}')
  const { body } = await engine.metadata('export_metadata', {})
  assert.equal(body.query_collections.length, 1)

  remote.hang(true)
  const later = await startEngine(options, t)
  while ((await later.post('/v1/graphql', { query: '{ here }' })).text !== '{"data":{"here":3}}');
  assert.match((await later.post('/v1/graphql', { query: '{ one }' })).text, /'one' not found/)
  remote.hang(false)
  remote.release()
  for (let answered = ''; answered !== '{"data":{"one":1}}'; )
    answered = (await later.post('/v1/graphql', { query: '{ one }' })).text
})

test('a name has one owner: remote schemas and tables are refused in the words of the contract', async (t) => {
  const database = await createTestDatabase(t)
  const remote = await startRemoteServer('type Query { pet: Pet  one: Int } type Pet { id: Int }', root)
  t.after(() => remote.close())
  const twin = await startRemoteServer('type Query { two: Int  one: Int }', root)
  t.after(() => twin.close())
  const other = await startRemoteServer('type Query { three: Pet } type Pet { name: Int }', root)
  t.after(() => other.close())
  const engine = await startEngine({ databaseUrl: database.url }, t)
  const refused = async (type: string, args: unknown) => {
    const { status, body } = await engine.metadata(type, args)
    return [status, body.code, body.error]
  }
  await engine.post('/v2/query', {
    type: 'run_sql',
    args: { sql: 'CREATE TABLE pet (id int PRIMARY KEY); CREATE TABLE one (id int)' },
  })
  assert.equal((await engine.metadata('add_remote_schema', { name: 'a', definition: { url: remote.url } })).status, 200)
  const add = (url: string) => refused('add_remote_schema', { name: 'b', definition: { url } })
  assert.deepEqual(await add(twin.url), [
    400,
    'remote-schema-conflicts',
    "Inconsistent object: Duplicate remote field 'one'",
  ])
  assert.deepEqual(await add(other.url), [
    400,
    'remote-schema-conflicts',
    'Inconsistent object: Conflicting types: Pet',
  ])
  assert.deepEqual(await refused('pg_track_table', { table: 'one' }), [
    400,
    'remote-schema-conflicts',
    'node one already exists in current graphql schema',
  ])
  assert.equal((await engine.metadata('remove_remote_schema', { name: 'a' })).status, 200)
  assert.equal((await engine.metadata('pg_track_table', { table: 'one' })).status, 200)
  assert.deepEqual(await add(twin.url), [
    400,
    'remote-schema-conflicts',
    "Inconsistent object: Field cannot be overwritten by remote field 'one'",
  ])
})
