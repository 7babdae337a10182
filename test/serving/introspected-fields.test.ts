/**
 * What introspection lists is what a role may use: every field, argument, input field and enum value that is listed is
 * answered, and every other one that the admin has is refused. With the introspection queries of tools as they send them.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  buildClientSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  validateSchema,
} from 'graphql'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

const schema = `
  CREATE TYPE mood AS ENUM ('good', 'bad');
  CREATE TABLE color (value text PRIMARY KEY, comment text);
  INSERT INTO color VALUES ('red', NULL), ('blue', 'sky');
  CREATE TABLE author (id int PRIMARY KEY, name text NOT NULL, born date, mood mood, meta jsonb, tags text[],
    color text REFERENCES color, secret numeric);
  CREATE TABLE article (id bigint PRIMARY KEY, author_id int NOT NULL REFERENCES author, title text, words smallint,
    rating float8, price money, published timestamptz, key uuid, live boolean, span tstzrange);
  INSERT INTO author VALUES (1, 'Ada', '1815-12-10', 'good', '{"a": [1]}', '{x}', 'red', 1.5);
  INSERT INTO article VALUES (1, 1, 'On engines', 3, 0.5, 1, now(), gen_random_uuid(), true, '[2020-01-01,2021-01-01)');
  CREATE VIEW latest AS SELECT * FROM article;
  CREATE FUNCTION full_name(author) RETURNS text STABLE LANGUAGE sql AS $$ SELECT $1.name $$;
  CREATE FUNCTION rated(author, lowest float8 DEFAULT 0) RETURNS SETOF article STABLE LANGUAGE sql
    AS $$ SELECT * FROM article WHERE author_id = $1.id AND rating >= lowest $$;
  CREATE FUNCTION worth(article, factor int) RETURNS numeric STABLE LANGUAGE sql AS $$ SELECT $1.words::numeric * factor $$;
  CREATE FUNCTION search(term text, above int DEFAULT 0) RETURNS SETOF article STABLE LANGUAGE sql
    AS $$ SELECT * FROM article WHERE title LIKE term $$;
  CREATE FUNCTION newest() RETURNS article STABLE LANGUAGE sql AS $$ SELECT * FROM article LIMIT 1 $$;
`

const permission = (table: string, role: string, more: object) => ({
  type: 'pg_create_select_permission',
  args: { table, role, permission: { filter: {}, ...more } },
})

const operations = [
  ...['color', 'author', 'article', 'latest'].map((table) => ({ type: 'pg_track_table', args: { table } })),
  { type: 'pg_set_table_is_enum', args: { table: 'color', is_enum: true } },
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
  ...['full_name', 'rated'].map((name) => ({
    type: 'pg_add_computed_field',
    args: { table: 'author', name, definition: { function: name } },
  })),
  { type: 'pg_add_computed_field', args: { table: 'article', name: 'worth', definition: { function: 'worth' } } },
  ...['search', 'newest'].map((name) => ({ type: 'pg_track_function', args: { function: name } })),
  permission('author', 'editor', { columns: '*', computed_fields: ['full_name'], allow_aggregations: true }),
  permission('article', 'editor', { columns: '*', computed_fields: ['worth'], allow_aggregations: true }),
  permission('author', 'reader', { columns: ['id', 'name', 'meta'], query_root_fields: ['select_by_pk'] }),
  permission('article', 'reader', { columns: ['title', 'words'], filter: { author_id: { _eq: 'X-Svc-User-Id' } } }),
  permission('article', 'lister', { columns: ['id'], allow_aggregations: true, query_root_fields: [] }),
  permission('author', 'lister', { columns: ['color', 'mood'], computed_fields: ['full_name'] }),
  permission('color', 'guest', { columns: [], filter: {} }),
  permission('author', 'counter', { columns: [], allow_aggregations: true }),
]

const roles = ['admin', 'editor', 'reader', 'lister', 'guest', 'counter', 'stranger'] as const

describe('what is introspected', () => {
  let database: TestDatabase
  let engine: Engine
  const schemas = new Map<string, GraphQLSchema>()

  before(async () => {
    database = await createTestDatabase()
    await runOnDatabase(database.url, schema)
    engine = await startEngine({ databaseUrl: database.url })
    const set = await engine.metadata('bulk', operations)
    assert.equal(set.status, 200, set.text)
    for (const role of roles) schemas.set(role, await clientSchema(role))
  })
  after(async () => {
    await engine.stop()
    await database.drop()
  })

  const headers = (role: string) => ({ 'x-svc-role': role, 'x-svc-user-id': '1' })

  async function clientSchema(role: string): Promise<GraphQLSchema> {
    const query = getIntrospectionQuery({ schemaDescription: true, specifiedByUrl: true, directiveIsRepeatable: true })
    const { body } = await engine.post('/v1/graphql', { query }, headers(role))
    return buildClientSchema(body.data)
  }

  /** The answers to many documents, in batches. */
  async function askAll(role: string, queries: readonly string[]) {
    const answers: { readonly query: string; readonly error?: string }[] = []
    for (let i = 0; i < queries.length; i += 200) {
      const part = queries.slice(i, i + 200)
      const { body } = await engine.post(
        '/v1/graphql',
        part.map((query) => ({ query })),
        headers(role),
      )
      for (const [n, query] of part.entries()) answers.push({ query, error: body[n]?.errors?.[0]?.message })
    }
    return answers
  }

  const schemaOf = (role: string): GraphQLSchema => {
    const known = schemas.get(role)
    assert.ok(known)
    return known
  }

  for (const role of roles) {
    test(`every field, argument and value that ${role} sees is answered`, async () => {
      const client = schemaOf(role)
      assert.deepEqual(validateSchema(client), [])
      const queries = usesOf(client)
      assert.ok(queries.length >= (role === 'admin' ? 300 : 1), `${queries.length} queries`)
      const failed = (await askAll(role, queries)).filter(({ error }) => error !== undefined)
      assert.deepEqual(failed, [])
    })

    if (role !== 'admin')
      test(`every field, argument and value that only other roles see is refused to ${role}`, async () => {
        const answered = await askAll(role, hiddenUses(schemaOf('admin'), schemaOf(role)))
        assert.ok(answered.length > 0, `${answered.length} queries`)
        const passed = answered.filter(({ error }) => error === undefined || !isRefusal(error))
        assert.deepEqual(passed, [])
      })
  }

  for (const options of [
    {},
    { descriptions: false },
    {
      inputValueDeprecation: true,
      schemaDescription: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      oneOf: true,
    },
  ])
    test(`the introspection query of GraphiQL and other tools is answered with ${JSON.stringify(options)}`, async () => {
      const { body } = await engine.post('/v1/graphql', {
        query: getIntrospectionQuery(options),
        operationName: 'IntrospectionQuery',
      })
      assert.equal(body.errors, undefined)
      assert.deepEqual(validateSchema(buildClientSchema(body.data)), [])
    })

  test('whether an object of another logical model can be null depends on the filter that the role has on that one', async () => {
    const model = (name: string, fields: readonly object[]) => ({
      type: 'pg_track_logical_model',
      args: { name, fields },
    })
    const select = (name: string, role: string, filter: object) => ({
      type: 'pg_create_logical_model_select_permission',
      args: { name, role, permission: { columns: '*', filter } },
    })
    const set = await engine.metadata('bulk', [
      model('spot', [{ name: 'town', type: { scalar: 'text' } }]),
      model('stay', [{ name: 'at', type: { logical_model: 'spot' } }]),
      {
        type: 'pg_track_native_query',
        args: { root_field_name: 'stays', code: `SELECT '{"town": "Bath"}'::json AS at`, returns: 'stay' },
      },
      ...['editor', 'reader'].map((role) => select('stay', role, {})),
      select('spot', 'editor', {}),
      select('spot', 'reader', { town: { _eq: 'Rome' } }),
    ])
    assert.equal(set.status, 200, set.text)
    const reported = async (role: string) => {
      const { body } = await engine.post('/v1/graphql', { query: '{ stays { at { town } } }' }, headers(role))
      const type = (await clientSchema(role)).getType('stay')
      return [isObjectType(type) && String(type.getFields().at?.type), body.data.stays]
    }
    const there = ['spot!', [{ at: { town: 'Bath' } }]]
    assert.deepEqual(
      [await reported('editor'), await reported('reader'), await reported('admin')],
      [there, ['spot', [{ at: null }]], there],
    )
  })

  test('roles that introspection is disabled for get no introspection, though their plans were made before', async () => {
    const reported = async (role: string, query: string, path = '/v1/graphql') => {
      const { body } = await engine.post(path, { query }, headers(role))
      return body.errors?.[0].message ?? 'answered'
    }
    const queries = [
      '{ __schema { queryType { name } } }',
      '{ author_by_pk(id: 1) { id } __type(name: "author") { name } }',
    ]
    const ask = (role: string) => Promise.all(queries.map((query) => reported(role, query)))
    assert.deepEqual(await ask('reader'), ['answered', 'answered'])
    const set = (disabled_for_roles: readonly string[]) =>
      engine.metadata('set_graphql_schema_introspection_options', { disabled_for_roles })
    assert.equal((await set(['reader', 'guest'])).status, 200)
    const refused = ['__schema', '__type'].map((name) => `field '${name}' not found in type: 'query_root'`)
    assert.deepEqual(await ask('reader'), refused)
    assert.equal(await reported('guest', '{ __schema { queryType { name } } }', '/v1beta1/relay'), refused[0])
    assert.equal(await reported('reader', '{ __typename author_by_pk(id: 1) { __typename } }'), 'answered')
    assert.deepEqual(await ask('admin'), ['answered', 'answered'])
    const { body } = await engine.metadata('export_metadata', {})
    assert.deepEqual(body.graphql_schema_introspection, { disabled_for_roles: ['reader', 'guest'] })
    assert.equal((await set([])).status, 200)
    assert.deepEqual(await ask('reader'), ['answered', 'answered'])
    assert.equal((await engine.metadata('export_metadata', {})).body.graphql_schema_introspection, undefined)
  })
})

