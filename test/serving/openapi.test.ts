import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { startEngine } from '../engine.ts'

/**
 * Names of components are those of GraphQL's types, non-null ones with `!` (reference/stored-queries#openapi), which
 * OpenAPI does not allow.
 */
const withoutMarks = (document: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify(document).replaceAll(/("(?:#\/components\/schemas\/)?[A-Za-z_]\w*)!"/g, '$1_required"'))

test('the document of REST endpoints is OpenAPI, but for the names of components', async (t) => {
  const engine = await startEngine({}, t)
  const sql = `CREATE TYPE mood AS ENUM ('sad', 'happy');
    CREATE TABLE album (id integer PRIMARY KEY, title text NOT NULL);
    CREATE TABLE song (id integer PRIMARY KEY, album_id integer REFERENCES album, title text NOT NULL, mood mood,
      lengths integer[], facts jsonb, price numeric, key uuid, at timestamptz)`
  assert.equal((await engine.post('/v2/query', { type: 'run_sql', args: { sql } })).status, 200)
  const relationship = { foreign_key_constraint_on: 'album_id' }
  const songs = { foreign_key_constraint_on: { table: 'song', column: 'album_id' } }
  const queries = {
    song: `query ($id: Int!, $title: String = "x") { song(where: {id: {_eq: $id}, title: {_eq: $title}}) {
      id mood lengths facts price key at album { ... on album { title songs(limit: 1) { id } } } } }`,
    find: `query ($where: song_bool_exp!, $order: [song_order_by!], $mood: mood) {
      song(where: $where, order_by: $order) { __typename id } same: song(where: {mood: {_eq: $mood}}) { id }
      song_aggregate(where: $where) { aggregate { count sum { price } } nodes { id } } }`,
    insert: `mutation ($objects: [song_insert_input!]!, $key: uuid) {
      insert_song(objects: $objects) { affected_rows returning { id key } } delete_song(where: {key: {_eq: $key}}) { affected_rows } }`,
  }
  const endpoint = (name: string, url: string, methods: readonly string[]) => ({
    type: 'create_rest_endpoint',
    args: { name, url, methods, definition: { query: { collection_name: 'rest', query_name: name } } },
  })
  const args = [
    { type: 'pg_track_tables', args: { tables: [{ table: 'album' }, { table: 'song' }] } },
    {
      type: 'pg_create_object_relationship',
      args: { table: 'song', name: 'album', using: relationship },
    },
    { type: 'pg_create_array_relationship', args: { table: 'album', name: 'songs', using: songs } },
    {
      type: 'create_query_collection',
      args: {
        name: 'rest',
        definition: { queries: Object.entries(queries).map(([name, query]) => ({ name, query })) },
      },
    },
    endpoint('song', 'song/:id', ['GET', 'DELETE']),
    endpoint('find', 'songs', ['GET', 'POST']),
    endpoint('insert', 'songs/new', ['POST', 'PUT', 'PATCH']),
  ]
  const { status, text } = await engine.metadata('bulk', args)
  assert.equal(status, 200, text)
  const { body } = await engine.get('/api/swagger/json')
  assert.deepEqual(Object.keys(body.paths), ['/api/rest/song/{id}', '/api/rest/songs', '/api/rest/songs/new'])
  const { valid, errors } = await new Validator().validate(withoutMarks(body))
  assert.ok(valid, JSON.stringify(errors, null, 1))
})

test('selections of one name are one property, and endpoints whose query is inconsistent are named, not shown', async (t) => {
  const engine = await startEngine({}, t)
  const runSql = (sql: string) =>
    engine.post('/v2/query', { type: 'run_sql', args: { sql, check_metadata_consistency: false } })
  await runSql('CREATE TABLE song (id integer PRIMARY KEY, title text, length integer)')
  const queries = [
    { name: 'one', query: '{ song { id } song { title } ... { song { length } } }' },
    { name: 'two', query: '{ song { length } }' },
  ]
  const endpoint = (name: string) => ({
    type: 'create_rest_endpoint',
    args: { name, url: name, methods: ['GET'], definition: { query: { collection_name: 'rest', query_name: name } } },
  })
  const args = [
    { type: 'pg_track_table', args: { table: 'song' } },
    { type: 'create_query_collection', args: { name: 'rest', definition: { queries } } },
    ...queries.map(({ name }) => endpoint(name)),
  ]
  assert.equal((await engine.metadata('bulk', args)).status, 200)
  const shown = async () => (await engine.get('/api/swagger/json')).body
  const { paths } = await shown()
  const { schema } = paths['/api/rest/one'].get.responses['200'].content['application/json']
  assert.deepEqual(Object.keys(schema.properties.song.items.properties), ['id', 'title', 'length'])

  await runSql('ALTER TABLE song DROP COLUMN title')
  await engine.metadata('reload_metadata', {})
  const left = await shown()
  assert.deepEqual(Object.keys(left.paths), ['/api/rest/two'])
  assert.match(left.info.description, /endpoint "one" is left out, .*field 'title' not found in object 'song'/)
})
