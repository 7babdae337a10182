/** An engine with native queries over articles, for their tests. */
import assert from 'node:assert/strict'
import pg from 'pg'
import { type Answer, type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

const schema = `
  CREATE TABLE article (id int PRIMARY KEY, title text, author text, likes int);
  INSERT INTO article VALUES (1, 'Bees', 'ada', 5), (2, 'Ants', 'ada', 9), (3, 'Bears', 'bo', 1);
  CREATE TABLE comment (id int PRIMARY KEY, article_id int REFERENCES article, text text);
  INSERT INTO comment VALUES (1, 1, 'yes'), (2, 1, 'no'), (3, 3, 'hm');
  CREATE TYPE mood AS ENUM ('fine', 'grim');
`

export const likedFields = [
  { name: 'id', type: { scalar: 'integer' } },
  { name: 'title', type: { scalar: 'text', nullable: true } },
  { name: 'words', type: { array: { scalar: 'text' }, nullable: true } },
]

export const liked = {
  root_field_name: 'liked',
  code: `SELECT id, title, string_to_array(title, 'e') AS words, likes FROM article
    WHERE likes >= {{above}} AND ({{author}}::text IS NULL OR author = {{ author }}) -- the end`,
  arguments: {
    above: { type: 'integer', nullable: false },
    author: { type: 'text', nullable: true, description: 'Who wrote it' },
  },
  returns: 'liked_article',
  object_relationships: [
    {
      name: 'article',
      using: { manual_configuration: { remote_table: 'article', column_mapping: { id: 'id' } } },
    },
  ],
  array_relationships: [
    {
      name: 'comments',
      using: { manual_configuration: { remote_table: 'comment', column_mapping: { id: 'article_id' } } },
    },
    {
      name: 'namesakes',
      using: { manual_configuration: { remote_native_query: 'titled', column_mapping: { title: 'title' } } },
    },
  ],
}

export const titled = {
  root_field_name: 'titled',
  code: 'SELECT id AS key, title FROM article WHERE id <= {{most}};',
  arguments: { most: { type: 'int' } },
  returns: {
    fields: [
      { name: 'key', type: 'integer' },
      { name: 'title', type: 'text', nullable: true },
    ],
  },
}

export interface Articles {
  readonly engine: Engine
  readonly database: TestDatabase
  stop(): Promise<void>
}

export async function startArticles(): Promise<Articles> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(schema)
  await client.end()
  const engine = await startEngine({ databaseUrl: database.url })
  const set = await engine.metadata('bulk', [
    { type: 'pg_track_tables', args: { tables: ['article', 'comment'] } },
    { type: 'pg_track_logical_model', args: { name: 'liked_article', fields: likedFields, description: 'Liked' } },
    { type: 'pg_track_native_query', args: titled },
    { type: 'pg_track_native_query', args: liked },
    {
      type: 'pg_create_select_permission',
      args: { table: 'comment', role: 'reader', permission: { columns: ['text'], filter: { text: { _neq: 'no' } } } },
    },
    {
      type: 'pg_create_logical_model_select_permission',
      args: {
        name: 'liked_article',
        role: 'reader',
        permission: { columns: ['id', 'title'], filter: { id: { _gte: 'x-svc-from' } } },
      },
    },
  ])
  assert.equal(set.status, 200, set.text)
  return {
    engine,
    database,
    async stop() {
      await engine.stop()
      await database.drop()
    },
  }
}

export const reader = { 'x-svc-role': 'reader', 'x-svc-from': '2' }

export async function refusedWith(answer: Promise<Answer>, code: string, text: RegExp): Promise<void> {
  const { status, body } = await answer
  assert.equal(status, code === 'unexpected' ? 500 : 400)
  assert.equal(body.code, code)
  assert.match(body.error, text)
}