const isRefusal = (message: string): boolean =>
  /not found in type|has no argument named|expected one of the values/.test(message)

/** How a field is reached: `author { articles { … } }`; the innermost braces are the hole. */
interface Way {
  readonly type: GraphQLObjectType
  readonly around: (inside: string) => string
}

/** The shortest way to every object type. */
function waysOf(client: GraphQLSchema): readonly Way[] {
  const root = client.getQueryType()
  assert.ok(root)
  const ways = new Map<string, Way>([[root.name, { type: root, around: (inside) => `{ ${inside} }` }]])
  for (const way of ways.values())
    for (const field of Object.values(way.type.getFields())) {
      const type = getNamedType(field.type)
      if (!isObjectType(type) || ways.has(type.name)) continue
      ways.set(type.name, { type, around: (inside) => way.around(`${withArguments(field)} { ${inside} }`) })
    }
  return [...ways.values()]
}

/** A query for every field, every argument of it, and once for every type all that its values can hold. */
function usesOf(client: GraphQLSchema): readonly string[] {
  const done = new Set<string>()
  return waysOf(client).flatMap(({ type, around }) =>
    Object.values(type.getFields()).flatMap((field) => [
      around(`${withArguments(field)}${selection(field)}`),
      ...field.args.flatMap((argument) => {
        const all = valuesOf(argument.type, 2)
        const values = done.has(String(argument.type)) ? all.slice(0, 1) : all
        done.add(String(argument.type))
        return values.map((value) => around(`${withArguments(field, argument, value)}${selection(field)}`))
      }),
    ]),
  )
}

