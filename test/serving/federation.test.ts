/**
 * Apollo federation (reference/http#limits-and-federation) through the real process and a real database: what a gateway
 * asks of a subgraph.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  isObjectType,
  isUnionType,
  validateSchema,
} from 'graphql'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

const schema = `
  CREATE TABLE author (id int PRIMARY KEY, name text NOT NULL, secret text);
  COMMENT ON TABLE author IS 'Writes "articles"\nand more';
  INSERT INTO author VALUES (1, 'Ada', 'x'), (2, 'Bo', 'y'), (3, 'Cy', 'z');
  CREATE TABLE line (order_id bigint, no int, text text, PRIMARY KEY (order_id, no));
  INSERT INTO line VALUES (9007199254740993, 1, 'first'), (1, 1, 'other');
  CREATE TABLE plain (id int PRIMARY KEY);
  CREATE TABLE keyless (id int);
`

const federated = { apollo_federation_config: { enable: 'v1' } }

describe('Apollo federation', () => {
  let database: TestDatabase
  let engine: Engine

  before(async () => {
    database = await createTestDatabase()
    await runOnDatabase(database.url, schema)
    engine = await startEngine({
      databaseUrl: database.url,
      env: { SVC_GRAPHQL_ENABLE_APOLLO_FEDERATION: 'true' },
    })
    const select = (role: string, columns: readonly string[], filter: object = {}, more: object = {}) => ({
      type: 'pg_create_select_permission',
      args: { table: 'author', role, permission: { columns, filter, ...more } },
    })
    const set = await engine.metadata('bulk', [
      { type: 'pg_track_table', args: { table: 'author', ...federated } },
      {
        type: 'pg_track_table',
        args: { table: 'line', configuration: { column_config: { no: { custom_name: 'number' } } } },
      },
      { type: 'pg_set_apollo_federation_config', args: { table: 'line', ...federated } },
      { type: 'pg_track_table', args: { table: 'plain' } },
      { type: 'pg_track_table', args: { table: 'keyless', ...federated } },
      select('reader', ['id', 'name'], { id: { _lte: 'X-Svc-Most' } }, { query_root_fields: [] }),
      select('nameless', ['name']),
      {
        type: 'pg_create_select_permission',
        args: { table: 'plain', role: 'reader', permission: { columns: '*', filter: {} } },
      },
    ])
    assert.equal(set.status, 200, set.text)
  })
  after(async () => {
    await engine.stop()
    await database.drop()
  })

  const ask = async (query: string, variables: object = {}, headers = {}) => {
    const { body } = await engine.post('/v1/graphql', { query, variables }, headers)
    return body.data ?? body.errors[0]
  }
  const reader = { 'x-svc-role': 'reader', 'x-svc-most': '2' }
  const entities = `query ($these: [_Any!]!) { _entities(representations: $these) {
    __typename ...name ... on line { order_id number text } ... on _Entity { same: __typename } } }
    fragment name on author { id name }`

  test('entities are found by their keys, in the order asked, null where there is none', async () => {
    const these = [
      { __typename: 'author', id: 2, more: { any: ['thing'] } },
      { __typename: 'line', order_id: '9007199254740993', number: 1 },
      { __typename: 'author', id: 7 },
      { __typename: 'author', id: 1 },
    ]
    const author = { __typename: 'author', same: 'author' }
    assert.deepEqual(await ask(entities, { these }), {
      _entities: [
        { ...author, id: 2, name: 'Bo' },
        { __typename: 'line', order_id: 9007199254740992, number: 1, text: 'first', same: 'line' },
        null,
        { ...author, id: 1, name: 'Ada' },
      ],
    })
    assert.deepEqual(await ask(entities, { these: [] }), { _entities: [] })
    assert.deepEqual(
      await ask('{ _entities(representations: [{ __typename: "author", id: 3 }]) { ... on author { name } } }'),
      { _entities: [{ name: 'Cy' }] },
    )
    assert.deepEqual(
      await ask(
        'query ($id: Int!) { a: _entities(representations: { __typename: "author", id: $id }) { ... on line { text } } }',
        { id: 3 },
      ),
      { a: [{}] },
    )
  })

  test('the next request of the same text may ask for other rows of other types', async () => {
    for (const [these, names] of [
      [[{ __typename: 'author', id: 1 }], ['author']],
      [[{ __typename: 'line', order_id: 1, number: 1 }], ['line']],
      [
        [
          { __typename: 'author', id: 2 },
          { __typename: 'line', order_id: 1, number: 1 },
        ],
        ['author', 'line'],
      ],
      [[{ __typename: 'author', id: 2 }], ['author']],
    ] as const) {
      const { _entities } = await ask(entities, { these })
      assert.deepEqual(
        _entities.map(({ __typename }: { __typename: string }) => __typename),
        names,
      )
    }
  })

  test('a role sees the entities that its permissions let it see, though it has no other root field of them', async () => {
    const these = [
      { __typename: 'author', id: 2 },
      { __typename: 'author', id: 3 },
    ]
    assert.deepEqual(
      await ask(
        'query ($these: [_Any!]!) { _entities(representations: $these) { ... on author { name } } }',
        { these },
        reader,
      ),
      {
        _entities: [{ name: 'Bo' }, null],
      },
    )
    const hidden = await ask(
      'query ($these: [_Any!]!) { _entities(representations: $these) { ... on author { secret } } }',
      { these },
      reader,
    )
    assert.equal(hidden.message, "field 'secret' not found in type: 'author'")
  })

  const refusals: readonly (readonly [string, object, string])[] = [
    ['{ ... on author { id } }', { id: 1 }, '__typename key not found'],
    ['{ ... on author { id } }', { __typename: 'author' }, 'cannot find id in _Any type'],
    ['{ ... on line { text } }', { __typename: 'line', order_id: 1 }, 'cannot find number in _Any type'],
    ...['plain', 'keyless', 'nobody'].map(
      (name) =>
        [
          '{ __typename }',
          { __typename: name, id: 1 },
          `${name} is not found in selection set or apollo federation is not enabled for the type`,
        ] as const,
    ),
    ['{ id }', { __typename: 'author', id: 1 }, "field 'id' not found in type: '_Entity'"],
    ['{ ... on author { nothing } }', { __typename: 'author', id: 1 }, "field 'nothing' not found in type: 'author'"],
    ['{ __typename }', [], "expected an object for type '_Any', but found a list"],
    ['', { __typename: 'author', id: 1 }, "missing selection set for '_Entity'"],
    ['{ __typename }', { __typename: 'author', id: null }, "unexpected null value for type 'Int'"],
  ]
  for (const [selection, representation, message] of refusals)
    test(`${JSON.stringify(representation)} with ${selection} is refused: ${message}`, async () => {
      const query = `query ($these: [_Any!]!) { _entities(representations: $these) ${selection} }`
      const answer = await ask(query, { these: [representation] })
      assert.deepEqual([answer.message, answer.extensions?.code], [message, 'validation-failed'])
    })

  test('what is selected counts for every entity asked', async () => {
    const many = Array.from({ length: 4000 }, () => ({ __typename: 'line', order_id: 1, number: 1 }))
    const query = (fields: string) =>
      `query ($these: [_Any!]!) { _entities(representations: $these) { ... on line { ${fields} } } }`
    assert.equal((await ask(query('text'), { these: many.slice(0, 1000) }))._entities.length, 1000)
    assert.match((await ask(query('a: text b: text c: text'), { these: many })).message, /^the query selects too much/)
  })

  test('the service shows its schema, entities with their key', async () => {
    const { _service } = await ask('{ _service { __typename text: sdl } }')
    assert.equal(_service.__typename, '_Service')
    assert.match(_service.text, /type author @key\(fields: "id"\) \{/)
    assert.match(_service.text, /type line @key\(fields: "order_id number"\) \{/)
    assert.doesNotMatch(_service.text, /type (plain|keyless) @key|_Entity|_entities|_Any|subscription_root|__Type/)
    const directive = 'directive @key(fields: String!) repeatable on OBJECT\n'
    const built = buildSchema(directive + _service.text)
    assert.deepEqual(validateSchema(built), [])
    const author = built.getType('author')
    assert.ok(isObjectType(author))
    assert.equal(author.description, 'Writes "articles"\nand more')
    const own = await ask('{ _service { sdl } }', {}, { 'x-svc-role': 'nameless' })
    assert.match(own._service.sdl, /type author \{\n +name: String!\n\}/)
  })

  test('introspection knows what federation adds, for roles that have it', async () => {
    const clientOf = async (headers: object) => buildClientSchema(await ask(getIntrospectionQuery(), {}, headers))
    const possible = (client: Awaited<ReturnType<typeof clientOf>>) => {
      const union = client.getType('_Entity')
      return isUnionType(union) ? union.getTypes().map(({ name }) => name) : null
    }
    const admin = await clientOf({})
    assert.deepEqual(validateSchema(admin), [])
    assert.deepEqual(possible(admin), ['author', 'line'])
    const own = await clientOf(reader)
    assert.deepEqual(validateSchema(own), [])
    assert.deepEqual(possible(own), ['author'])
    assert.deepEqual(Object.keys(own.getQueryType()?.getFields() ?? {}), [
      '_entities',
      '_service',
      'plain',
      'plain_by_pk',
    ])
    const nameless = await clientOf({ 'x-svc-role': 'nameless' })
    assert.equal(nameless.getType('_Entity'), undefined)
    const named = '{ __type(name: "_Entity") { kind } any: __type(name: "_Any") { kind } }'
    assert.deepEqual(await ask(named, {}, { 'x-svc-role': 'nameless' }), { __type: null, any: null })
    assert.equal(
      (await ask('{ _service { sdl } }', {}, { 'x-svc-role': 'nobody' })).message,
      "field '_service' not found in type: 'query_root'",
    )
  })

  test('explain shows the statement of each entity', async () => {
    const { body } = await engine.post('/v1/graphql/explain', {
      query:
        '{ _entities(representations: [{ __typename: "author", id: 1 }, { __typename: "author", id: 2 }]) { ... on author { name } } }',
    })
    assert.deepEqual(
      body.map(({ field }: { field: string }) => field),
      ['_entities[0]', '_entities[1]'],
    )
  })

  test('track_table of /v1/query makes an entity too', async () => {
    const untracked = await engine.metadata('pg_untrack_table', { table: 'plain', cascade: true })
    assert.equal(untracked.status, 200, untracked.text)
    const set = await engine.post('/v1/query', {
      type: 'track_table',
      args: { table: 'plain', schema: 'public', ...federated },
    })
    assert.equal(set.status, 200, set.text)
    assert.deepEqual(await ask(entities, { these: [{ __typename: 'plain', id: 1 }] }), { _entities: [null] })
  })

  test('a table that federation has no more is no entity', async () => {
    const set = await engine.metadata('pg_set_apollo_federation_config', { table: 'line' })
    assert.equal(set.status, 200, set.text)
    const refused = await ask(entities, { these: [{ __typename: 'line', order_id: 1, number: 1 }] })
    assert.match(refused.message, /^line is not found in selection set/)
    const { body } = await engine.metadata('export_metadata', {})
    const configured = body.sources[0].tables.filter((table: object) => 'apollo_federation_config' in table)
    assert.deepEqual(
      configured.map(({ table }: { table: { name: string } }) => table.name),
      ['author', 'keyless', 'plain'],
    )
  })

  test('tables called like its types clash', async () => {
    await runOnDatabase(database.url, 'CREATE TABLE "_Entity" (id int PRIMARY KEY); CREATE TABLE _service (id int)')
    await engine.metadata('reload_metadata', {})
    for (const table of ['_Entity', '_service']) {
      const { status, body } = await engine.metadata('pg_track_table', { table })
      assert.equal(status, 500)
      assert.match(body.error, new RegExp(`conflicting definitions .*${table}`))
    }
  })
})
