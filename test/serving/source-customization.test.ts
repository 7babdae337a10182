/**
 * Namespaces, prefixes, suffixes and naming conventions of sources
 * (reference/graphql-schema#the-naming-convention-graphql-default, reference/graphql-schema#customization-of-a-source)
 * through the real process.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { buildClientSchema, getIntrospectionQuery, validateSchema } from 'graphql'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

const schema = (name: string) => `
  CREATE TABLE week_days (day_name text PRIMARY KEY);
  INSERT INTO week_days VALUES ('Sunday'), ('Monday');
  CREATE TABLE author_local (id int PRIMARY KEY, full_name text, free_day text REFERENCES week_days);
  CREATE TABLE article_local (id int PRIMARY KEY, author_id int NOT NULL REFERENCES author_local, meta jsonb);
  INSERT INTO author_local VALUES (1, '${name} one', 'Sunday'), (2, '${name} two', 'Monday'), (3, NULL, NULL);
  INSERT INTO article_local VALUES (10, 1, '{"a": 1}'), (11, 1, '{"b": 1}'), (12, 2, '{"b": 1}');
  CREATE TABLE tones (value text PRIMARY KEY);
  INSERT INTO tones VALUES ('red'), ('Red'), ('blue');
  CREATE FUNCTION find_authors(name_part text) RETURNS SETOF author_local STABLE LANGUAGE sql
    AS $$ SELECT * FROM author_local WHERE full_name LIKE '%' || name_part $$;
`

const affixes = {
  root_fields: { namespace: 'my_source', prefix: 'fpref_', suffix: '_fsuff' },
  type_names: { prefix: 'tpref_', suffix: '_tsuff' },
}

const tracked = (source: string, configuration = {}) => [
  { type: 'pg_track_table', args: { source, table: 'week_days', configuration: {} } },
  { type: 'pg_track_table', args: { source, table: 'author_local', configuration } },
  { type: 'pg_track_table', args: { source, table: 'article_local' } },
  { type: 'pg_set_table_is_enum', args: { source, table: 'week_days', is_enum: true } },
  {
    type: 'pg_create_array_relationship',
    args: {
      source,
      table: 'author_local',
      name: 'own_articles',
      using: { foreign_key_constraint_on: { table: 'article_local', column: 'author_id' } },
    },
  },
  { type: 'pg_track_function', args: { source, function: 'find_authors' } },
  {
    type: 'pg_create_select_permission',
    args: { source, table: 'author_local', role: 'reader', permission: { columns: ['id'], filter: {} } },
  },
]

describe('names that a source gives', () => {
  const databases: TestDatabase[] = []
  let engine: Engine

  before(async () => {
    for (const name of ['a', 'b', 'c']) {
      const database = await createTestDatabase()
      databases.push(database)
      await runOnDatabase(database.url, schema(name))
    }
    const [a, b, c] = databases
    engine = await startEngine({
      databaseUrl: a?.url ?? '',
      env: { SVC_GRAPHQL_EXPERIMENTAL_FEATURES: 'naming_convention' },
    })
    const add = (name: string, database: TestDatabase | undefined, customization: object) => ({
      type: 'pg_add_source',
      args: { name, configuration: { connection_info: { database_url: database?.url } }, customization },
    })
    const set = await engine.metadata('bulk', [
      add('b', b, affixes),
      add('c', c, { naming_convention: 'graphql-default', type_names: { prefix: 'c' } }),
      ...tracked('default'),
      ...tracked('b'),
      ...tracked('c', { custom_root_fields: { select_by_pk: 'one_author' } }),
    ])
    assert.equal(set.status, 200, set.text)
  })
  after(async () => {
    await engine.stop()
    for (const database of databases) await database.drop()
  })

  const ask = async (query: string, headers = {}, path = '/v1/graphql') => {
    const { body } = await engine.post(path, { query }, headers)
    return body.data ?? body.errors[0]
  }

  test('sources with equal tables are served side by side, in one operation', async () => {
    assert.deepEqual(
      await ask(`{
        author_local(where: { id: { _eq: 1 } }) { full_name __typename }
        ns: my_source {
          __typename
          fpref_author_local_by_pk_fsuff(id: 2) { full_name __typename own_articles_aggregate { __typename } }
          again: fpref_author_local_aggregate_fsuff { aggregate { count __typename } }
          fpref_find_authors_fsuff(args: { name_part: "one" }) { id }
        }
        one_author(id: 2) { fullName __typename }
      }`),
      {
        author_local: [{ full_name: 'a one', __typename: 'author_local' }],
        ns: {
          __typename: 'tpref_my_source_query_tsuff',
          fpref_author_local_by_pk_fsuff: {
            full_name: 'b two',
            __typename: 'tpref_author_local_tsuff',
            own_articles_aggregate: { __typename: 'tpref_article_local_aggregate_tsuff' },
          },
          again: { aggregate: { count: 3, __typename: 'tpref_author_local_aggregate_fields_tsuff' } },
          fpref_find_authors_fsuff: [{ id: 1 }],
        },
        one_author: { fullName: 'c two', __typename: 'cAuthorLocal' },
      },
    )
  })

  test('a namespace may be selected without fields, by several names, and is not there for who has nothing in it', async () => {
    assert.deepEqual(await ask('{ a: my_source { x: __typename @skip(if: true) } b: my_source { __typename } }'), {
      a: {},
      b: { __typename: 'tpref_my_source_query_tsuff' },
    })
    const role = { 'x-svc-role': 'reader' }
    assert.deepEqual(await ask('{ my_source { fpref_author_local_fsuff(limit: 1) { id } } }', role), {
      my_source: { fpref_author_local_fsuff: [{ id: 1 }] },
    })
    const stranger = await ask('{ my_source { __typename } }', { 'x-svc-role': 'stranger' })
    assert.equal(stranger.message, "field 'my_source' not found in type: 'query_root'")
  })

  test('errors show the way through the namespace, and explain names its fields by it', async () => {
    const refused = await ask('{ my_source { fpref_author_local_fsuff(where: { nope: {} }) { id } } }')
    assert.deepEqual(refused, {
      message: "field 'nope' not found in type: 'tpref_author_local_bool_exp_tsuff'",
      extensions: {
        path: '$.selectionSet.my_source.selectionSet.fpref_author_local_fsuff.args.where.nope',
        code: 'validation-failed',
      },
    })
    const unprefixed = await ask('{ my_source { author_local { id } } }')
    assert.equal(unprefixed.message, "field 'author_local' not found in type: 'tpref_my_source_query_tsuff'")
    const { body } = await engine.post('/v1/graphql/explain', {
      query: '{ author_local { id } s: my_source { x: fpref_author_local_fsuff { id } } }',
    })
    assert.deepEqual(
      body.map(({ field, plan }: { field: string; plan: readonly string[] }) => [field, plan.length > 0]),
      [
        ['author_local', true],
        ['s.x', true],
      ],
    )
  })

  test('graphql-default respells fields, arguments, operators, orders and enums, and what they hold', async () => {
    assert.deepEqual(
      await ask(
        `{
        authorLocal(orderBy: [{ ownArticlesAggregate: { count: DESC } }, { id: ASC_NULLS_FIRST }], distinctOn: null,
                    where: { _or: [{ freeDay: { _in: [SUNDAY, MONDAY] } }, { fullName: { _isNull: true } }] }) {
          id freeDay own_articles(where: { meta: { _hasKeysAny: ["a"] } }) { authorId }
          own_articlesAggregate { aggregate { count stddevPop { authorId } } }
        }
        findAuthors(args: { name_part: "two" }) { id }
        findAuthorsAggregate(args: { name_part: "two" }) { aggregate { count } }
      }`.replace('ownArticlesAggregate', 'own_articlesAggregate'),
      ),
      {
        authorLocal: [
          {
            id: 1,
            freeDay: 'SUNDAY',
            own_articles: [{ authorId: 1 }],
            own_articlesAggregate: { aggregate: { count: 2, stddevPop: { authorId: 0 } } },
          },
          {
            id: 2,
            freeDay: 'MONDAY',
            own_articles: [],
            own_articlesAggregate: { aggregate: { count: 1, stddevPop: { authorId: 0 } } },
          },
          {
            id: 3,
            freeDay: null,
            own_articles: [],
            own_articlesAggregate: { aggregate: { count: 0, stddevPop: { authorId: null } } },
          },
        ],
        findAuthors: [{ id: 2 }],
        findAuthorsAggregate: { aggregate: { count: 1 } },
      },
    )
  })

  test('enum values in capitals are found in variables too', async () => {
    const query = `query ($day: cWeekDaysEnum!, $days: [cWeekDaysEnum!]) {
      authorLocal(where: { freeDay: { _eq: $day, _in: $days } }) { id } }`
    const withDays = async (variables: object) => (await engine.post('/v1/graphql', { query, variables })).body
    assert.deepEqual((await withDays({ day: 'MONDAY', days: ['SUNDAY', 'MONDAY'] })).data, { authorLocal: [{ id: 2 }] })
    assert.deepEqual((await withDays({ day: 'SUNDAY', days: ['SUNDAY'] })).data, { authorLocal: [{ id: 1 }] })
    assert.equal(
      (await withDays({ day: 'Monday', days: [] })).errors[0].message,
      "expected one of the values ['MONDAY', 'SUNDAY'] for type 'cWeekDaysEnum', but found 'Monday'",
    )
  })

  test('the introspected schema is valid and spelled as each source says', async () => {
    const { body } = await engine.post('/v1/graphql', { query: getIntrospectionQuery() })
    const client = buildClientSchema(body.data)
    assert.deepEqual(validateSchema(client), [])
    for (const name of [
      ...['order_by', 'OrderBy', 'Int_comparison_exp', 'IntComparisonExp', 'jsonb_cast_exp', 'JsonbCastExp'],
      ...[
        'tpref_my_source_query_tsuff',
        'tpref_my_source_subscription_tsuff',
        'tpref_author_local_select_column_tsuff',
      ],
      ...['cAuthorLocalBoolExp', 'cArticleLocalAggregateOrderBy', 'cFindAuthorsArgs', 'cWeekDaysEnum'],
      ...['cursor_ordering', 'CursorOrdering', 'cAuthorLocalStreamCursorValueInput', 'tpref_week_days_enum_tsuff'],
      ...['cWeekDaysEnumComparisonExp', 'tpref_week_days_enum_tsuff_comparison_exp'],
    ])
      assert.ok(client.getType(name), name)
    assert.deepEqual(
      Object.keys(client.getSubscriptionType()?.getFields() ?? {}).filter((name) => /author/i.test(name)),
      [
        ...['authorLocal', 'authorLocalAggregate', 'authorLocalStream'],
        ...['author_local', 'author_local_aggregate', 'author_local_by_pk', 'author_local_stream'],
        ...['findAuthors', 'findAuthorsAggregate', 'find_authors', 'find_authors_aggregate', 'one_author'],
      ],
    )
    const { body: one } = await engine.post('/v1/graphql', {
      query:
        '{ __type(name: "tpref_author_local_max_fields_tsuff") { name } my: __type(name: "tpref_my_source_query_tsuff") { kind } }',
    })
    assert.deepEqual(one.data, { __type: { name: 'tpref_author_local_max_fields_tsuff' }, my: { kind: 'OBJECT' } })
  })

  test('Relay finds nodes of all sources, connections in their namespace', async () => {
    const found = await ask(
      `{ author_local_connection(first: 1) { edges { node { id } } }
         my_source { fpref_author_local_connection_fsuff(first: 1) { __typename edges { node { id } } } }
         authorLocalConnection(first: 1) { edges { node { id } } } }`,
      {},
      '/v1beta1/relay',
    )
    const ids = [
      found.author_local_connection,
      found.my_source.fpref_author_local_connection_fsuff,
      found.authorLocalConnection,
    ].map(({ edges }) => edges[0].node.id)
    assert.equal(found.my_source.fpref_author_local_connection_fsuff.__typename, 'tpref_author_localConnection_tsuff')
    const nodes = ids.map(
      (id, i) => `n${i}: node(id: "${id}") { id __typename
      ... on author_local { full_name } ... on tpref_author_local_tsuff { full_name } ... on cAuthorLocal { fullName } }`,
    )
    const answer = await ask(`{ ${nodes.join(' ')} }`, {}, '/v1beta1/relay')
    assert.deepEqual(
      [answer.n0, answer.n1, answer.n2].map(({ id, ...row }) => [ids.indexOf(id), row]),
      [
        [0, { __typename: 'author_local', full_name: 'a one' }],
        [1, { __typename: 'tpref_author_local_tsuff', full_name: 'b one' }],
        [2, { __typename: 'cAuthorLocal', fullName: 'c one' }],
      ],
    )
  })

  test('a customization that is removed or would clash: names follow, and the call is refused', async () => {
    const update = (customization: object) => engine.metadata('pg_update_source', { name: 'b', customization })
    const conflict =
      /conflicting definitions in the selection set for 'query_root' for fields: \['(author|article)_local/
    const clash = await update({})
    assert.deepEqual([clash.status, clash.body.code], [500, 'unexpected'])
    assert.match(clash.body.error, conflict)
    const taken = await update({ root_fields: { namespace: 'author_local' }, type_names: { prefix: 'x_' } })
    assert.match(taken.body.error, conflict)
    const other = await update({ ...affixes, root_fields: { namespace: 'theirs' } })
    assert.equal(other.status, 200, other.text)
    assert.deepEqual(await ask('{ theirs { author_local_by_pk(id: 1) { full_name } } }'), {
      theirs: { author_local_by_pk: { full_name: 'b one' } },
    })
    assert.equal(
      (await ask('{ my_source { __typename } }')).message,
      "field 'my_source' not found in type: 'query_root'",
    )
    assert.equal((await update(affixes)).status, 200)
    const wrong = await update({ naming_convention: 'snake' })
    assert.deepEqual(
      [wrong.status, wrong.body.code, wrong.body.path],
      [400, 'parse-failed', '$.args.customization.naming_convention'],
    )
    const odd = await update({ root_fields: { prefix: 'a-b' } })
    assert.deepEqual([odd.status, odd.body.code], [400, 'parse-failed'])
  })

  test('values that are one in capitals make no enum where graphql-default would write them so', async () => {
    const track = (source: string) => engine.metadata('pg_track_table', { source, table: 'tones', is_enum: true })
    assert.equal((await track('default')).status, 200)
    const { status, body } = await track('c')
    assert.deepEqual([status, body.code], [400, 'invalid-configuration'])
    assert.match(body.error, /cannot be used as an enum because the values "Red" and "red" are the same in capitals$/)
  })
})