/** The same of what one schema has and the other lacks, along ways of the other. */
function hiddenUses(whole: GraphQLSchema, client: GraphQLSchema): readonly string[] {
  return waysOf(client).flatMap(({ type, around }) => {
    const more = whole.getType(type.name)
    const own = type.getFields()
    if (!isObjectType(more)) return []
    return Object.values(more.getFields()).flatMap((field) => {
      const known = own[field.name]
      if (!known) return [around(`${withArguments(field)}${selection(field)}`)]
      return field.args.flatMap((argument) => {
        const shown = known.args.find(({ name }) => name === argument.name)
        const all = valuesOf(argument.type, 1)
        const allowed = new Set(shown ? valuesOf(shown.type, 1) : [])
        const hidden = all.filter((value) => !allowed.has(value))
        return hidden.map((value) => around(`${withArguments(known, argument, value)}${selection(known)}`))
      })
    })
  })
}

const typename = ' { __typename }'

const selection = (field: GraphQLField<unknown, unknown>): string =>
  isObjectType(getNamedType(field.type)) ? typename : ''

/** The field with its required arguments, and one more. */
function withArguments(field: GraphQLField<unknown, unknown>, more?: GraphQLArgument, value?: string): string {
  const given = field.args
    .filter((argument) => isRequiredArgument(argument) && argument.name !== more?.name)
    .map((argument) => `${argument.name}: ${valuesOf(argument.type, 2)[0]}`)
  if (more) given.push(`${more.name}: ${value}`)
  return given.length > 0 ? `${field.name}(${given.join(', ')})` : field.name
}

