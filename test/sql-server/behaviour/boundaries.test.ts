/** What lies at the bounds of a statement of SQL Server, and the errors that a client and a role see beyond them. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type ServedSource, serveSource } from './served-source.ts'

const real = process.env.SVC_TEST_MSSQL_URL !== undefined

const drop =
  'DROP TABLE IF EXISTS svc_line; DROP TABLE IF EXISTS svc_word; DROP TABLE IF EXISTS svc_keyless; DROP TABLE IF EXISTS svc_period'
const setup = [
  `${drop}; CREATE TABLE svc_word (id int PRIMARY KEY, word nvarchar(20) COLLATE Latin1_General_BIN2 NOT NULL,
    plays int NULL, small tinyint NULL, fee smallmoney NULL, far bigint NULL, picture image NULL, anything sql_variant NULL,
    price decimal(38, 18) NULL, cost decimal(10, 2) NULL, vast decimal(38, 0) NULL, paid money NULL, spot geography NULL, notes text NULL, mood nvarchar(10) NOT NULL DEFAULT 'calm');
  CREATE TABLE svc_line (id int PRIMARY KEY, word_id int NULL CONSTRAINT svc_line_word REFERENCES svc_word(id), text varchar(10) NOT NULL);
  CREATE TABLE svc_keyless (text nvarchar(20) NULL);
  INSERT INTO svc_word (id, word, plays, small, fee, far) VALUES (1, N'a', 2147483647, 255, 214748.3647, 9223372036854775807),
    (2, N'A', 2147483647, 255, 214748.3647, 9223372036854775807), (3, N'b', NULL, NULL, NULL, NULL)`,
]

suite('at the bounds of SQL Server', () => {
  const ends: (() => Promise<void>)[] = []
  let source: ServedSource
  const graphql = (query: string) => source.graphql(query)
  const data = async (query: string) => {
    const text = await graphql(query)
    assert.match(text, /^\{"data":/, text)
    return text.slice('{"data":'.length, -1)
  }
  const as = async (role: string, query: string, variables: object = {}) => {
    const { text } = await source.engine.post('/v1/graphql', { query, variables }, { 'x-svc-role': role })
    return text
  }
  before(async () => {
    source = await serveSource({ after: (end) => void ends.push(end) }, setup, ['svc_word', 'svc_line', 'svc_keyless'])
    const metadata = async (type: string, args: unknown) => {
      const { status, text } = await source.engine.metadata(type, args)
      assert.equal(status, 200, text)
    }
    const permit = (kind: string, table: string, permission: object) =>
      metadata(`mssql_create_${kind}_permission`, { source: 'ms', table, role: 'writer', permission })
    await permit('select', 'svc_word', { columns: ['id', 'word'], filter: { id: { _eq: 'X-Svc-Word' } } })
    await permit('insert', 'svc_word', { columns: ['id', 'word', 'small'], check: {} })
    await permit('update', 'svc_word', { columns: ['word', 'small'], filter: { id: { _gt: 1 } }, check: {} })
    const keeper = { columns: '*', check: { plays: { _gt: 0 } } }
    for (const [kind, permission] of [
      ['select', { columns: '*', filter: {} }],
      ['insert', { columns: '*', check: {} }],
      ['update', { ...keeper, filter: {} }],
    ] as const)
      await metadata(`mssql_create_${kind}_permission`, { source: 'ms', table: 'svc_word', role: 'keeper', permission })
    await permit('insert', 'svc_line', { columns: '*', check: { text: { _neq: 'never' } } })
    await permit('select', 'svc_line', { columns: '*', filter: {} })
  })
  after(async () => {
    if (real) await source.runSql(drop)
    for (const end of ends.reverse()) await end()
  })

  test('texts are compared as their column is, also with lists and by subscribers', async () => {
    const ids = (where: string) => data(`{ svc_word(where: ${where}, order_by: {id: asc}) { id } }`)
    assert.equal(await ids('{word: {_eq: "a"}}'), '{"svc_word":[{"id":1}]}')
    assert.equal(await ids('{word: {_in: ["A", "B"]}}'), '{"svc_word":[{"id":2}]}')
    assert.equal(await ids('{word: {_nin: ["a", "b"]}}'), '{"svc_word":[{"id":2}]}')
    const upsert = `mutation { insert_svc_word(objects: [{id: 9, word: "a", plays: 1}, {id: 4, word: "B", plays: 2}],
      if_matched: {match_columns: [word], update_columns: [plays]}) { affected_rows returning { id } } }`
    assert.equal(await data(upsert), '{"insert_svc_word":{"affected_rows":2,"returning":[{"id":4},{"id":1}]}}')
    const back = `mutation { delete_svc_word(where: {id: {_eq: 4}}) { affected_rows }
      update_svc_word_by_pk(pk_columns: {id: 1}, _set: {plays: 2147483647}) { id } }`
    assert.equal(await data(back), '{"delete_svc_word":{"affected_rows":1},"update_svc_word_by_pk":{"id":1}}')
  })

  test('columns that the server fills are read, and not offered for writing', async () => {
    const create = `CREATE TABLE svc_period (id int PRIMARY KEY, twice AS id * 2, since datetime2 GENERATED ALWAYS AS ROW START NOT NULL,
      until datetime2 GENERATED ALWAYS AS ROW END NOT NULL, PERIOD FOR SYSTEM_TIME (since, until))`
    // the grammar that judges what the engine sends does not know PERIOD
    if (source.double) await source.double.run(create)
    else await source.runSql(create)
    assert.equal((await source.engine.metadata('reload_metadata', { reload_sources: ['ms'] })).status, 200)
    const tracked = await source.engine.metadata('mssql_track_table', { source: 'ms', table: 'svc_period' })
    assert.equal(tracked.status, 200, tracked.text)
    const inputs = '{ __type(name: "svc_period_insert_input") { inputFields { name } } }'
    assert.equal(await data(inputs), '{"__type":{"inputFields":[{"name":"id"}]}}')
    const insert = 'mutation { insert_svc_period_one(object: {id: 4}) { id twice since } }'
    assert.match(await data(insert), /^\{"insert_svc_period_one":\{"id":4,"twice":8,"since":"\d{4}-[\d-]+T[^"]+"\}\}$/)
  })

  test('a column that is ordered by twice orders once', async () => {
    const page = '{ svc_word(order_by: [{plays: desc}, {id: desc}, {plays: asc}, {id: asc}], offset: 1) { id } }'
    assert.equal(await data(page), '{"svc_word":[{"id":1},{"id":3}]}')
  })

  test('sums are larger than the values of their column', async () => {
    assert.equal(
      await data('{ svc_word_aggregate { aggregate { sum { plays small fee far } avg { plays small } } } }'),
      '{"svc_word_aggregate":{"aggregate":{"sum":{"plays":4294967294,"small":510,"fee":429496.7294,"far":18446744073709551614},"avg":{"plays":2147483647,"small":255}}}}',
    )
  })

  test('decimals keep their fractions when they grow, and are compared with every digit', async () => {
    const grown = (inc: string) => `mutation {
      update_svc_word_by_pk(pk_columns: {id: 3}, _inc: ${inc}) { price cost } }`
    const insert = `mutation {
      update_svc_word_by_pk(pk_columns: {id: 3}, _set: {price: "1.123456789012345678", cost: "1.25"}) { id } }`
    await data(insert)
    const answer = (price: string, cost: string) => `{"update_svc_word_by_pk":{"price":${price},"cost":${cost}}}`
    // together with a decimal of 38 digits before the point the server would have rounded what is after it
    assert.equal(await data(grown('{price: 1, cost: 1}')), answer('2.123456789012345678', '2.25'))
    assert.equal(
      await data(grown('{price: "0.000000000000000001", cost: "-0.5"}')),
      answer('2.123456789012345679', '1.75'),
    )
    const where = 'query($p: Float!) { svc_word(where: {price: {_gt: $p}, cost: {_lt: 2}}) { id } }'
    const { text } = await source.engine.post('/v1/graphql', { query: where, variables: { p: 2 } })
    assert.equal(text, '{"data":{"svc_word":[{"id":3}]}}')
    assert.equal(await data('{ svc_word(where: {price: {_gt: 2, _lt: 2.5}}) { id } }'), '{"svc_word":[{"id":3}]}')
  })

  test('a variable is compared with decimals of any size, and refused where no decimal holds it', async () => {
    const vast = '99999999999999999999999999999999999998'
    await data(`mutation { update_svc_word_by_pk(pk_columns: {id: 3}, _set: {vast: "${vast}", cost: "1.75"}) { id } }`)
    const found = async (where: string, p: unknown, type = 'Float!') => {
      const query = `query($p: ${type}) { svc_word(where: ${where}) { id } }`
      const { text } = await source.engine.post('/v1/graphql', { query, variables: { p } })
      return text
    }
    const third = '{"data":{"svc_word":[{"id":3}]}}'
    const none = '{"data":{"svc_word":[]}}'
    assert.equal(await found('{vast: {_eq: $p}}', vast), third)
    assert.equal(await found('{vast: {_gt: $p}}', vast), none)
    assert.equal(await found('{vast: {_gte: $p}}', '123456789012345678901'), third)
    assert.equal(await found('{vast: {_in: $p}}', ['1', vast], '[Float!]!'), third)
    // more than the column can hold is more than all of its values
    assert.equal(await found('{cost: {_lt: $p}}', '123456789012345678901.5'), third)
    assert.equal(await found('{cost: {_lt: $p}}', '-123456789012345678901.5'), none)
    assert.equal(await found('{cost: {_neq: $p}}', '123456789012345678901'), third)
    assert.equal(await found('{cost: {_in: $p}}', ['123456789012345678901', '1.75'], '[Float!]!'), third)
    assert.equal(await found('{cost: {_eq: $p}}', '1.7500000000000000000000001'), none)
    const written = '{ svc_word(where: {vast: {_lte: 99999999999999999999999999999999999998.5}}) { id } }'
    assert.equal(await data(written), '{"svc_word":[{"id":3}]}')
    for (const [column, value] of [
      ['vast', `${vast}0`],
      ['vast', '1e39'],
      ['paid', '922337203685477.5808'],
    ])
      assert.equal(codeOf(await found(`{${column}: {_lt: $p}}`, value)), 'parse-failed', value)
    await data('mutation { update_svc_word_by_pk(pk_columns: {id: 3}, _set: {vast: null}) { id } }')
  })

  test('an average of large numbers is exact, and cut as those of whole numbers are', async () => {
    const average = () => data('{ svc_word_aggregate { aggregate { avg { far } } } }')
    assert.equal(await average(), '{"svc_word_aggregate":{"aggregate":{"avg":{"far":9223372036854775807}}}}')
    await data('mutation { update_svc_word_by_pk(pk_columns: {id: 3}, _set: {far: "9223372036854775805"}) { id } }')
    assert.equal(await average(), '{"svc_word_aggregate":{"aggregate":{"avg":{"far":9223372036854775806}}}}')
    const none = '{ svc_word_aggregate(where: {id: {_lt: 0}}) { aggregate { avg { far } } } }'
    assert.equal(await data(none), '{"svc_word_aggregate":{"aggregate":{"avg":{"far":null}}}}')
    await data('mutation { update_svc_word_by_pk(pk_columns: {id: 3}, _set: {far: null}) { id } }')
  })

  test('places are ordered and counted as texts, and in no list', async () => {
    await data('mutation { update_svc_word(where: {id: {_lt: 3}}, _set: {spot: "POINT (1 2)"}) { affected_rows } }')
    assert.equal(
      await data(
        '{ svc_word_aggregate(order_by: [{spot: desc}, {id: desc}]) { aggregate { count(column: spot, distinct: true) } nodes { id spot } } }',
      ),
      '{"svc_word_aggregate":{"aggregate":{"count":1},"nodes":[{"id":2,"spot":"POINT (1 2)"},{"id":1,"spot":"POINT (1 2)"},{"id":3,"spot":null}]}}',
    )
    for (const where of ['{spot: {_in: ["POINT (1 2)"]}}', '{spot: {_gt: "POINT (1 2)"}}'])
      assert.equal(codeOf(await graphql(`{ svc_word(where: ${where}) { id } }`)), 'not-supported')
    await data('mutation { update_svc_word(where: {id: {_lt: 3}}, _set: {spot: null}) { affected_rows } }')
  })

  test('a sum of money is larger than money', async () => {
    const set = `mutation { update_svc_word(where: {id: {_lt: 3}}, _set: {paid: "922337203685477.5807"}) { affected_rows } }`
    await data(set)
    assert.equal(
      await data('{ svc_word_aggregate { aggregate { sum { paid } max { paid } } } }'),
      '{"svc_word_aggregate":{"aggregate":{"sum":{"paid":1844674407370955.1614},"max":{"paid":922337203685477.5807}}}}',
    )
  })

  test('an upsert checks what it updates, and gives new rows their defaults', async () => {
    const upsert = (plays: number) =>
      as(
        'keeper',
        `mutation($rows: [svc_word_insert_input!]!) { insert_svc_word(objects: $rows,
          if_matched: {match_columns: [id], update_columns: [plays]}) { returning { id plays mood } } }`,
        {
          rows: [
            { id: 3, word: 'b', plays, mood: 'wild' },
            { id: 7, word: 'q', plays: -7 },
          ],
        },
      )
    assert.equal(codeOf(await upsert(-3)), 'permission-error')
    assert.equal(
      await data('{ svc_word(where: {id: {_gte: 3}}) { id plays } }'),
      '{"svc_word":[{"id":3,"plays":null}]}',
    )
    assert.equal(
      await upsert(3),
      '{"data":{"insert_svc_word":{"returning":[{"id":7,"plays":-7,"mood":"calm"},{"id":3,"plays":3,"mood":"calm"}]}}}',
    )
    await data(
      `mutation { delete_svc_word_by_pk(id: 7) { id } update_svc_word_by_pk(pk_columns: {id: 3}, _set: {plays: null}) { id } }`,
    )
  })

  test('the least and greatest of texts of the old type, and rows of nothing but defaults', async () => {
    await data('mutation { update_svc_word(where: {id: {_lt: 3}}, _set: {notes: "some"}) { affected_rows } }')
    assert.equal(
      await data(
        '{ svc_word_aggregate { aggregate { max { notes } min { notes } count(column: notes, distinct: true) } } }',
      ),
      '{"svc_word_aggregate":{"aggregate":{"max":{"notes":"some"},"min":{"notes":"some"},"count":1}}}',
    )
    const rows = 'mutation { insert_svc_keyless(objects: [{}, {}]) { affected_rows returning { text } } }'
    assert.equal(
      await data(rows),
      '{"insert_svc_keyless":{"affected_rows":2,"returning":[{"text":null},{"text":null}]}}',
    )
    await data('mutation { delete_svc_keyless(where: {}) { affected_rows } }')
  })

  test('3,000 values in one condition, and 2,200 conditions, are asked by one statement', async () => {
    const sent = source.double?.statements.length ?? 0
    const literals = Array.from({ length: 3_000 }, (_, i) => i + 2).join(', ')
    assert.equal(
      await data(`{ svc_word(where: {id: {_in: [${literals}]}}, order_by: {id: asc}) { id } }`),
      '{"svc_word":[{"id":2},{"id":3}]}',
    )
    const conditions = Array.from({ length: 2_200 }, (_, i) => `{id: {_eq: ${i + 3}}}`).join(', ')
    assert.equal(await data(`{ svc_word(where: {_or: [${conditions}]}) { id } }`), '{"svc_word":[{"id":3}]}')
    const asked = source.double?.statements.slice(sent) ?? []
    assert.ok(real || asked.length === 2, String(asked.length))
    const parameters = new Set(asked[1]?.split('SELECT ISNULL')[0]?.match(/@p\d+(?= nvarchar)/g))
    assert.ok(real || parameters.size === 200, String(parameters.size))
  })

  test('bytes of the old type and values of any type are written and compared', async () => {
    const insert = `mutation { insert_svc_word_one(object: {id: 5, word: "c", picture: "ab", anything: "x"}) { picture anything } }`
    assert.equal(await data(insert), '{"insert_svc_word_one":{"picture":"YWI=","anything":"x"}}')
    const found = '{ svc_word(where: {picture: {_eq: "ab"}, anything: {_in: ["x"]}}, order_by: {picture: asc}) { id } }'
    assert.equal(await data(found), '{"svc_word":[{"id":5}]}')
    await data('mutation { delete_svc_word_by_pk(id: 5) { id } }')
  })

  test('a list is one parameter, however long', async () => {
    const list = Array.from({ length: 50_000 }, (_, i) => i + 3)
    const query = 'query($ids: [Int!]!) { svc_word(where: {id: {_in: $ids}}) { id } }'
    const { text } = await source.engine.post('/v1/graphql', { query, variables: { ids: list } })
    assert.equal(text, '{"data":{"svc_word":[{"id":3}]}}')
  })

  test('rows beyond one statement are written in parts, and all of them or none', async () => {
    const insert = 'mutation($rows: [svc_line_insert_input!]!) { insert_svc_line(objects: $rows) { affected_rows } }'
    const rows = Array.from({ length: 1_101 }, (_, id) => ({ id, text: `t${id}` }))
    const send = async (role: string, objects: readonly object[]) => as(role, insert, { rows: objects })
    const broken = await send('writer', [...rows, { id: 9_000, text: 'far too long' }])
    assert.equal(codeOf(broken), 'data-exception', broken)
    const countLines = '{ svc_line_aggregate { aggregate { count } } }'
    assert.equal(await data(countLines), '{"svc_line_aggregate":{"aggregate":{"count":0}}}')
    const sent = source.double?.statements.length ?? 0
    assert.equal(await send('writer', rows), '{"data":{"insert_svc_line":{"affected_rows":1101}}}')
    assert.equal(await data(countLines), '{"svc_line_aggregate":{"aggregate":{"count":1101}}}')
    const inserts = source.double?.statements
      .slice(sent)
      .filter((sql) => sql.startsWith('INSERT INTO [dbo].[svc_line]'))
    assert.ok(real || inserts?.length === 2, String(inserts?.length))
    const begins = source.double?.statements.slice(sent).filter((sql) => sql === 'BEGIN')
    assert.ok(real || begins?.length === 1)
    await data('mutation { delete_svc_line(where: {}) { affected_rows } }')
  })

  test('a role sees no value of rows that it may not see', async () => {
    // the row of another has this key
    const taken = await as('writer', 'mutation { insert_svc_word_one(object: {id: 3, word: "new"}) { id } }')
    assert.equal(codeOf(taken), 'constraint-violation', taken)
    assert.doesNotMatch(taken, /duplicate key value is|\(3\)/)
    // an update of a row that the filter hides is an update of none
    const hidden = 'mutation { update_svc_word(where: {id: {_eq: 1}}, _set: {word: "z"}) { affected_rows } }'
    assert.equal(await as('writer', hidden), '{"data":{"update_svc_word":{"affected_rows":0}}}')
    const overflow = 'mutation { update_svc_word(where: {id: {_eq: 2}}, _set: {small: 256}) { affected_rows } }'
    const text = await as('writer', overflow)
    assert.equal(codeOf(text), 'data-exception', text)
    assert.doesNotMatch(text, /256/)
    // what goes wrong besides values is for the administrator
    const query = '{ svc_word(where: {word: {_like: "["}}) { id } }'
    source.double?.when(/svc_word/, { kind: 'error', number: 8115, message: 'of the value 4711' })
    const { text: failed } = await source.engine.post(
      '/v1/graphql',
      { query },
      { 'x-svc-role': 'writer', 'x-svc-word': '3' },
    )
    assert.ok(real || codeOf(failed) === 'unexpected', failed)
    assert.doesNotMatch(failed, /4711|SELECT/)
  })

  test('a session variable that a rule needs is asked for', async () => {
    const text = await as('writer', '{ svc_word { id } }')
    assert.equal(codeOf(text), 'not-found', text)
    assert.match(text, /missing session variable: \\"x-svc-word\\"/)
  })

  test('a table without a key has no field for one row, and is written by conditions', async () => {
    assert.equal(codeOf(await graphql('{ svc_keyless_by_pk(id: 1) { text } }')), 'validation-failed')
    const write = `mutation { insert_svc_keyless(objects: [{text: "x"}, {}]) { affected_rows }
      update_svc_keyless(where: {text: {_is_null: true}}, _set: {text: "y"}) { affected_rows }
      delete_svc_keyless(where: {text: {_in: ["x", "y"]}}) { returning { text } } }`
    assert.equal(
      await data(write),
      '{"insert_svc_keyless":{"affected_rows":2},"update_svc_keyless":{"affected_rows":1},"delete_svc_keyless":{"returning":[{"text":"x"},{"text":"y"}]}}',
    )
  })
})

const codeOf = (text: string): unknown => JSON.parse(text).errors?.[0]?.extensions?.code
