import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/postgres.ts'
import { ApiError, Path } from '../errors.ts'
import { parseExactly } from '../exact-json/index.ts'
import { musicDatabase, musicTables } from './music-database.fixture.ts'

test('a document is answered by PostgreSQL', async (t) => {
  const music = await musicDatabase((await createTestDatabase(t)).url, t)

  await t.test('rows, relationships both ways, aliases and __typename come in document order', async () => {
    const data = await music.ask(`{
      singers: artist(order_by: {name: desc}, limit: 2) {
        __typename name albums(order_by: {title: asc}) { t: title artist { id } tracks_aggregate { aggregate { count } } }
      }
      __typename
      artist_by_pk(id: 1) { name }
      nobody: artist_by_pk(id: 99) { name }
    }`)
    assert.deepEqual(data, {
      singers: [
        { __typename: 'artist', name: 'Cy', albums: [] },
        {
          __typename: 'artist',
          name: 'Bo',
          albums: [{ t: 'Third', artist: { id: 2 }, tracks_aggregate: { aggregate: { count: 0 } } }],
        },
      ],
      __typename: 'query_root',
      artist_by_pk: { name: 'Ada' },
      nobody: null,
    })
    assert.deepEqual(Object.keys(data as object), ['singers', '__typename', 'artist_by_pk', 'nobody'])
  })

  await t.test('a row may have thousands of aliases, and an aggregate as well', async () => {
    const aliases = Array.from({ length: 4900 }, (_, i) => `a${i}: id`).join(' ')
    const counts = Array.from({ length: 4900 }, (_, i) => `c${i}: count`).join(' ')
    const data = await music.ask(`{ artist_by_pk(id: 1) { ${aliases} } artist_aggregate { aggregate { ${counts} } } }`)
    const { artist_by_pk: artist, artist_aggregate: all } = data as Record<string, Record<string, object>>
    assert.equal(Object.keys(artist ?? {}).length, 4900)
    assert.equal(Object.keys(all?.aggregate ?? {}).length, 4900)
  })

  await t.test('introspection is bounded for all of a request together', async () => {
    const type = '__type(name: "artist") { fields { name type { name } } }'
    const settings = { maxIntrospectionSize: 1000 }
    assert.ok(await music.ask(`{ ${type} }`, { settings }))
    const asked = music.ask(`{ a: ${type} b: ${type} artist { id } c: ${type} }`, { settings })
    await assert.rejects(
      asked,
      new ApiError('validation-failed', Path.root.at('query'), 'the introspection answer is too large'),
    )
  })

  await t.test('an operation whose fields are all skipped answers an empty object', async () => {
    const query = 'query ($flag: Boolean!) { artist @include(if: $flag) { id } }'
    assert.deepEqual(await music.ask(query, { variables: { flag: false } }), {})
  })

  await t.test('aggregates count, sum and list their nodes', async () => {
    assert.deepEqual(
      await music.ask(`{ track_aggregate(where: {price: {_gt: 0.6}}) {
        aggregate { count n: count(columns: live, distinct: true) sum { price } max { name price } avg { __typename id } }
        nodes { id } } }`),
      {
        track_aggregate: {
          aggregate: {
            count: 2,
            n: 2,
            sum: { price: 2.28 },
            max: { name: 'two', price: 1.29 },
            avg: { __typename: 'track_avg_fields', id: 100.5 },
          },
          nodes: [{ id: 100 }, { id: 101 }],
        },
      },
    )
  })

  await t.test('where follows relationships, and its lists and objects may hold variables', async () => {
    const query = `query ($id: Int!, $where: album_bool_exp!, $ids: [Int!]) {
      a: album(where: {_or: [{artist: {name: {_eq: "Bo"}}}, {id: {_in: [$id, 77]}}]}, order_by: {id: asc}) { id }
      b: album(where: $where) { id }
      c: artist(where: {_not: {albums: {tracks: {}}}, id: {_in: $ids}}) { id }
      d: artist(where: {meta: {_contains: {a: {b: [$id]}}}}) { id }
    }`
    const variables = { id: 10, where: { _and: [{ id: { _gt: 10 } }, { title: { _like: 'S%' } }] }, ids: [1, 2] }
    assert.deepEqual(await music.ask(query, { variables }), {
      a: [{ id: 10 }, { id: 12 }],
      b: [{ id: 11 }],
      c: [{ id: 2 }],
      d: [{ id: 1 }],
    })
    assert.deepEqual(await music.ask(query, { variables: { ...variables, id: 12, ids: 3 } }), {
      a: [{ id: 12 }],
      b: [{ id: 11 }],
      c: [{ id: 3 }],
      d: [],
    })
  })

  await t.test('order_by goes through relationships and their aggregates', async () => {
    assert.deepEqual(
      await music.ask(`{
        a: album(order_by: [{artist: {name: desc}}, {title: desc}]) { id }
        b: artist(order_by: {albums_aggregate: {count: desc, max: {id: asc}}}) { id } }`),
      { a: [{ id: 12 }, { id: 11 }, { id: 10 }], b: [{ id: 1 }, { id: 2 }, { id: 3 }] },
    )
  })

  await t.test('a json column takes a path, arrays and large numbers survive', async () => {
    assert.deepEqual(
      await music.ask(`{ artist(where: {fans: {_eq: 9007199254740993}, tags: {_contains: ["jazz"]}}) {
        b: meta(path: "$.a.b[1]") all: meta tags } }`),
      { artist: [{ b: 20, all: { a: { b: [10, 20] } }, tags: ['jazz', 'soul'] }] },
    )
  })

  await t.test('numbers longer than those of JavaScript keep their digits in variables too', async () => {
    const query = `query ($f: bigint, $l: [bigint!], $p: numeric, $j: jsonb) {
      a: artist(where: {fans: {_eq: $f}}) { id }
      b: artist(where: {fans: {_in: $l}}, limit: 5) { id }
      c: track(where: {price: {_lt: $p}}) { id }
      d: artist(where: {meta: {_contains: $j}}) { id } }`
    const ask = (text: string) => music.ask(query, { variables: parseExactly(text) as Record<string, unknown> })
    assert.deepEqual(
      await ask(
        '{"f":9007199254740993,"l":[9007199254740993,5],"p":0.50000000000000000001,"j":{"a":12345678901234567890}}',
      ),
      { a: [{ id: 1 }], b: [{ id: 1 }, { id: 2 }], c: [{ id: 102 }], d: [] },
    )
    assert.deepEqual(await ask('{"f":9007199254740992,"l":9007199254740994,"p":0.4,"j":{}}'), {
      a: [],
      b: [],
      c: [],
      d: [{ id: 1 }, { id: 3 }],
    })
  })

  await t.test('a role sees its rows, at most its limit, and aggregates over all of them', async () => {
    const user = { role: 'user', session: { 'x-svc-user-id': '1' } }
    assert.deepEqual(
      await music.ask(
        '{ artist(limit: 10, order_by: {id: asc}) { id albums { id } } album(limit: 1) { artist { id } } }',
        user,
      ),
      {
        artist: [
          { id: 1, albums: [{ id: 10 }, { id: 11 }] },
          { id: 3, albums: [] },
        ],
        album: [{ artist: { id: 1 } }],
      },
    )
    assert.deepEqual(await music.ask('{ artist_aggregate(where: {albums: {}}) { aggregate { count } } }', user), {
      artist_aggregate: { aggregate: { count: 1 } },
    })
  })

  await t.test('a session variable that is missing is reported only where the filter is used', async () => {
    assert.deepEqual(await music.ask('{ artist { id } }', { role: 'user' }), { artist: [{ id: 1 }, { id: 3 }] })
    await assert.rejects(music.ask('{ artist { id albums { id } } }', { role: 'user' }), (error) => {
      assert.ok(error instanceof ApiError)
      assert.deepEqual(
        [error.code, error.path.toString(), error.message],
        ['not-found', '$', 'missing session variable: "x-svc-user-id"'],
      )
      return true
    })
  })

  await t.test('explain shows SQL with its values and the plan of each root field', async () => {
    const explained = await music.explain('{ a: artist(where: {name: {_eq: "Ada"}}, limit: 1) { id } __typename }')
    assert.ok(!('sql' in explained))
    const [field, other] = explained
    assert.equal(field?.field, 'a')
    assert.match(field?.sql ?? '', /'Ada'/)
    assert.doesNotMatch(field?.sql ?? '', /\$\d/)
    assert.match(field?.plan?.join('\n') ?? '', /cost=/)
    assert.deepEqual(other, { field: '__typename', sql: null, plan: null })
  })

  for (const [query, code, message] of [
    ['mutation { insert_artist { id } }', 'invalid-params', 'only queries can be explained'],
  ] as const)
    await t.test(`explain of ${query} is refused: ${message}`, async () => {
      await assert.rejects(music.explain(query), (error) => {
        assert.ok(error instanceof ApiError)
        assert.deepEqual([error.code, error.path.toString(), error.message], [code, '$', message])
        return true
      })
    })

  await t.test(
    'the first field that fails, fails the whole; what the database refuses comes with its code',
    async () => {
      const query = 'query ($id: Int!) { artist { id } artist_by_pk(id: $id) { id } }'
      for (const [id, code, path] of [
        ['x', 'data-exception', '$'],
        [1.5, 'parse-failed', '$.selectionSet.artist_by_pk.args.id'],
        [2 ** 40, 'parse-failed', '$.selectionSet.artist_by_pk.args.id'],
        [[1], 'parse-failed', '$.selectionSet.artist_by_pk.args.id'],
      ] as const)
        await assert.rejects(music.ask(query, { variables: { id } }), (error) => {
          assert.ok(error instanceof ApiError)
          assert.deepEqual([error.code, error.path.toString()], [code, path])
          return true
        })
    },
  )

  await t.test('a change of metadata is served at once, by plans that are kept too', async () => {
    const query = '{ album(limit: 1, order_by: {id: asc}) { id title } }'
    const user = { role: 'user', session: { 'x-svc-user-id': '1' } }
    assert.deepEqual(await music.ask(query, user), { album: [{ id: 10, title: 'First' }] })
    music.track(
      musicTables.map(({ select_permissions, ...table }) =>
        table.array_relationships && table.object_relationships
          ? {
              ...table,
              select_permissions: [{ role: 'user', permission: { columns: '*', filter: { id: { _gt: 10 } } } }],
            }
          : { ...table, ...(select_permissions && { select_permissions }) },
      ),
    )
    assert.deepEqual(await music.ask(query, user), { album: [{ id: 11, title: 'Second' }] })
    music.track(musicTables.map(({ select_permissions: _, ...table }) => table))
    await assert.rejects(music.ask(query, user), /field 'album' not found in type: 'query_root'/)
    music.track(musicTables)
    assert.deepEqual(await music.ask(query, user), { album: [{ id: 10, title: 'First' }] })
  })

  await t.test('rows and updates of a variable that is written again and again are bounded', async () => {
    const settings = { maxInputNodes: 20 }
    const tooLarge = async (query: string, variables: object) =>
      assert.rejects(music.ask(query, { variables: { ...variables }, settings }), (error) => {
        assert.ok(error instanceof ApiError)
        assert.deepEqual([error.code, error.message.slice(0, 27)], ['validation-failed', 'the arguments are too large'])
        return true
      })
    const a = { name: 'Di', albums: { data: Array.from({ length: 10 }, () => ({ title: 'x' })) } }
    const rows = 'mutation ($a: artist_insert_input!) { insert_artist(objects: [$a $a $a]) { affected_rows } }'
    await tooLarge(rows, { a })
    const list = Array.from({ length: 30 }, () => ({ where: { id: { _eq: -1 } }, _set: { name: 'x' } }))
    const updates = (times: number) =>
      `mutation ($u: [artist_updates!]!) { ${Array.from({ length: times }, (_, i) => `u${i}: update_artist_many(updates: $u) { affected_rows }`).join(' ')} }`
    await tooLarge(updates(3), { u: list })
    const { u0 } = (await music.ask(updates(1), { variables: { u: list }, settings })) as { u0: readonly unknown[] }
    assert.equal(u0.length, 30)
  })

  await t.test('introspection and data come in one answer', async () => {
    assert.deepEqual(await music.ask('{ artist(limit: 1) { id } __type(name: "artist") { name } }'), {
      artist: [{ id: 1 }],
      __type: { name: 'artist' },
    })
  })
})