/** There is none for json: its operators are there by name, and no database has them (reference/filters#operators). */
const scalars: Readonly<Record<string, string>> = {
  Boolean: 'true',
  Int: '1',
  Float: '1.5',
  String: '"a"',
  bigint: '"1"',
  smallint: '1',
  numeric: '1.5',
  float8: '1.5',
  money: '"1"',
  date: '"2020-01-01"',
  timestamptz: '"2020-01-01T00:00:00Z"',
  uuid: '"00000000-0000-0000-0000-000000000000"',
  mood: '"good"',
  jsonb: '{a: 1}',
  tstzrange: '"[2020-01-01,2021-01-01)"',
}

/** Literals that use everything a type takes, each entry of an object by itself. */
function valuesOf(type: GraphQLInputType, depth: number): readonly string[] {
  if (isNonNullType(type)) return valuesOf(type.ofType, depth)
  if (isListType(type)) return valuesOf(type.ofType, depth).map((value) => `[${value}]`)
  const named: GraphQLNamedType = type
  if (isEnumType(named)) return named.getValues().map(({ name }) => name)
  if (!isInputObjectType(named))
    return [named.name === 'String' ? '"a"' : (scalars[named.name] ?? assert.fail(named.name))]
  const fields = Object.values(named.getFields())
  // a function takes its arguments together
  if (named.name.endsWith('_args'))
    return [`{${fields.map((field) => `${field.name}: ${valuesOf(field.type, depth)[0]}`).join(', ')}}`]
  const required = fields.filter(isRequiredInputField)
  const objectOf = (entries: readonly string[]) => `{${entries.join(', ')}}`
  const least = (but?: string) =>
    required.filter(({ name }) => name !== but).map((field) => `${field.name}: ${valuesOf(field.type, 0)[0]}`)
  // exactly one of its functions has to be there
  if (depth === 0 && named.name.endsWith('_aggregate_bool_exp')) return ['{count: {predicate: {}}}']
  if (depth === 0) return [objectOf(least())]
  return fields.flatMap((field) =>
    valuesOf(field.type, depth - 1).map((value) => objectOf([`${field.name}: ${value}`, ...least(field.name)])),
  )
}
