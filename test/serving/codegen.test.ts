/** graphql-codegen as users run it, against schemas that the real process serves; what it writes is type-checked. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { generate } from '@graphql-codegen/cli'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

const schema = `
  CREATE TABLE color (value text PRIMARY KEY, comment text);
  INSERT INTO color VALUES ('red', 'like a "rose"'), ('blue', NULL);
  CREATE TABLE author (id int PRIMARY KEY, name text NOT NULL, born date, tags text[] NOT NULL, secret text,
    color text REFERENCES color);
  COMMENT ON COLUMN author.name IS 'As on the cover: */ ''quoted'' \\ "twice"';
  CREATE TABLE article (id bigint PRIMARY KEY, author_id int NOT NULL REFERENCES author, title text, meta jsonb);
  CREATE FUNCTION search(term text, above int DEFAULT 0) RETURNS SETOF article STABLE LANGUAGE sql
    AS $$ SELECT * FROM article WHERE title LIKE term $$;
`

const operations = [
  ...['color', 'author', 'article'].map((table) => ({ type: 'pg_track_table', args: { table } })),
  { type: 'pg_set_table_is_enum', args: { table: 'color', is_enum: true } },
  { type: 'pg_track_function', args: { function: 'search' } },
  {
    type: 'pg_create_array_relationship',
    args: {
      table: 'author',
      name: 'articles',
      using: { foreign_key_constraint_on: { table: 'article', column: 'author_id' } },
    },
  },
  {
    type: 'pg_create_object_relationship',
    args: { table: 'article', name: 'author', using: { foreign_key_constraint_on: 'author_id' } },
  },
  {
    type: 'pg_create_select_permission',
    args: { table: 'author', role: 'reader', permission: { columns: ['id', 'name'], filter: {} } },
  },
]

const adminDocument = `
  query Authors($where: author_bool_exp!, $order: [author_order_by!], $color: color_enum) {
    author(where: $where, order_by: $order) {
      id name born tags color
      articles(where: { author: { color: { _eq: $color } } }) { id title meta(path: "$.a") author { name } }
      articles_aggregate { aggregate { count max { title } } nodes { id } }
    }
    search(args: { term: "a%" }) { __typename id }
  }`

const adminUse = `
  import type { AuthorsQuery, AuthorsQueryVariables } from './admin.ts'
  export const variables: AuthorsQueryVariables = {
    where: { _or: [{ name: { _ilike: 'a%' } }, { articles: { title: { _is_null: true } } }] },
    order: [{ born: 'desc_nulls_last' }, { articles_aggregate: { count: 'asc' } }],
    color: 'red',
  }
  // @ts-expect-error no such value
  export const wrong: AuthorsQueryVariables = { where: {}, color: 'green' }
  export function read(data: AuthorsQuery): readonly [string, number, string | null | undefined] | undefined {
    const [author] = data.author
    if (!author) return undefined
    const tags: readonly string[] = author.tags
    // @ts-expect-error it may be null
    const born: string = author.born
    return [tags.join() + born, author.articles_aggregate.aggregate?.count ?? 0, author.articles[0]?.title]
  }
`

const readerUse = `
  import type { NamesQuery } from './reader.ts'
  export const names = (data: NamesQuery): readonly string[] => data.author.map(({ name }) => name)
`

const relayUse = `
  import type { PageQuery } from './relay.ts'
  export const next = (data: PageQuery): string | null =>
    data.author_connection.pageInfo.hasNextPage ? data.author_connection.pageInfo.endCursor : null
`

describe('graphql-codegen', () => {
  let database: TestDatabase
  let engine: Engine
  const folder = mkdtempSync(join(tmpdir(), 'svc-codegen-'))

  before(async () => {
    database = await createTestDatabase()
    await runOnDatabase(database.url, schema)
    engine = await startEngine({ databaseUrl: database.url })
    const set = await engine.metadata('bulk', operations)
    assert.equal(set.status, 200, set.text)
  })
  after(async () => {
    rmSync(folder, { recursive: true })
    await engine.stop()
    await database.drop()
  })

  /** Writes NAME-schema.ts, all types, and NAME.ts, those of the document. */
  const generated = (name: string, path: string, role: string, document: string) => {
    const headers = { 'x-svc-admin-secret': engine.secret, 'x-svc-role': role }
    const config = { enumsAsTypes: true, scalars: { date: 'string', bigint: 'number', jsonb: 'unknown' } }
    return generate({
      silent: true,
      schema: [{ [`${engine.url}${path}`]: { headers } }],
      documents: document,
      generates: {
        [join(folder, `${name}-schema.ts`)]: { plugins: ['typescript'], config },
        [join(folder, `${name}.ts`)]: { plugins: ['typescript-operations'], config },
      },
    })
  }

  test('its types for the admin, a restricted role and Relay fit what they are used for', async () => {
    await generated('admin', '/v1/graphql', 'admin', adminDocument)
    await generated('reader', '/v1/graphql', 'reader', 'query Names { author { name } }')
    const page = 'query Page { author_connection(first: 1) { pageInfo { hasNextPage endCursor } } }'
    await generated('relay', '/v1beta1/relay', 'admin', page)
    const uses = { 'use-admin.ts': adminUse, 'use-reader.ts': readerUse, 'use-relay.ts': relayUse }
    for (const [name, text] of Object.entries(uses)) writeFileSync(join(folder, name), text)
    const compilerOptions = {
      ...{ noEmit: true, strict: true, target: 'es2024', module: 'nodenext', types: [] },
      allowImportingTsExtensions: true,
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    execFileSync(resolve('node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' })
  })

  test('it refuses a document that a role may not ask', async () => {
    await assert.rejects(generated('secret', '/v1/graphql', 'reader', 'query Secrets { author { secret } }'), /secret/)
  })
})
