/** Relay's schema on /v1beta1/relay through the real process and a real database. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { buildClientSchema, getIntrospectionQuery, isInterfaceType, validateSchema } from 'graphql'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

/** Values that orders stumble over: equal ones, NULLs, digits beyond 2^53, fractions of a second. */
const schema = `
  CREATE TABLE author (id int PRIMARY KEY, name text, born timestamptz, fans bigint, score numeric, ratio float8);
  INSERT INTO author SELECT i,
    CASE WHEN i % 5 = 0 THEN NULL ELSE 'name ' || i % 3 END,
    CASE WHEN i % 7 = 0 THEN NULL ELSE '2020-01-01T00:00:00.123456Z'::timestamptz + (i % 4) * interval '1 microsecond' END,
    CASE WHEN i % 4 = 0 THEN NULL ELSE 9007199254740992 + i % 3 END,
    CASE WHEN i % 6 = 0 THEN NULL ELSE (i % 5)::numeric / 3 END,
    CASE WHEN i % 9 = 0 THEN NULL ELSE (i % 5)::float8 / 3 END
  FROM generate_series(1, 40) AS i;
  CREATE TABLE article (id int PRIMARY KEY, title text NOT NULL, author_id int REFERENCES author);
  INSERT INTO article SELECT i, 'title ' || i, CASE WHEN i % 8 = 0 THEN NULL ELSE 1 + i % 9 END FROM generate_series(1, 60) AS i;
  CREATE TABLE pair (a text, b int, note text, PRIMARY KEY (a, b));
  INSERT INTO pair VALUES ('x "1"', 1, 'one'), ('x', 2, 'two');
  CREATE VIEW titles AS SELECT title FROM article;
  CREATE DOMAIN tag AS int;
  CREATE TABLE tagged (id int PRIMARY KEY, tags tag[]);
  INSERT INTO tagged VALUES (1, '{1,2}'), (2, '{3}'), (3, NULL);
  CREATE TYPE place AS (x int, y text);
  CREATE TABLE shape (id jsonb, at place, grid int[], body jsonb, PRIMARY KEY (id, at));
  INSERT INTO shape VALUES
    ('1', '(1,"a, b")', '{{1,2},{3,4}}', 'null'), ('"1"', '(1,)', '{{1,2},{3,3}}', NULL), ('{}', '(,)', '{}', '"null"'),
    ('null', '(2,"\\"")', '[0:1]={1,2}', '[1, null]'), ('1', '(3,c)', NULL, '1.50'), ('2', '(3,c)', '{NULL}', NULL);
  CREATE FUNCTION written(lowest int DEFAULT 1) RETURNS SETOF article STABLE LANGUAGE sql
    AS $$ SELECT * FROM article WHERE id >= lowest $$;
  CREATE FUNCTION oldest() RETURNS article STABLE LANGUAGE sql AS $$ SELECT * FROM article ORDER BY id LIMIT 1 $$;
  CREATE FUNCTION listed() RETURNS SETOF titles STABLE LANGUAGE sql AS $$ SELECT title FROM article $$;
  CREATE FUNCTION counted() RETURNS SETOF article LANGUAGE sql AS $$ SELECT * FROM article $$;
  CREATE FUNCTION own(author, lowest int DEFAULT 1) RETURNS SETOF article STABLE LANGUAGE sql
    AS $$ SELECT * FROM article WHERE author_id = $1.id AND id >= lowest $$;
`

interface Connection {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[]
  readonly pageInfo: Readonly<Record<string, unknown>>
}

