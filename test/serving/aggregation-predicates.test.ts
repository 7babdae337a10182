/**
 * Conditions on aggregates of related rows (reference/filters#aggregates-of-relationships) through the real process and
 * a real database.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

const schema = `
  CREATE TABLE author (id int PRIMARY KEY, name text);
  CREATE TABLE article (id int PRIMARY KEY, author_id int REFERENCES author, title text, rating float8, heat float8,
    published boolean);
  INSERT INTO author VALUES (1, 'ada'), (2, 'bo'), (3, 'cy');
  INSERT INTO article VALUES
    (1, 1, 'a', 1, 1, true), (2, 1, 'a', 2, 2, true), (3, 1, 'b', 6, 3, false),
    (4, 2, 'c', 4, 9, true), (5, 2, 'd', NULL, 1, true);
  CREATE TABLE plain (id int PRIMARY KEY, author_id int REFERENCES author);
`

const articles = {
  table: 'author',
  name: 'articles',
  using: { foreign_key_constraint_on: { table: 'article', column: 'author_id' } },
}

describe('aggregation predicates', () => {
  let database: TestDatabase
  let engine: Engine

  before(async () => {
    database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(schema)
    await client.end()
    engine = await startEngine({ databaseUrl: database.url })
    const permit = (table: string, role: string, permission: object) => ({
      type: 'pg_create_select_permission',
      args: { table, role, permission },
    })
    const popular = {
      articles_aggregate: { count: { predicate: { _gt: 'x-svc-above' }, filter: { published: true } } },
    }
    const set = await engine.metadata('bulk', [
      { type: 'pg_track_tables', args: { tables: ['author', 'article', 'plain'] } },
      { type: 'pg_create_array_relationship', args: articles },
      {
        type: 'pg_create_array_relationship',
        args: {
          table: 'author',
          name: 'plains',
          using: { foreign_key_constraint_on: { table: 'plain', column: 'author_id' } },
        },
      },
      permit('author', 'reader', { columns: '*', filter: popular }),
      permit('author', 'half', { columns: '*', filter: {} }),
      permit('article', 'half', {
        columns: ['id', 'title'],
        filter: { title: { _neq: 'a' } },
        allow_aggregations: true,
      }),
      permit('author', 'blind', { columns: '*', filter: {} }),
      permit('article', 'blind', { columns: '*', filter: {} }),
    ])
    assert.equal(set.status, 200, set.text)
  })
  after(async () => {
    await engine.stop()
    await database.drop()
  })

  const ask = async (query: string, headers = {}, variables = {}) =>
    (await engine.post('/v1/graphql', { query, variables }, headers)).body
  const names = async (where: string, headers = {}, variables = {}) => {
    const declared = Object.keys(variables).length > 0 ? '($n: Int!)' : ''
    const body = await ask(
      `query ${declared} { author(where: {articles_aggregate: ${where}}, order_by: {id: asc}) { name } }`,
      headers,
      variables,
    )
    return body.data?.author.map(({ name }: { name: string }) => name) ?? body.errors[0]
  }

  test('rows are counted: all, by columns, distinct, filtered', async () => {
    assert.deepEqual(await names('{count: {predicate: {_gt: 2}}}'), ['ada'])
    assert.deepEqual(await names('{count: {predicate: {_eq: 0}}}'), ['cy'])
    assert.deepEqual(await names('{count: {arguments: rating, predicate: {_eq: 1}}}'), ['bo'])
    assert.deepEqual(await names('{count: {arguments: [title], distinct: true, predicate: {_eq: 2}}}'), ['ada', 'bo'])
    assert.deepEqual(await names('{count: {arguments: [title, author_id], distinct: true, predicate: {_eq: 2}}}'), [
      'ada',
      'bo',
    ])
    assert.deepEqual(await names('{count: {filter: {published: {_eq: true}}, predicate: {_eq: $n}}}', {}, { n: 2 }), [
      'ada',
      'bo',
    ])
  })

  test('numbers and truths are aggregated, in pairs where two columns go together', async () => {
    assert.deepEqual(await names('{avg: {arguments: rating, predicate: {_eq: 3}}}'), ['ada'])
    assert.deepEqual(await names('{sum: {arguments: rating, distinct: true, predicate: {_gte: 4, _lt: 9}}}'), ['bo'])
    assert.deepEqual(await names('{max: {arguments: rating, predicate: {_in: [4, 6]}}}'), ['ada', 'bo'])
    assert.deepEqual(await names('{min: {arguments: rating, predicate: {_is_null: true}}}'), ['cy'])
    assert.deepEqual(await names('{stddev_samp: {arguments: rating, predicate: {_gt: 2}}}'), ['ada'])
    assert.deepEqual(await names('{var_samp: {arguments: rating, predicate: {_eq: 7}}}'), ['ada'])
    assert.deepEqual(await names('{corr: {arguments: {X: rating, Y: heat}, predicate: {_gt: 0.9}}}'), ['ada'])
    assert.deepEqual(await names('{covar_samp: {arguments: {X: rating, Y: heat}, predicate: {_eq: 2.5}}}'), ['ada'])
    assert.deepEqual(await names('{bool_and: {arguments: published, predicate: {_eq: true}}}'), ['bo'])
    assert.deepEqual(await names('{bool_or: {arguments: published, predicate: {_eq: true}}}'), ['ada', 'bo'])
  })

  test('what is missing, too much or not there is refused with its place', async () => {
    const refused = async (where: string) => {
      const { message, extensions } = await names(where)
      assert.equal(extensions.code, 'validation-failed')
      return [message, extensions.path.replace('$.selectionSet.author.args.where.articles_aggregate', '')]
    }
    const one = 'exactly one predicate should be specified'
    assert.deepEqual(await refused('{}'), [one, ''])
    assert.deepEqual(await refused('{count: {predicate: {}}, max: {arguments: rating, predicate: {}}}'), [one, ''])
    assert.deepEqual(await refused('{count: {}}'), ["missing required field 'predicate'", '.count.predicate'])
    assert.deepEqual(await refused('{avg: {predicate: {}}}'), ["missing required field 'arguments'", '.avg.arguments'])
    assert.match((await refused('{avg: {arguments: id, predicate: {}}}'))[0], /expected one of the values .*rating/)
    assert.match((await refused('{corr: {arguments: {X: heat}, predicate: {}}}'))[0], /missing required field 'Y'/)
    assert.match((await refused('{median: {}}'))[0], /field 'median' not found in type: 'article_aggregate_bool_exp'/)
  })

  test('rows and columns that a role does not see do not count, and without aggregations there is no such condition', async () => {
    const half = { 'x-svc-role': 'half' }
    assert.deepEqual(await names('{count: {predicate: {_eq: 1}}}', half), ['ada'])
    assert.match((await names('{avg: {arguments: rating, predicate: {}}}', half)).message, /field 'avg' not found/)
    assert.match(
      (await names('{count: {predicate: {}}}', { 'x-svc-role': 'blind' })).message,
      /field 'articles_aggregate' not found in type: 'author_bool_exp'/,
    )
  })

  test('introspection shows the functions that the columns allow', async () => {
    const fieldsOf = async (name: string) =>
      (await ask(`{ __type(name: "${name}") { inputFields { name } } }`)).data.__type.inputFields.map(
        (field: { name: string }) => field.name,
      )
    assert.deepEqual(await fieldsOf('plain_aggregate_bool_exp'), ['count'])
    assert.equal((await fieldsOf('article_aggregate_bool_exp')).length, 11)
    assert.deepEqual(await fieldsOf('article_aggregate_bool_exp_corr_arguments'), ['X', 'Y'])
    const { data } = await ask(
      '{ __type(name: "article_select_column_article_aggregate_bool_exp_avg_arguments_columns") { enumValues { name } } }',
    )
    assert.deepEqual(data.__type.enumValues, [{ name: 'rating' }, { name: 'heat' }])
  })

  test('a permission counts over all rows, whether the role may see them or not', async () => {
    const seen = async (above: string) =>
      (await ask('{ author(order_by: {id: asc}) { name } }', { 'x-svc-role': 'reader', 'x-svc-above': above })).data
        .author
    assert.deepEqual(await seen('1'), [{ name: 'ada' }, { name: 'bo' }])
    assert.deepEqual(await seen('2'), [])
  })

  test('of a permission, the parts that do not fit are reported, and the relationship is something it depends on', async () => {
    const permit = (filter: object) =>
      engine.metadata('pg_create_select_permission', {
        table: 'author',
        role: 'other',
        permission: { columns: '*', filter: { articles_aggregate: filter } },
      })
    const refused = async (filter: object) => {
      const { status, body } = await permit(filter)
      assert.equal(status, 400)
      return body.error
    }
    assert.match(await refused({}), /exactly one predicate should be specified/)
    assert.match(await refused({ avg: { arguments: 'title', predicate: {} } }), /avg takes no column of type text/)
    assert.match(await refused({ avg: { arguments: 'nothing', predicate: {} } }), /column "nothing" does not exist/)
    assert.match(await refused({ median: { predicate: {} } }), /"median" is no function/)
    const dropped = await engine.metadata('pg_drop_relationship', { table: 'author', relationship: 'articles' })
    assert.equal(dropped.body.code, 'dependency-error')
    assert.match(dropped.body.error, /permission author.reader.select/)
  })

  test('renamed, the relationship and the columns are renamed in permissions', async () => {
    const rename = await engine.metadata('pg_rename_relationship', {
      table: 'author',
      name: 'articles',
      new_name: 'works',
    })
    assert.equal(rename.status, 200, rename.text)
    const sql = 'ALTER TABLE article RENAME COLUMN published TO is_out'
    assert.equal((await engine.post('/v2/query', { type: 'run_sql', args: { sql } })).status, 200)
    const exported = (await engine.metadata('export_metadata', {})).body
    const author = exported.sources[0].tables.find(({ table }: { table: { name: string } }) => table.name === 'author')
    const { filter } = author.select_permissions.find(({ role }: { role: string }) => role === 'reader').permission
    assert.deepEqual(filter, {
      works_aggregate: { count: { filter: { is_out: true }, predicate: { _gt: 'x-svc-above' } } },
    })
  })

  test('the experimental feature hides them only in GraphQL', async () => {
    const hiding = await startEngine({
      databaseUrl: database.url,
      env: { SVC_GRAPHQL_EXPERIMENTAL_FEATURES: 'hide_aggregation_predicates' },
    })
    const query = '{ author(where: {works_aggregate: {count: {predicate: {_gt: 0}}}}) { id } }'
    const { body } = await hiding.post('/v1/graphql', { query })
    assert.equal(body.errors[0].message, "field 'works_aggregate' not found in type: 'author_bool_exp'")
    const reader = { 'x-svc-role': 'reader', 'x-svc-above': '1' }
    assert.equal((await hiding.post('/v1/graphql', { query: '{ author { id } }' }, reader)).body.data.author.length, 2)
    await hiding.stop()
  })
})
