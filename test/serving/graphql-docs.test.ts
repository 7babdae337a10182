/** The examples of docs/graphql.md: SQL is run, queries are sent, the answers that the page speaks of are compared. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { blocksOf } from '../console-examples.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

const tables = `
  CREATE TABLE artist (id integer PRIMARY KEY, name text);
  CREATE TABLE album (id integer PRIMARY KEY, artist_id integer REFERENCES artist, year integer);
  CREATE TABLE track (id integer PRIMARY KEY, album_id integer REFERENCES album, price numeric);
  INSERT INTO artist VALUES (1, 'Abba'), (2, 'Bach'), (3, 'Cher'), (4, 'Dido');
  INSERT INTO album VALUES (1, 2, 2001), (2, 2, 2002), (3, 3, 1999), (4, 4, 1998);
  INSERT INTO track VALUES (1, 4, 2);
  CREATE TABLE author (id integer PRIMARY KEY, first_name text, last_name text);
  CREATE TABLE article (id integer PRIMARY KEY, author_id integer REFERENCES author, title text, likes integer);
  INSERT INTO author VALUES (1, 'Maya', 'Bee'), (2, 'Ada', 'Ant');
  INSERT INTO article VALUES (1, 1, 'The bee', 3), (2, 1, 'The wasp', 5), (3, 2, 'A BEE', 9);
`

/** What each query of the page answers, in order. */
const answers: readonly unknown[] = [
  { artist: [{ name: 'Abba' }, { name: 'Dido' }] },
  { artist: [{ name: 'Bach' }] },
  { shirt: [{ id: 1, color: 'red' }] },
  {
    author: [
      { full_name: 'Ada Ant', search_articles: [{ title: 'A BEE' }] },
      { full_name: 'Maya Bee', search_articles: [{ title: 'The bee' }] },
    ],
  },
  {
    search_articles: [{ title: 'A BEE' }, { title: 'The bee' }],
    search_articles_aggregate: { aggregate: { count: 2 } },
  },
]

const byKey = (table: string, column: string) => ({ foreign_key_constraint_on: { table, column } })

test('the examples of docs/graphql.md do what they say', async (t) => {
  const { url } = await createTestDatabase(t)
  await runOnDatabase(url, tables)
  const engine = await startEngine({ databaseUrl: url }, t)
  const ok = async (type: string, args: object) => {
    const { status, text } = await engine.metadata(type, args)
    assert.equal(status, 200, text)
  }
  await ok('pg_track_tables', { tables: ['artist', 'album', 'track', 'author', 'article'] })
  await ok('pg_create_array_relationship', { table: 'artist', name: 'albums', using: byKey('album', 'artist_id') })
  await ok('pg_create_array_relationship', { table: 'album', name: 'tracks', using: byKey('track', 'album_id') })
  const permission = { columns: '*', filter: { id: { _eq: 'X-Svc-Customer-Id' } } }
  await ok('pg_create_select_permission', { table: 'artist', role: 'customer', permission })

  const computed = (name: string) => ({ table: 'author', name, definition: { function: name } })
  /** What the page says to do with what its SQL has made. */
  const afterSql = [
    async () => {
      await runOnDatabase(url, "INSERT INTO shirt VALUES (1, 'red'), (2, 'blue'), (3, NULL)")
      await ok('pg_track_table', { table: 'color', is_enum: true })
      await ok('pg_track_table', { table: 'shirt' })
    },
    async () => {
      for (const name of ['full_name', 'search_articles']) await ok('pg_add_computed_field', computed(name))
    },
    () => ok('pg_track_function', { function: 'search_articles' }),
  ]
  let asked = 0
  for (const { language, text } of blocksOf(readFileSync('docs/graphql.md', 'utf8'))) {
    if (language === 'sql') {
      // a function that is tracked has one form
      if (text.includes('above integer')) {
        await ok('pg_drop_computed_field', { table: 'author', name: 'search_articles' })
        await runOnDatabase(url, 'DROP FUNCTION search_articles(author, text)')
      }
      await runOnDatabase(url, text)
      await afterSql.shift()?.()
    }
    if (language === 'graphql') {
      const variables = text.includes('$color') ? { color: 'blue' } : {}
      const { body } = await engine.post('/v1/graphql', { query: text, variables })
      assert.deepEqual(body, { data: answers[asked++] })
    }
    if (language === 'json')
      assert.deepEqual((await engine.post('/v1/graphql', { query: '{ artist { x } }' })).body, JSON.parse(text))
    if (language === 'sh' && spawnSync('sh', ['-c', 'command -v curl']).status === 0) {
      const command = text.replace('http://localhost:8080', engine.url)
      const { stdout } = spawnSync('sh', ['-c', command], {
        env: { PATH: process.env.PATH, SECRET: engine.secret },
        encoding: 'utf8',
      })
      const [{ field, sql }] = JSON.parse(stdout)
      assert.equal(field, 'artist')
      assert.match(sql, /'6'|\(6\)|"6"/)
    }
  }
  assert.deepEqual([asked, afterSql.length], [answers.length, 0])
})