describe('relay', () => {
  let database: TestDatabase
  let engine: Engine

  before(async () => {
    database = await createTestDatabase()
    await runOnDatabase(database.url, schema)
    engine = await startEngine({ databaseUrl: database.url })
    const set = await engine.metadata('bulk', [
      ...['author', 'article', 'pair', 'titles', 'tagged', 'shape'].map((table) => ({
        type: 'pg_track_table',
        args: { table },
      })),
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
      ...['written', 'oldest', 'listed'].map((name) => ({ type: 'pg_track_function', args: { function: name } })),
      { type: 'pg_track_function', args: { function: 'counted', configuration: { exposed_as: 'query' } } },
      { type: 'pg_add_computed_field', args: { table: 'author', name: 'own', definition: { function: 'own' } } },
      {
        type: 'pg_create_select_permission',
        args: {
          table: 'article',
          role: 'reader',
          permission: { columns: ['title'], filter: { author_id: { _eq: 'X-Svc-User-Id' } }, limit: 4 },
        },
      },
    ])
    assert.equal(set.status, 200, set.text)
  })
  after(async () => {
    await engine.stop()
    await database.drop()
  })

  const ask = async (query: string, variables: object = {}, headers = {}) => {
    const { body } = await engine.post('/v1beta1/relay', { query, variables }, headers)
    return body.data ?? body.errors[0]
  }
  const query = `query ($first: Int, $last: Int, $after: String, $before: String, $order: [author_order_by!]) {
    author_connection(first: $first, last: $last, after: $after, before: $before, order_by: $order) {
      edges { cursor node { id } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`
  const page = async (variables: object): Promise<Connection> => {
    const answer = await ask(query, variables)
    assert.ok(answer.author_connection, JSON.stringify(answer))
    return answer.author_connection
  }

  const orders: readonly object[] = [
    [],
    [{ name: 'asc' }],
    [{ name: 'desc' }, { id: 'desc' }],
    [{ name: 'asc_nulls_first' }, { fans: 'desc_nulls_last' }],
    [{ born: 'asc' }, { score: 'desc' }],
    [{ ratio: 'desc_nulls_last' }],
    [{ fans: 'asc' }, { ratio: 'asc_nulls_first' }],
    [{ articles_aggregate: { count: 'desc' } }],
    [{ articles_aggregate: { max: { title: 'asc' }, avg: { id: 'asc' } } }, { name: 'asc' }],
  ]
  for (const order of orders)
    test(`pages forwards and backwards give every row once, in the order ${JSON.stringify(order)}`, async () => {
      const whole = await page({ order })
      assert.equal(whole.edges.length, 40)
      assert.deepEqual([whole.pageInfo.hasNextPage, whole.pageInfo.hasPreviousPage], [false, false])
      const all = whole.edges.map(({ cursor }) => cursor)
      for (const size of [3, 40]) {
        const forwards: string[] = []
        for (let after: string | null = null; ; ) {
          const { edges, pageInfo } = await page({ order, first: size, after })
          assert.equal(pageInfo.hasPreviousPage, after !== null)
          forwards.push(...edges.map(({ cursor }) => cursor))
          assert.deepEqual([pageInfo.startCursor, pageInfo.endCursor], [edges[0]?.cursor, edges.at(-1)?.cursor])
          if (!pageInfo.hasNextPage) break
          after = String(pageInfo.endCursor)
        }
        assert.deepEqual(forwards, all)
        const backwards: string[] = []
        for (let before: string | null = null; ; ) {
          const { edges, pageInfo } = await page({ order, last: size, before })
          assert.equal(pageInfo.hasNextPage, before !== null)
          backwards.unshift(...edges.map(({ cursor }) => cursor))
          if (!pageInfo.hasPreviousPage) break
          before = String(pageInfo.startCursor)
        }
        assert.deepEqual(backwards, all)
      }
    })

  test('a page behind the last row is empty, and knows what is before', async () => {
    const { pageInfo } = await page({})
    assert.deepEqual(await page({ first: 3, after: pageInfo.endCursor }), {
      edges: [],
      pageInfo: { startCursor: '', endCursor: '', hasNextPage: false, hasPreviousPage: true },
    })
  })

  test('arrays of a domain are an order that pages can begin in', async () => {
    const label = (values: string) => Buffer.from(values).toString('base64')
    const ids = async (args: string) =>
      (await ask(`{ tagged_connection(order_by: {tags: asc}, ${args}) { edges { node { tags } } } }`)).tagged_connection
        ?.edges
    assert.deepEqual(await ids(`after: "${label('{"tags": [1, 2], "id": 1}')}"`), [
      { node: { tags: [3] } },
      { node: { tags: null } },
    ])
    assert.deepEqual(await ids(`before: "${label('{"tags": null, "id": 3}')}"`), [
      { node: { tags: [1, 2] } },
      { node: { tags: [3] } },
    ])
  })

  for (const order of [
    '{body: asc}',
    '{body: desc}',
    '{grid: asc}',
    '{grid: desc_nulls_last}',
    '{at: asc}',
    '{id: desc}',
  ])
    test(`pages and ids of lists in lists, records and JSON lead to every row once, in the order ${order}`, async () => {
      const connection = `shape_connection(order_by: [${order}], first: $first, last: $last, after: $after, before: $before) { edges { cursor node { id at grid body } } }`
      const edgesOf = async (variables: object): Promise<readonly { cursor: string; node: { id: string } }[]> => {
        const variable = '$first: Int, $last: Int, $after: String, $before: String'
        const answer = await ask(`query (${variable}) { ${connection} }`, variables)
        assert.ok(answer.shape_connection, JSON.stringify(answer))
        return answer.shape_connection.edges
      }
      const all = await edgesOf({})
      assert.equal(all.length, 6)
      for (const [i, { cursor, node }] of all.entries()) {
        assert.deepEqual(await edgesOf({ first: 2, after: cursor }), all.slice(i + 1, i + 3))
        assert.deepEqual(await edgesOf({ last: 2, before: cursor }), all.slice(Math.max(0, i - 2), i))
        assert.deepEqual(
          await ask('query ($id: ID!) { node(id: $id) { ... on shape { id at grid body } } }', { id: node.id }),
          {
            node,
          },
        )
      }
    })

  test('distinct rows have pages too', async () => {
    const distinct =
      'author_connection(distinct_on: name, first: 2, after: $after) { edges { node { name } } pageInfo { endCursor hasNextPage } }'
    const one = await ask(`query ($after: String) { ${distinct} }`)
    assert.deepEqual(
      one.author_connection.edges.map(({ node }: { node: unknown }) => node),
      [{ name: 'name 0' }, { name: 'name 1' }],
    )
    const two = await ask(`query ($after: String) { ${distinct} }`, { after: one.author_connection.pageInfo.endCursor })
    assert.deepEqual(
      two.author_connection.edges.map(({ node }: { node: unknown }) => node),
      [{ name: 'name 2' }, { name: null }],
    )
    assert.equal(two.author_connection.pageInfo.hasNextPage, false)
  })

  test('nodes are found by their ids, in fragments on their types and on Node', async () => {
    const { pair_connection } = await ask('{ pair_connection { edges { node { id a b } } } }')
    for (const { node } of pair_connection.edges) {
      const answer = await ask(
        `query ($id: ID!) { node(id: $id) { __typename ... on pair { a b } ...n ... on author { name } } }
         fragment n on Node { same: id }`,
        { id: node.id },
      )
      assert.deepEqual(answer, { node: { __typename: 'pair', a: node.a, b: node.b, same: node.id } })
    }
    const gone = Buffer.from('[1, "public", "pair", "gone", 1]').toString('base64')
    assert.deepEqual(await ask(`{ node(id: "${gone}") { id } }`), { node: null })
  })

  test('relationships have connections where their rows are nodes', async () => {
    const answer = await ask(`{ author_connection(where: { id: { _eq: 2 } }) { edges { node {
      articles_connection(last: 2, order_by: { title: asc }) { edges { node { title author { name } } } pageInfo { hasPreviousPage } }
      articles_aggregate { aggregate { count } } } } } }`)
    assert.deepEqual(answer.author_connection.edges[0].node, {
      articles_connection: {
        edges: [
          { node: { title: 'title 46', author: { name: 'name 2' } } },
          { node: { title: 'title 55', author: { name: 'name 2' } } },
        ],
        pageInfo: { hasPreviousPage: true },
      },
      articles_aggregate: { aggregate: { count: 7 } },
    })
  })

  test('tracked functions have connections where they give any number of nodes', async () => {
    const asked = `query ($after: String) { written_connection(args: { lowest: 57 }, first: 3, after: $after) {
      edges { cursor node { title author { id } } } pageInfo { endCursor hasNextPage hasPreviousPage } } }`
    const one = await ask(asked)
    const titles = (answer: typeof one) =>
      answer.written_connection.edges.map(({ node }: { node: { title: string } }) => node.title)
    assert.deepEqual(titles(one), ['title 57', 'title 58', 'title 59'])
    const { endCursor, ...more } = one.written_connection.pageInfo
    assert.deepEqual(more, { hasNextPage: true, hasPreviousPage: false })
    const two = await ask(asked, { after: endCursor })
    assert.deepEqual(titles(two), ['title 60'])
    assert.deepEqual(two.written_connection.pageInfo, {
      endCursor: two.written_connection.edges[0].cursor,
      hasNextPage: false,
      hasPreviousPage: true,
    })
    for (const name of ['oldest_connection', 'listed_connection', 'counted_connection'])
      assert.equal((await ask(`{ ${name} { __typename } }`)).message, `field '${name}' not found in type: 'query_root'`)
    const reader = { 'x-svc-role': 'reader', 'x-svc-user-id': '4' }
    assert.deepEqual(await ask('{ written_connection(last: 1) { edges { node { title } } } }', {}, reader), {
      written_connection: { edges: [{ node: { title: 'title 57' } }] },
    })
  })

  test('computed fields have connections where they give any number of nodes', async () => {
    const { author_connection } = await ask(`{ author_connection(where: { id: { _eq: 2 } }) { edges { node {
      own(order_by: { id: desc }, limit: 1) { title }
      own_connection(args: { lowest: 20 }, first: 1, where: { title: { _neq: "title 28" } }) {
        edges { node { title } } pageInfo { hasNextPage } } } } } }`)
    assert.deepEqual(author_connection.edges[0].node, {
      own: [{ title: 'title 55' }],
      own_connection: { edges: [{ node: { title: 'title 37' } }], pageInfo: { hasNextPage: true } },
    })
  })

  test('a permission filters, limits and hides, and gives ids all the same', async () => {
    const reader = { 'x-svc-role': 'reader', 'x-svc-user-id': '2' }
    const { article_connection } = await ask(
      '{ article_connection { edges { node { id title } } pageInfo { hasNextPage } } }',
      {},
      reader,
    )
    assert.equal(article_connection.edges.length, 4)
    assert.equal(article_connection.pageInfo.hasNextPage, true)
    const { id, title } = article_connection.edges[0].node
    const fields = '... on article { title }'
    assert.deepEqual(await ask(`{ node(id: "${id}") { ${fields} } }`, {}, reader), { node: { title } })
    assert.deepEqual(await ask(`{ node(id: "${id}") { ${fields} } }`, {}, { ...reader, 'x-svc-user-id': '3' }), {
      node: null,
    })
    const author = Buffer.from('[1, "public", "author", 1]').toString('base64')
    assert.equal(
      (await ask(`{ node(id: "${author}") { id } }`, {}, reader)).message,
      'invalid node id: no such table: "public.author"',
    )
    const hidden = await ask('{ author_connection { edges { cursor } } }', {}, reader)
    assert.equal(hidden.message, "field 'author_connection' not found in type: 'query_root'")
  })

  const refusals: readonly (readonly [string, string, string])[] = [
    [
      'author_connection(first: 1, last: 1) { edges { cursor } }',
      '$.selectionSet.author_connection.args',
      '"first" and "last" are not allowed at once',
    ],
    [
      'author_connection(first: -1) { edges { cursor } }',
      '$.selectionSet.author_connection.args.first',
      "expected a non-negative 32-bit integer for type 'Int', but found an integer",
    ],
    [
      'author_connection(after: "e30=") { edges { cursor } }',
      '$.selectionSet.author_connection.args.after',
      'the cursor does not fit the order of the rows',
    ],
    [
      'author_connection(after: "!") { edges { cursor } }',
      '$.selectionSet.author_connection.args.after',
      'the cursor does not fit the order of the rows',
    ],
    [
      'author_connection(limit: 1) { edges { cursor } }',
      '$.selectionSet.author_connection',
      "'author_connection' has no argument named 'limit'",
    ],
    ['node(id: "W10=") { id }', '$.selectionSet.node.args.id', 'invalid node id: Error in $: unknown GUID version'],
    [
      'node(id: "?") { id }',
      '$.selectionSet.node.args.id',
      'invalid node id: Error in $: not a valid base64 encoded JSON value',
    ],
    [
      'node(id: "WzEsICJwdWJsaWMiLCAicGFpciIsICJ4IiwgMSwgMl0=") { id }',
      '$.selectionSet.node.args.id',
      'invalid node id: 1 values more than the primary key has columns',
    ],
    [
      'node(id: "WzEsICJwdWJsaWMiLCAicGFpciIsICJ4IiwgMV0=") { a }',
      '$.selectionSet.node.selectionSet.a',
      "field 'a' not found in type: 'Node'",
    ],
    ['author { id }', '$.selectionSet.author', "field 'author' not found in type: 'query_root'"],
    [
      'titles_connection { edges { cursor } }',
      '$.selectionSet.titles_connection',
      "field 'titles_connection' not found in type: 'query_root'",
    ],
  ]
  for (const [asked, path, message] of refusals)
    test(`{ ${asked} } is refused: ${message}`, async () => {
      assert.deepEqual(await ask(`{ ${asked} }`), { message, extensions: { path, code: 'validation-failed' } })
    })

  test('the introspected schema is valid, and its nodes are what has a key', async () => {
    const client = buildClientSchema(await ask(getIntrospectionQuery()))
    assert.deepEqual(validateSchema(client), [])
    const node = client.getType('Node')
    assert.ok(isInterfaceType(node))
    assert.deepEqual(
      client.getPossibleTypes(node).map(({ name }) => name),
      ['article', 'author', 'pair', 'shape', 'tagged'],
    )
    assert.deepEqual(Object.keys(client.getQueryType()?.getFields() ?? {}), [
      ...[
        'article_connection',
        'author_connection',
        'node',
        'pair_connection',
        'shape_connection',
        'tagged_connection',
        'written_connection',
      ],
    ])
  })

  test('explain shows the statement of a connection, and that is_relay asks for', async () => {
    const { body } = await engine.post('/v1/graphql/explain', {
      is_relay: true,
      query: '{ author_connection(first: 1) { edges { cursor } } }',
    })
    assert.equal(body[0].field, 'author_connection')
    assert.doesNotMatch(body[0].sql, /\$1/)
  })

  test('an engine that does not serve it says so', async (t) => {
    const without = await startEngine({ databaseUrl: database.url, env: { SVC_GRAPHQL_ENABLE_RELAY: 'false' } }, t)
    const { status, body } = await without.post('/v1beta1/relay', { query: '{ __typename }' })
    assert.deepEqual([status, body.code, body.path], [400, 'not-supported', '$'])
    assert.match(body.error, /^The Relay API is disabled\./)
  })
})
