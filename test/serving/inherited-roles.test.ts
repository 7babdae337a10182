/**
 * Inherited roles (reference/permissions#inherited-roles, reference/permissions#masks) through the real process and a
 * real database.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

const schema = `
  CREATE TABLE author (id int PRIMARY KEY, name text NOT NULL, email text NOT NULL);
  INSERT INTO author VALUES (1, 'ada', 'ada@x'), (2, 'bo', 'bo@x');
  CREATE TABLE article (id int PRIMARY KEY, title text NOT NULL, body text NOT NULL, author_id int NOT NULL REFERENCES author,
    public boolean NOT NULL, likes int NOT NULL, notes jsonb);
  INSERT INTO article VALUES
    (1, 'Ants', 'a1', 1, true, 5, '{"k": [1]}'), (2, 'Bees', 'b2', 1, false, 9, '{"k": [2]}'),
    (3, 'Cats', 'c3', 2, true, 1, '{"k": [3]}'), (4, 'Dogs', 'd4', 2, false, 7, '{"k": [4]}');
  CREATE FUNCTION shout(article) RETURNS text STABLE LANGUAGE sql AS $$ SELECT upper($1.body) $$;
  CREATE FUNCTION liked(minimum int) RETURNS SETOF article STABLE LANGUAGE sql AS $$ SELECT * FROM article WHERE likes >= minimum $$;`

const select = (table: string, role: string, permission: object) => ({
  type: 'pg_create_select_permission',
  args: { table, role, permission },
})
const role = (role_name: string, ...role_set: readonly string[]) => ({
  type: 'add_inherited_role',
  args: { role_name, role_set },
})
const update = (name: string, columns: unknown, filter: object = {}) => ({
  type: 'pg_create_update_permission',
  args: { table: 'article', role: name, permission: { columns, filter } },
})

const setUp = [
  { type: 'pg_track_tables', args: { tables: ['author', 'article'] } },
  {
    type: 'pg_create_object_relationship',
    args: { table: 'article', name: 'author', using: { foreign_key_constraint_on: 'author_id' } },
  },
  {
    type: 'pg_create_array_relationship',
    args: {
      table: 'author',
      name: 'articles',
      using: { foreign_key_constraint_on: { table: 'article', column: 'author_id' } },
    },
  },
  { type: 'pg_add_computed_field', args: { table: 'article', name: 'shout', definition: { function: 'shout' } } },
  { type: 'pg_track_function', args: { function: 'liked' } },
  select('article', 'reader', { columns: ['id', 'title', 'likes'], filter: { public: { _eq: true } } }),
  select('article', 'writer', {
    columns: '*',
    computed_fields: ['shout'],
    filter: { author_id: { _eq: 'X-Svc-User-Id' } },
    allow_aggregations: true,
    limit: 3,
    query_root_fields: ['select', 'select_aggregate'],
  }),
  select('article', 'counter', { columns: ['id'], filter: {}, limit: 2, query_root_fields: [] }),
  select('author', 'reader', { columns: ['id', 'name'], filter: {} }),
  select('author', 'writer', { columns: ['id', 'email'], filter: { id: { _eq: 'X-Svc-User-Id' } } }),
  role('staff', 'reader', 'writer'),
  role('chief', 'staff', 'counter'),
  role('twin', 'reader', 'reader'),
]

describe('inherited roles', () => {
  let database: TestDatabase
  let engine: Engine

  before(async () => {
    database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(schema)
    await client.end()
    engine = await startEngine({
      databaseUrl: database.url,
      env: { SVC_GRAPHQL_INFER_FUNCTION_PERMISSIONS: 'false' },
    })
    const set = await engine.metadata('bulk', setUp)
    assert.equal(set.status, 200, set.text)
  })
  after(async () => {
    await engine.stop()
    await database.drop()
  })

  const headersOf = (name: string) => ({ 'x-svc-role': name, 'x-svc-user-id': '1' })
  const ask = async (query: string, name = 'staff', variables: object = {}) => {
    const { body } = await engine.post('/v1/graphql', { query, variables }, headersOf(name))
    return body.data ?? [body.errors[0].extensions.code, body.errors[0].message]
  }
  const operate = async (type: string, args: object) => {
    const { status, body } = await engine.metadata(type, args)
    return status === 200 ? body : [status, body.code, body.path, body.error]
  }
  /** Restores metadata as it was. */
  const meanwhile = async (operations: readonly object[], run: () => Promise<void>) => {
    const { body } = await engine.metadata('export_metadata', {})
    try {
      const done = await engine.metadata('bulk', operations)
      assert.equal(done.status, 200, done.text)
      await run()
    } finally {
      const back = await engine.metadata(
        'replace_metadata',
        { allow_inconsistent_metadata: true, metadata: body },
        { version: 2 },
      )
      assert.equal(back.status, 200, back.text)
    }
  }

  test('a row that any parent may select is there, with the values that those may see who may select it', async () => {
    assert.deepEqual(await ask('{ article(order_by: {id: asc}) { id title body shout notes(path: "k[0]") } }'), {
      article: [
        { id: 1, title: 'Ants', body: 'a1', shout: 'A1', notes: 1 },
        { id: 2, title: 'Bees', body: 'b2', shout: 'B2', notes: 2 },
        { id: 3, title: 'Cats', body: null, shout: null, notes: null },
      ],
    })
    assert.deepEqual(await ask('{ article(order_by: {id: asc}) { body } }', 'writer'), {
      article: [{ body: 'a1' }, { body: 'b2' }],
    })
  })

  test('a value that is masked in a row is NULL in where too, and in the rows that a relationship leads to', async () => {
    assert.deepEqual(
      await ask(`{
        found: article(where: {body: {_eq: "a1"}}) { id }
        guessed: article(where: {body: {_eq: "c3"}}) { id }
        unequal: article(where: {body: {_neq: "c3"}}, order_by: {id: asc}) { id }
        unknown: article(where: {body: {_is_null: true}}) { id }
        negated: article(where: {_not: {body: {_gt: "c"}}}, order_by: {id: asc}) { id }
        listed: article(where: {notes: {_contains: {k: [3]}}}) { id }
        computed: article(where: {shout: {_like: "C%"}}) { id }
        related: author(where: {articles: {body: {_eq: "c3"}}}) { id }
        cast: article(where: {notes: {_cast: {String: {_like: "%3%"}}}}) { id }
      }`),
      {
        found: [{ id: 1 }],
        guessed: [],
        unequal: [{ id: 1 }, { id: 2 }],
        unknown: [{ id: 3 }],
        negated: [{ id: 1 }, { id: 2 }],
        listed: [],
        computed: [],
        related: [],
        cast: [],
      },
    )
  })

  test('rows are ordered and made distinct by what is seen of them', async () => {
    const ids = async (args: string) =>
      (await ask(`{ article(${args}) { id } }`)).article.map(({ id }: { id: number }) => id)
    const ordered = await ask('query ($o: [article_order_by!]) { article(order_by: $o) { id } }', 'staff', {
      o: [{ body: 'desc_nulls_last' }, { id: 'asc' }],
    })
    assert.deepEqual(ordered, { article: [{ id: 2 }, { id: 1 }, { id: 3 }] })
    assert.deepEqual(await ids('order_by: {body: desc}'), [3, 2, 1])
    assert.deepEqual(await ids('order_by: {shout: asc_nulls_first}'), [3, 1, 2])
    assert.deepEqual(await ids('distinct_on: author_id, order_by: [{author_id: desc}, {id: desc}]'), [3, 2])
    assert.deepEqual(await ids('distinct_on: [author_id, body], order_by: [{body: asc}, {author_id: asc}]'), [1, 2, 3])
    assert.deepEqual(
      (await ask('{ article(distinct_on: author_id) { author_id } }')).article.toSorted(
        (a: { author_id: number }, b: { author_id: number }) => Number(a.author_id) - Number(b.author_id),
      ),
      [{ author_id: null }, { author_id: 1 }],
    )
    assert.deepEqual(await ask('{ author(order_by: {articles_aggregate: {max: {body: desc_nulls_last}}}) { id } }'), {
      author: [{ id: 1 }, { id: 2 }],
    })
    assert.deepEqual(await ask('{ article(order_by: [{author: {email: desc}}, {id: asc}]) { id author { email } } }'), {
      article: [
        { id: 3, author: { email: null } },
        { id: 1, author: { email: 'ada@x' } },
        { id: 2, author: { email: 'ada@x' } },
      ],
    })
  })

  test('aggregates are of what is seen', async () => {
    assert.deepEqual(
      await ask(`{
        article_aggregate {
          aggregate {
            count all: count(columns: [body]) authors: count(columns: author_id, distinct: true)
            max { body shout author_id likes } sum { author_id likes }
          }
          nodes { body }
        }
        author(order_by: {id: desc}) { articles_aggregate(order_by: {id: asc}) { aggregate { count(columns: body) min { body } } nodes { body } } }
      }`),
      {
        article_aggregate: {
          aggregate: {
            count: 3,
            all: 2,
            authors: 1,
            max: { body: 'b2', shout: 'B2', author_id: 1, likes: 9 },
            sum: { author_id: 2, likes: 15 },
          },
          nodes: [{ body: 'a1' }, { body: 'b2' }, { body: null }],
        },
        author: [
          { articles_aggregate: { aggregate: { count: 0, min: { body: null } }, nodes: [{ body: null }] } },
          {
            articles_aggregate: {
              aggregate: { count: 2, min: { body: 'a1' } },
              nodes: [{ body: 'a1' }, { body: 'b2' }],
            },
          },
        ],
      },
    )
  })

  test('a row is found by a key only where the key is seen', async () => {
    const withMaskedKey = [
      select('author', 'nameless', { columns: ['name'], filter: {} }),
      select('author', 'keyed', { columns: ['id'], filter: { id: { _eq: 'X-Svc-User-Id' } } }),
      role('both', 'nameless', 'keyed'),
    ]
    await meanwhile(withMaskedKey, async () => {
      assert.deepEqual(
        await ask('{ one: author_by_pk(id: 1) { name id } two: author_by_pk(id: 2) { name } }', 'both'),
        {
          one: { name: 'ada', id: 1 },
          two: null,
        },
      )
    })
  })

  test('what is masked may be null in the schema, what all parents have may not', async () => {
    const { __type } = await ask('{ __type(name: "article") { fields { name type { kind name } } } }')
    const kinds = __type.fields.map(({ name, type }: { name: string; type: { kind: string } }) => [name, type.kind])
    assert.deepEqual(Object.fromEntries(kinds), {
      author: 'NON_NULL',
      author_id: 'SCALAR',
      body: 'SCALAR',
      id: 'NON_NULL',
      likes: 'NON_NULL',
      notes: 'SCALAR',
      public: 'SCALAR',
      shout: 'SCALAR',
      title: 'NON_NULL',
    })
  })

  test('a role made of one role, twice even, has its permissions as they are', async () => {
    assert.deepEqual(await ask('{ article(where: {id: {_lte: 3}}) { id title } }', 'twin'), {
      article: [
        { id: 1, title: 'Ants' },
        { id: 3, title: 'Cats' },
      ],
    })
    assert.deepEqual(await ask('{ article { body } }', 'twin'), [
      'validation-failed',
      "field 'body' not found in type: 'article'",
    ])
  })

  test('masks of an inherited role remain where another role inherits it', async () => {
    assert.deepEqual(await ask('{ article(order_by: {id: asc}, limit: 9) { id title body } }', 'chief'), {
      article: [
        { id: 1, title: 'Ants', body: 'a1' },
        { id: 2, title: 'Bees', body: 'b2' },
        { id: 3, title: 'Cats', body: null },
      ],
    })
    assert.deepEqual(await ask('{ article_aggregate { aggregate { count(columns: title) c: count } } }', 'chief'), {
      article_aggregate: { aggregate: { count: 3, c: 4 } },
    })
    assert.deepEqual(await ask('{ article(where: {id: {_eq: 4}}) { id title likes body } }', 'chief'), {
      article: [{ id: 4, title: null, likes: null, body: null }],
    })
  })

  test('the highest limit counts, and the root fields and aggregations of any parent', async () => {
    const fields = async (name: string) => {
      const { __schema } = await ask('{ __schema { queryType { fields { name } } } }', name)
      return __schema.queryType.fields.map(({ name: field }: { name: string }) => field)
    }
    const ofAuthor = ['author', 'author_by_pk']
    assert.deepEqual(await fields('reader'), ['article', 'article_by_pk', ...ofAuthor])
    assert.deepEqual(await fields('writer'), ['article', 'article_aggregate', ...ofAuthor])
    assert.deepEqual(await fields('staff'), ['article', 'article_aggregate', 'article_by_pk', ...ofAuthor])
    await meanwhile([role('counting', 'counter', 'writer')], async () => {
      assert.deepEqual(await fields('counting'), ['article', 'article_aggregate', ...ofAuthor])
      assert.equal((await ask('{ article { id } }', 'counting')).article.length, 3)
    })
  })

  test("a role's own permission on a table takes the place of what it would inherit there", async () => {
    await meanwhile([select('article', 'staff', { columns: ['title'], filter: { id: { _eq: 4 } } })], async () => {
      assert.deepEqual(
        await ask('{ article { title } author(order_by: {id: asc}) { name email articles { title } } }'),
        {
          article: [{ title: 'Dogs' }],
          author: [
            { name: 'ada', email: 'ada@x', articles: [] },
            { name: 'bo', email: null, articles: [{ title: 'Dogs' }] },
          ],
        },
      )
    })
  })

  test('a function may be called by a role if one of its parents may', async () => {
    const missing = ['validation-failed', "field 'liked' not found in type: 'query_root'"]
    assert.deepEqual(await ask('{ liked(args: {minimum: 5}) { id } }'), missing)
    const permission = { type: 'pg_create_function_permission', args: { function: 'liked', role: 'writer' } }
    await meanwhile([permission], async () => {
      const expected = {
        liked: [
          { id: 1, body: 'a1' },
          { id: 2, body: 'b2' },
        ],
      }
      const query = '{ liked(args: {minimum: 5}, order_by: {id: asc}) { id body } }'
      assert.deepEqual(await ask(query), expected)
      assert.deepEqual(await ask(query.replace(' body', ''), 'chief'), { liked: [{ id: 1 }, { id: 2 }, { id: 4 }] })
      assert.deepEqual(await ask('{ liked(args: {minimum: 5}) { id } }', 'reader'), missing)
    })
    const own = { type: 'pg_create_function_permission', args: { function: 'liked', role: 'chief' } }
    await meanwhile([own], async () => {
      assert.deepEqual(await ask('{ liked(args: {minimum: 9}) { id } }', 'chief'), { liked: [{ id: 2 }] })
    })
  })

  test('a missing session variable of any parent is an error, not a row too many', async () => {
    const { body } = await engine.post('/v1/graphql', { query: '{ article { id } }' }, { 'x-svc-role': 'staff' })
    assert.deepEqual(
      [body.errors[0].extensions.code, body.errors[0].message],
      ['not-found', 'missing session variable: "x-svc-user-id"'],
    )
  })

  test('a plan that is kept follows a change of what the role is made of', async () => {
    const query = '{ article(order_by: {id: asc}) { id title } }'
    const ids = async () => (await ask(query)).article.map(({ id }: { id: number }) => id)
    assert.deepEqual(await ids(), [1, 2, 3])
    await meanwhile([role('staff', 'writer')], async () => {
      assert.deepEqual(await ids(), [1, 2])
      assert.deepEqual(await operate('drop_inherited_role', { role_name: 'chief' }), { message: 'success' })
      assert.deepEqual(await operate('drop_inherited_role', { role: 'staff' }), { message: 'success' })
      assert.deepEqual(await ask(query), ['validation-failed', "field 'article' not found in type: 'query_root'"])
    })
    assert.deepEqual(await ids(), [1, 2, 3])
  })

  test('what cannot be made is refused', async () => {
    const missing =
      'Inconsistent object: in inherited role r: the following parent role(s) are not found: admin, nobody which are required to construct the inherited role: "r"'
    const cases: readonly (readonly [string, object, readonly unknown[]])[] = [
      [
        'add_inherited_role',
        { role_name: 'r', role_set: [] },
        [400, 'parse-failed', '$.args.role_set', 'expected a non-empty list, encountered an empty one'],
      ],
      [
        'add_inherited_role',
        { role_name: 'r', role_set: ['r', 'reader'] },
        [400, 'invalid-params', '$.args', 'an inherited role name cannot be in the role combination'],
      ],
      [
        'add_inherited_role',
        { role_name: 'staff', role_set: ['chief'] },
        [400, 'cyclic-dependency', '$.args', 'found cycle(s) in roles: chief, staff'],
      ],
      [
        'add_inherited_role',
        { role_name: 'r', role_set: ['nobody', 'reader', 'admin'] },
        [400, 'invalid-configuration', '$.args', missing],
      ],
      [
        'add_inherited_role',
        { role_name: 'admin', role_set: ['reader'] },
        [
          400,
          'invalid-configuration',
          '$.args',
          'Inconsistent object: in inherited role admin: the admin has every permission and inherits none',
        ],
      ],
      [
        'drop_inherited_role',
        { role: 'nobody' },
        [400, 'not-exists', '$.args', '"nobody" inherited role doesn\'t exist'],
      ],
      [
        'drop_inherited_role',
        { role: 'staff' },
        [400, 'unexpected', '$.args', 'cannot continue due to new inconsistent metadata'],
      ],
      [
        'pg_drop_select_permission',
        { table: 'article', role: 'counter' },
        [500, 'unexpected', '$.args', 'cannot continue due to newly found inconsistent metadata'],
      ],
    ]
    for (const [type, args, expected] of cases) assert.deepEqual(await operate(type, args), expected)
    const { body } = await engine.metadata('export_metadata', {})
    const cyclic = {
      ...body,
      inherited_roles: [
        { role_name: 'a', role_set: ['b'] },
        { role_name: 'b', role_set: ['a'] },
      ],
    }
    assert.deepEqual(await operate('replace_metadata', cyclic), [
      400,
      'cyclic-dependency',
      '$.args',
      'found cycle(s) in roles: a, b',
    ])
  })

  test('a role that lacks a parent is inconsistent until the parent is there', async () => {
    const { body } = await engine.metadata('export_metadata', {})
    const inherited_roles = [
      ...body.inherited_roles,
      { role_name: 'late', role_set: ['later'] },
      { role_name: 'latest', role_set: ['late'] },
    ]
    await meanwhile([], async () => {
      const metadata = { ...body, inherited_roles }
      const { body: replaced } = await engine.metadata(
        'replace_metadata',
        { allow_inconsistent_metadata: true, metadata },
        { version: 2 },
      )
      assert.deepEqual(
        replaced.inconsistent_objects.map(({ type, name, definition }: Record<string, unknown>) => [
          type,
          name,
          definition,
        ]),
        [
          ['inherited_role', 'inherited_role inherited role late', { role_name: 'late', role_set: ['later'] }],
          ['inherited_role', 'inherited_role inherited role latest', { role_name: 'latest', role_set: ['late'] }],
        ],
      )
      const { type, args } = select('author', 'later', { columns: ['name'], filter: {} })
      assert.deepEqual(await operate(type, args), { message: 'success' })
      assert.deepEqual(await operate('get_inconsistent_metadata', {}), [])
      assert.deepEqual(await ask('{ author(order_by: {name: asc}) { name } }', 'latest'), {
        author: [{ name: 'ada' }, { name: 'bo' }],
      })
    })
  })

  test('permissions to write that parents do not share are reported, and refuse nothing', async () => {
    const conflict = {
      reason:
        "Could not inherit permission for the role 'staff' for the entity: 'update permission, table: article, source: 'default''",
      type: 'inherited role permission inconsistency',
      name: 'staff',
      entity: { table: 'article', source: 'default', permission_type: 'update' },
    }
    await meanwhile([update('reader', ['likes', 'title']), update('writer', ['title', 'likes'])], async () => {
      assert.deepEqual(await operate('get_inconsistent_metadata', {}), [])
      assert.equal((await engine.get('/healthz')).text, 'OK')
    })
    await meanwhile([update('reader', ['likes']), update('writer', '*')], async () => {
      assert.deepEqual(await operate('get_inconsistent_metadata', {}), [conflict])
      // it is reported, and yet nothing that is served is inconsistent
      assert.equal((await engine.get('/healthz')).text, 'OK')
      assert.deepEqual(await operate('drop_inconsistent_metadata', {}), { message: 'success' })
      assert.deepEqual(await operate('get_inconsistent_metadata', {}), [conflict])
      const own = update('staff', ['body'])
      const { body } = await engine.metadata(own.type, own.args, { dry_run: true })
      assert.deepEqual([body.inconsistent_objects, body.consistent_objects], [[], [conflict]])
      assert.deepEqual(await operate(own.type, own.args), { message: 'success' })
      assert.deepEqual(await operate('get_inconsistent_metadata', {}), [])
    })
  })
})
