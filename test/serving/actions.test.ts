/**
 * Actions (reference/actions#custom-types, reference/actions) through the real process, a real database and real
 * handlers.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { buildClientSchema, getIntrospectionQuery, printType, validateSchema } from 'graphql'
import pg from 'pg'
import { type Answer, type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { type Handlers, startHandlers } from './action-handlers.ts'

const schema = `
  CREATE TABLE author (id int PRIMARY KEY, name text NOT NULL, secret text);
  INSERT INTO author VALUES (1, 'ada', 's1'), (2, 'bo', 's2');
  CREATE TABLE article (id int PRIMARY KEY, author_id int, title text);
  INSERT INTO article VALUES (1, 1, 'Bees'), (2, 1, 'Ants'), (3, 2, 'Cats');
`

const customTypes = {
  scalars: [{ name: 'Anything', description: 'whatever it is' }],
  enums: [{ name: 'Colour', values: [{ value: 'RED', description: 'warm' }, { value: 'BLUE' }] }],
  input_objects: [
    {
      name: 'Filter',
      fields: [
        { name: 'text', type: 'String!' },
        { name: 'colours', type: '[Colour!]' },
        { name: 'inner', type: 'Filter' },
        { name: 'since', type: 'timestamptz' },
      ],
    },
  ],
  objects: [
    {
      name: 'Flat',
      fields: [{ name: 'id', type: 'Int!' }],
      relationships: [{ name: 'author', type: 'object', remote_table: 'author', field_mapping: { id: 'id' } }],
    },
    {
      name: 'Found',
      description: 'a find',
      fields: [
        { name: 'id', type: 'Int!' },
        { name: 'label', type: 'String' },
        { name: 'colour', type: 'Colour' },
        { name: 'next', type: 'Found' },
        { name: 'others', type: '[Found!]' },
        { name: 'more', type: 'Anything' },
      ],
      relationships: [
        { name: 'author', type: 'object', remote_table: 'author', field_mapping: { id: 'id' } },
        { name: 'articles', type: 'array', remote_table: 'article', field_mapping: { id: 'author_id' } },
      ],
    },
  ],
}

describe('actions', () => {
  let database: TestDatabase
  let engine: Engine
  let handlers: Handlers

  const metadata = async (type: string, args: unknown) => {
    const answer = await engine.metadata(type, args)
    assert.equal(answer.status, 200, `${type}: ${answer.text}`)
    return answer.body
  }
  const create = (name: string, definition: object) =>
    metadata('create_action', { name, definition: { handler: `{{HANDLERS}}/${name}`, ...definition } })
  const graphql = (query: string, { role = null, variables = {}, ...headers }: Record<string, unknown> = {}) =>
    engine.post(
      '/v1/graphql',
      { query, variables },
      {
        ...(role !== null && { 'x-svc-role': String(role), 'x-svc-user-id': '7' }),
        ...(headers as Record<string, string>),
      },
    )
  const data = (answer: Answer) => {
    assert.equal(answer.body.errors, undefined, answer.text)
    return answer.body.data
  }
  const error = (answer: Answer) => {
    const { message, extensions } = answer.body.errors[0]
    const { internal: _, ...shown } = extensions
    return { message, extensions: shown }
  }

  const unreachable = 'http://127.0.0.1:1/hidden-path?key=hidden-key'

  before(async () => {
    handlers = await startHandlers()
    database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(schema)
    await client.end()
    engine = await startEngine({
      databaseUrl: database.url,
      env: {
        HANDLERS: handlers.url,
        HANDLER_KEY: 'k1',
        SECRET_HANDLER: unreachable,
        SVC_GRAPHQL_ASYNC_ACTIONS_FETCH_INTERVAL: '100',
      },
    })
    for (const table of ['author', 'article']) await metadata('pg_track_table', { table })
    await metadata('pg_create_select_permission', {
      table: 'author',
      role: 'user',
      permission: { columns: ['id', 'name'], filter: { id: { _eq: 1 } } },
    })
    await metadata('set_custom_types', customTypes)
    await create('find', {
      type: 'query',
      arguments: [
        { name: 'filter', type: 'Filter!' },
        { name: 'limit', type: 'Int' },
        { name: 'key', type: 'ID' },
        { name: 'any', type: 'Anything' },
      ],
      output_type: '[Found!]!',
      headers: [
        { name: 'X-Key', value_from_env: 'HANDLER_KEY' },
        { name: 'Content-Type', value: 'text/plain' },
      ],
      forward_client_headers: true,
    })
    await create('one', { type: 'query', output_type: 'Found' })
    await create('text', { type: 'query', output_type: '[String]', timeout: 1 })
    await create('make', { arguments: [{ name: 'id', type: 'Int!' }], output_type: 'Found' })
    await create('later', {
      kind: 'asynchronous',
      arguments: [{ name: 'id', type: 'Int!' }],
      output_type: 'Flat',
      timeout: 2,
    })
    await create('plain', { kind: 'asynchronous', output_type: '[Int!]' })
    for (const action of ['later', 'plain']) await metadata('create_action_permission', { action, role: 'user' })
    await metadata('create_action_permission', { action: 'find', role: 'user' })
    await metadata('create_action_permission', { action: 'one', role: 'user' })
  })
  after(async () => {
    await engine?.stop()
    await handlers?.close()
    await database?.drop()
  })

  test('the handler gets the action, its coerced input, the session and the document', async () => {
    handlers.on('/find', () => ({ json: [] }))
    const query =
      'query ($c: [Colour!], $any: Anything) { find(filter: {text: "a", colours: $c, inner: {text: "b", colours: RED}}, key: 5, any: $any) { id } }'
    handlers.asked.length = 0
    const answer = await graphql(query, {
      role: 'user',
      variables: { c: ['BLUE'], any: { deep: [1] } },
      'user-agent': 'me',
      cookie: 'c=1',
      'x-other': 'o',
    })
    assert.deepEqual(data(answer), { find: [] })
    const [asked] = handlers.asked
    assert.equal(asked?.method, 'POST')
    assert.deepEqual(asked?.body, {
      action: { name: 'find' },
      input: {
        filter: { text: 'a', colours: ['BLUE'], inner: { text: 'b', colours: ['RED'] } },
        key: '5',
        any: { deep: [1] },
      },
      session_variables: { 'x-svc-role': 'user', 'x-svc-user-id': '7' },
      request_query: query,
    })
    const { headers } = asked ?? { headers: {} }
    assert.equal(headers['x-key'], 'k1')
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers.cookie, 'c=1')
    assert.equal(headers['x-other'], 'o')
    assert.equal(headers['x-forwarded-user-agent'], 'me')
    assert.match(String(headers['user-agent']), /^svc-graphql-engine\//)
    assert.ok(!Object.keys(headers).some((name) => name.startsWith('x-svc-')))
  })

  test('a table that types of actions refer to says who needs it', async () => {
    const { body } = await engine.metadata('pg_untrack_table', { table: 'article' })
    assert.equal(body.code, 'dependency-error')
    assert.match(body.error, /: action [a-z]+.*, custom types$/)
  })

  test('what is no value of an enum is named as it was written', async () => {
    const refused = async (colours: string, variables: object = {}) => {
      const declared = Object.keys(variables).length > 0 ? 'query ($c: Colour!)' : ''
      const query = `${declared} { find(filter: {text: "a", colours: [${colours}]}) { id } }`
      return (await engine.post('/v1/graphql', { query, variables })).body.errors[0].message
    }
    const green = "expected one of the values ['RED', 'BLUE'] for type 'Colour', but found 'GREEN'"
    assert.equal(await refused('GREEN'), green)
    assert.equal(await refused('$c', { c: 'GREEN' }), green)
    assert.equal(await refused('"RED"'), "expected an enum value for type 'Colour', but found a string")
    assert.equal(await refused('1'), "expected an enum value for type 'Colour', but found an integer")
    assert.equal(await refused('$c', { c: 1 }), "expected an enum value for type 'Colour', but found a number")
  })

  test('arguments of the wrong shape are refused and no handler is called', async () => {
    handlers.asked.length = 0
    const wrong: readonly (readonly [string, Record<string, unknown>, string, string])[] = [
      ['{ find(filter: {colours: [RED]}) { id } }', {}, 'validation-failed', '$.selectionSet.find.args.filter.text'],
      [
        '{ find(filter: {text: "a", colours: ["RED"]}) { id } }',
        {},
        'validation-failed',
        '$.selectionSet.find.args.filter.colours[0]',
      ],
      [
        '{ find(filter: {text: "a", nothing: 1}) { id } }',
        {},
        'validation-failed',
        '$.selectionSet.find.args.filter.nothing',
      ],
      [
        'query ($f: Filter!) { find(filter: $f) { id } }',
        { f: { text: 1 } },
        'validation-failed',
        '$.selectionSet.find.args.filter.text',
      ],
      [
        'query ($f: Filter!) { find(filter: $f) { id } }',
        { f: { text: 'a', colours: ['GREEN'] } },
        'validation-failed',
        '$.selectionSet.find.args.filter.colours[0]',
      ],
      [
        'query ($l: Int) { find(filter: {text: "a"}, limit: $l) { id } }',
        { l: 1.5 },
        'validation-failed',
        '$.selectionSet.find.args.limit',
      ],
      [
        'query ($l: String) { find(filter: {text: "a"}, limit: $l) { id } }',
        { l: 'x' },
        'validation-failed',
        '$.selectionSet.find.args.limit',
      ],
      ['{ find { id } }', {}, 'validation-failed', '$.selectionSet.find.args.filter'],
    ]
    for (const [query, variables, code, path] of wrong) {
      const { extensions } = error(await graphql(query, { variables }))
      assert.deepEqual(extensions, { path, code }, query)
    }
    assert.equal(handlers.asked.length, 0)
  })

  test('answers are shaped by the selection, nested objects, lists and null among them', async () => {
    handlers.on('/find', () => ({
      json: [
        { id: 1, label: 'x', extra: 1, next: { id: 5, next: null }, others: [{ id: 6 }, { id: 7, more: [{ a: 1 }] }] },
        { id: 2, colour: 'RED' },
      ],
    }))
    const answer = await graphql(
      '{ find(filter: {text: "a"}) { __typename n: id label colour next { id next { id } } others { id more } more } }',
    )
    assert.deepEqual(data(answer).find, [
      {
        __typename: 'Found',
        n: 1,
        label: 'x',
        colour: null,
        next: { id: 5, next: null },
        others: [
          { id: 6, more: null },
          { id: 7, more: [{ a: 1 }] },
        ],
        more: null,
      },
      { __typename: 'Found', n: 2, label: null, colour: 'RED', next: null, others: null, more: null },
    ])
  })

  test('rows of tables are joined on every level, by the permissions of the role, one statement for all', async () => {
    handlers.on('/find', () => ({
      json: [{ id: 1, next: { id: 2, others: [{ id: 2 }, { id: 9 }] } }, { id: 2 }, { id: 1 }],
    }))
    const query = `{ find(filter: {text: "a"}) {
      author { name }
      articles(order_by: {id: desc}, limit: 1) { title }
      articles_aggregate { aggregate { count } }
      next { author { name } others { author { name } } }
    } }`
    const ada = {
      author: { name: 'ada' },
      articles: [{ title: 'Ants' }],
      articles_aggregate: { aggregate: { count: 2 } },
    }
    const bo = {
      author: { name: 'bo' },
      articles: [{ title: 'Cats' }],
      articles_aggregate: { aggregate: { count: 1 } },
    }
    assert.deepEqual(data(await graphql(query)).find, [
      { ...ada, next: { author: { name: 'bo' }, others: [{ author: { name: 'bo' } }, { author: null }] } },
      { ...bo, next: null },
      { ...ada, next: null },
    ])
    const asUser = await graphql('{ find(filter: {text: "a"}) { author { name } } }', { role: 'user' })
    assert.deepEqual(data(asUser).find, [{ author: { name: 'ada' } }, { author: null }, { author: { name: 'ada' } }])
    assert.match(
      error(await graphql('{ find(filter: {text: "a"}) { articles { id } } }', { role: 'user' })).message,
      /field 'articles' not found/,
    )
    assert.match(
      error(await graphql('{ find(filter: {text: "a"}) { author { secret } } }', { role: 'user' })).message,
      /field 'secret' not found/,
    )
  })

  test('the rules of answers hold in their order', async () => {
    const cases: readonly (readonly [object, string, object])[] = [
      [{ json: null }, '', {}],
      [{ status: 400, json: { message: 'no', code: 'mine' } }, 'no', { path: '$', code: 'mine' }],
      [
        { status: 400, json: { message: 'no', code: 'mine', extensions: { code: 'x', a: 1 } } },
        'no',
        { code: 'x', a: 1 },
      ],
      [{ status: 404, json: { message: 'no', extensions: {} } }, 'no', {}],
      [{ status: 400, json: { code: 'mine' } }, 'key "message" not found', { path: '$', code: 'parse-failed' }],
      [{ status: 204, text: '' }, 'not a valid json response from webhook', { path: '$', code: 'unexpected' }],
      [{ status: 500, json: { message: 'no' } }, 'internal error', { path: '$', code: 'unexpected' }],
      [{ status: 500, text: 'oops' }, 'not a valid json response from webhook', { path: '$', code: 'unexpected' }],
      [{ json: {} }, 'field "id" expected in webhook response, but not found', { path: '$', code: 'unexpected' }],
      [{ json: { id: null } }, 'expecting not null value for field "id"', { path: '$', code: 'unexpected' }],
      [{ json: [] }, 'got array for the action webhook response, expecting Found', { path: '$', code: 'unexpected' }],
      [
        { json: 'x' },
        'got scalar String for the action webhook response, expecting Found',
        { path: '$', code: 'unexpected' },
      ],
    ]
    for (const [reply, message, extensions] of cases) {
      handlers.on('/one', () => reply)
      const answer = await graphql('{ one { id } }')
      assert.equal(answer.status, 200)
      if (message === '') assert.deepEqual(data(answer), { one: null })
      else assert.deepEqual(error(answer), { message, extensions }, JSON.stringify(reply))
    }
  })

  test('over a REST endpoint the answer has the code and the status of the handler', async () => {
    await create('refusing', { type: 'query', output_type: 'Flat' })
    const queries = [{ name: 'refusing', query: '{ refusing { id } }' }]
    await metadata('create_query_collection', { name: 'rest', definition: { queries } })
    const query = { collection_name: 'rest', query_name: 'refusing' }
    await metadata('create_rest_endpoint', {
      name: 'refusing',
      url: 'refusing',
      methods: ['GET'],
      definition: { query },
    })
    const cases = [
      [{ status: 422, json: { message: 'no', code: 'too-late' } }, 422, 'too-late'],
      [{ status: 404, json: { message: 'no' } }, 404, 'unexpected'],
      [{ status: 400, json: { message: 'no', code: 'mine', extensions: { code: 'theirs' } } }, 400, 'theirs'],
    ] as const
    for (const [reply, status, code] of cases) {
      handlers.on('/refusing', () => reply)
      const answer = await engine.get('/api/rest/refusing')
      assert.deepEqual([answer.status, answer.body], [status, { error: 'no', path: '$', code }])
    }
    await metadata('drop_rest_endpoint', { name: 'refusing' })
    await metadata('drop_query_collection', { collection: 'rest', cascade: true })
    await metadata('drop_action', { name: 'refusing' })
  })

  test('a handler that is slow or away costs its own request an error', async () => {
    handlers.on('/text', () => new Promise(() => {}))
    assert.equal(error(await graphql('{ text }')).message, 'http exception when calling webhook')
    handlers.on('/text', () => ({ json: ['a', null] }))
    assert.deepEqual(data(await graphql('{ text }')), { text: ['a', null] })
    const shown = await graphql('{ text }', { role: 'user' })
    assert.match(error(shown).message, /field 'text' not found/)
  })

  test('introspection shows actions to the roles that may use them', async () => {
    const of = async (role: string) =>
      buildClientSchema(data(await graphql(getIntrospectionQuery({ descriptions: true }), { role })))
    const admin = await of('admin')
    assert.deepEqual(validateSchema(admin), [])
    const found = admin.getType('Found')
    assert.ok(found)
    assert.match(printType(found), /articles_aggregate/)
    assert.match(String(admin.getQueryType()?.getFields().find?.type), /^\[Found!\]!$/)
    const user = await of('user')
    assert.deepEqual(validateSchema(user), [])
    assert.ok(user.getType('Filter') && user.getType('Colour') && user.getQueryType()?.getFields().one)
    assert.equal(user.getQueryType()?.getFields().text, undefined)
    const nobody = await of('nobody')
    assert.equal(nobody.getType('Found'), undefined)
  })

  test('actions are mutations by default, and their cookies reach the client', async () => {
    handlers.on('/make', ({ body }) => ({ json: { id: body.input.id }, headers: { 'Set-Cookie': ['a=1', 'b=2'] } }))
    const answer = await graphql('mutation { first: make(id: 1) { id author { name } } second: make(id: 2) { id } }')
    assert.deepEqual(data(answer), { first: { id: 1, author: { name: 'ada' } }, second: { id: 2 } })
    assert.deepEqual(answer.headers['set-cookie'], ['a=1', 'b=2', 'a=1', 'b=2'])
    assert.match(error(await graphql('{ make(id: 1) { id } }')).message, /field 'make' not found/)
  })

  /** The result of an asynchronous action once there is one. */
  const resultOf = async (name: string, selection: string, options: Record<string, unknown> = {}, args = '') => {
    const id = data(await graphql(`mutation { ${name}${args} }`, options))[name]
    for (;;) {
      const result = data(
        await graphql(`{ ${name}(id: "${id}") { id errors output${selection} created_at } }`, options),
      )[name]
      if (result.output !== null || result.errors !== null) return { ...result, id: result.id === id }
      await engine.observed('action-finished', (finished) => finished.id === id)
    }
  }

  test('an asynchronous action gives an id, and what became of it by that', async () => {
    handlers.on('/later', ({ body }) => ({ json: { id: body.input.id } }))
    handlers.asked.length = 0
    const { created_at: time, ...result } = await resultOf(
      'later',
      '{ id author { name } }',
      { role: 'user', 'x-extra': 'e' },
      '(id: 1)',
    )
    assert.deepEqual(result, { id: true, errors: null, output: { id: 1, author: { name: 'ada' } } })
    assert.match(time, /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/)
    assert.equal(handlers.asked.length, 1)
    assert.deepEqual(handlers.asked[0]?.body, {
      action: { name: 'later' },
      input: { id: 1 },
      session_variables: { 'x-svc-role': 'user', 'x-svc-user-id': '7' },
      request_query: null,
    })
    handlers.on('/plain', () => ({ json: [1, 2] }))
    assert.deepEqual((await resultOf('plain', '', { role: 'user' })).output, [1, 2])
    handlers.on('/plain', () => ({ status: 400, json: { message: 'no', code: 'mine', extensions: { a: 1 } } }))
    assert.deepEqual((await resultOf('plain', '')).errors, { error: 'no', path: '$', code: 'mine' })
    assert.equal(
      error(await graphql('{ plain(id: "00000000-0000-0000-0000-000000000000") { id } }')).message,
      'database query error',
    )
    assert.equal(error(await graphql('{ plain(id: "x") { id } }')).extensions.code, 'parse-failed')
  })

  test('only who called sees a result with rows of tables', async () => {
    const id = data(await graphql('mutation { later(id: 1) }', { role: 'user' })).later
    const query = `{ later(id: "${id}") { id } }`
    assert.deepEqual(data(await graphql(query, { role: 'user' })), { later: { id } })
    assert.deepEqual(data(await graphql(query)), { later: { id } })
    assert.deepEqual(data(await graphql(query, { role: 'user', 'x-svc-user-id': '8' })), { later: null })
  })

  test('a dropped action takes its log along unless it is to remain', async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const rows = async () =>
      (await client.query("SELECT count(*)::int AS n FROM svc_catalog.svc_action_log WHERE action_name = 'gone'"))
        .rows[0].n
    const gone = { kind: 'asynchronous', output_type: 'Int' }
    for (const [clear, left] of [
      [false, 1],
      [true, 0],
    ] as const) {
      await create('gone', gone)
      if (left === 1) await graphql('mutation { gone }')
      await metadata('drop_action', { name: 'gone', clear_data: clear })
      assert.equal(await rows(), left)
    }
    await client.end()
  })

  test('a variable that is passed again and again is refused before a handler is called', async () => {
    handlers.on('/find', () => ({ json: [] }))
    const called = handlers.asked.length
    const find = (times: number) => {
      const fields = Array.from({ length: times }, (_, i) => `f${i}: find(filter: $f) { id }`)
      return graphql(`query ($f: Filter!) { ${fields.join(' ')} }`, {
        variables: { f: { text: 'x'.repeat(1_000_000) } },
      })
    }
    assert.equal(error(await find(36)).extensions.code, 'bad-request')
    assert.equal(handlers.asked.length, called)
    data(await find(2))
  })

  test('usage knows the fields of input objects that requests with one plan have', async () => {
    handlers.on('/find', () => ({ json: [] }))
    const query = 'query Used($filter: Filter!) { find(filter: $filter) { id } }'
    for (const filter of [{ text: 'a' }, { text: 'b', inner: { text: 'c', colours: ['RED'] } }])
      data(await graphql(query, { role: 'user', variables: { filter } }))
    await metadata('get_usage', {})
    const inputs = customTypes.input_objects.map(({ name, fields }) => ({ name, fields: fields.slice(0, 1) }))
    const args = { ...customTypes, input_objects: inputs }
    const { body } = await engine.post('/v1/metadata', { type: 'set_custom_types', args, dry_run: { preview: true } })
    const { schema: user } = body.preview.roles.find(({ role }: { role: string }) => role === 'user')
    const changes: readonly { at: string; used?: readonly { operation: string; count: number }[] }[] = user.changes
    const used = changes.flatMap(({ at, used = [] }) =>
      at.startsWith('Filter.') ? [[at, used.flatMap((one) => (one.operation === 'Used' ? [one.count] : []))]] : [],
    )
    assert.deepEqual(used.sort(), [
      ['Filter.colours', [2]],
      ['Filter.inner', [2]],
      ['Filter.since', []],
    ])
  })

  test('types that do not fit together are refused, with all that is wrong', async () => {
    const refused = async (types: object) => {
      const { status, body } = await engine.metadata('set_custom_types', types)
      return [status, body.code, body.error]
    }
    const objects = [{ name: 'Bad', fields: [{ name: 'a', type: 'Nothing' }] }]
    assert.deepEqual(await refused({ objects }), [
      400,
      'invalid-configuration',
      'Inconsistent object: validation for the given custom types failed because the type "Nothing" for field "a" in  object type "Bad" does not exist',
    ])
    const [status, code, text] = await refused({ objects: [...objects, ...objects] })
    assert.deepEqual([status, code], [400, 'invalid-configuration'])
    assert.match(String(text), /for the following reasons:\n {2}• duplicate type names: "Bad"\n/)
    assert.deepEqual((await refused({})).slice(0, 2), [400, 'unexpected'])
    const missing = await engine.metadata('create_action', {
      name: 'bad',
      definition: { handler: 'http://x', output_type: 'Nothing' },
    })
    assert.equal(missing.body.code, 'invalid-configuration')
    assert.match(
      missing.body.error,
      /^Inconsistent object: in action "bad"; the type: "Nothing" is not an object or scalar type/,
    )
    const twice = await engine.metadata('create_action', {
      name: 'bad',
      definition: {
        handler: 'http://x',
        output_type: 'Int',
        arguments: [
          { name: 'id', type: 'Int' },
          { name: 'id', type: 'String' },
        ],
      },
    })
    assert.deepEqual([twice.status, twice.body.code], [400, 'invalid-configuration'], twice.text)
    assert.match(twice.body.error, /the argument "id" is declared more than once/)
    const variable = await engine.metadata('create_action', {
      name: 'bad',
      definition: { handler: '{{NO_SUCH}}', output_type: 'Int' },
    })
    assert.match(variable.body.error, /Value for environment variables not found: NO_SUCH/)
    const taken = await engine.metadata('create_action', {
      name: 'author',
      definition: { type: 'query', handler: 'http://x', output_type: 'Int' },
    })
    assert.deepEqual([taken.status, taken.body.code], [500, 'unexpected'])
  })

  test('what comes from the environment is shown in no error and no log', async () => {
    const headers = [
      { name: 'X-Key', value_from_env: 'HANDLER_KEY' },
      { name: 'X-Path', value: '{{SECRET_HANDLER}}' },
      { name: 'X-Open', value: 'open' },
    ]
    const secret = { type: 'query', output_type: 'Int', handler: '{{SECRET_HANDLER}}', headers }
    await create('hidden', secret)
    const request_transform = { version: 2, url: '{{$base_url}}&more=1', query_params: { a: 'b' } }
    await create('hidden_transformed', { ...secret, request_transform })
    for (const name of ['hidden', 'hidden_transformed']) {
      const answer = await graphql(`{ ${name} }`)
      assert.equal(error(answer).message, 'http exception when calling webhook')
      const { request } = answer.body.errors[0].extensions.internal
      assert.equal(request.url, '{{SECRET_HANDLER}}')
      assert.doesNotMatch(answer.text, /hidden-(path|key)|k1/)
      if (name === 'hidden') continue
      const { headers: shown, url } = request.transformed_request
      assert.equal(url, 'http://127.0.0.1:1')
      const values = Object.fromEntries(shown)
      assert.deepEqual(
        [values['X-Key'], values['X-Path'], values['X-Open']],
        ['{{HANDLER_KEY}}', '{{SECRET_HANDLER}}', 'open'],
      )
    }
    const remote = { name: 'hidden', definition: { url_from_env: 'SECRET_HANDLER' } }
    const refused = await engine.metadata('add_remote_schema', remote)
    assert.match(refused.text, /HTTP exception occurred while sending the request to \\"SECRET_HANDLER\\"/)
    assert.doesNotMatch(refused.text, /hidden-(path|key)/)
    assert.doesNotMatch(engine.log.join('\n'), /hidden-(path|key)/)
  })

  test('a table that a relationship leads to is not given up unnoticed', async () => {
    const answer = await engine.metadata('pg_untrack_table', { table: 'author' })
    assert.equal(answer.body.code, 'dependency-error', answer.text)
    assert.match(answer.body.error, /custom types/)
  })
})
