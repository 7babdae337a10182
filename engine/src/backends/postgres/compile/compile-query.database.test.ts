import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { always, type BooleanExpression, type RootQuery, type Value } from '../../../ir/index.ts'
import { compileQuery } from './compile-query.ts'
import {
  albumOfTrack,
  albumsOfArtist,
  all,
  artistOfAlbum,
  column,
  compare,
  count,
  field,
  id,
  name,
  plays,
  price,
  shopSql,
  table,
  title,
  tracksOfAlbum,
  type,
  value,
  year,
} from './shop.fixture.ts'

let client: pg.Client
before(async () => {
  const database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(shopSql)
})
after(() => client.end())

const textOf = (slot: Value) => (slot.kind === 'constant' ? slot.text : null)

/** The answer as text; explain's form of the statement has to give the same. */
async function answer(query: RootQuery, stringifyNumericTypes = false): Promise<string> {
  const compiled = compileQuery(query, { stringifyNumericTypes })
  const run = async (text: string, values: readonly (string | null)[]) => {
    const { rows } = await client.query<string[]>({ text, values: [...values], rowMode: 'array', types })
    assert.ok(rows.length <= 1, 'a statement gives one row, or none for null')
    for (const row of rows) assert.equal(row.length, 1, 'a statement gives one column')
    return rows[0]?.[0] ?? 'null'
  }
  const result = await run(compiled.text, compiled.slots.map(textOf))
  const inlined = compiled.inlined(textOf)
  assert.doesNotMatch(inlined, /\$\d/)
  assert.equal(await run(inlined, []), result)
  return result
}
const types = { getTypeParser: () => (text: unknown) => text } as pg.CustomTypesConfig

const json = async (query: RootQuery, stringify = false): Promise<unknown> => JSON.parse(await answer(query, stringify))

const sqlOf = (query: RootQuery) => compileQuery(query, { stringifyNumericTypes: false }).text

test('rows are selected without a query of their own when nothing orders or cuts them', async () => {
  const query: RootQuery = {
    kind: 'rows',
    from: table('artist'),
    rows: { ...all, where: compare(id, 'gt', 1) },
    fields: [field(name, 'who'), field(id)],
  }
  assert.equal(
    sqlOf(query),
    `SELECT COALESCE(json_agg(row_to_json("row.json")), '[]') AS "root" FROM (SELECT "t.0"."name" AS "who", "t.0"."id" AS "id" FROM "public"."artist" AS "t.0" WHERE ("t.0"."id" > ($1)::"int4")) AS "row.json"`,
  )
  assert.equal(await answer(query), '[{"who":"Bob","id":2}, {"who":null,"id":3}]')
})

test('ordered and cut rows are selected first, so that fields are computed for what is left', async () => {
  const query: RootQuery = {
    kind: 'rows',
    from: table('artist'),
    rows: {
      ...all,
      orderBy: [{ key: { kind: 'operand', of: name }, direction: 'desc', nulls: 'last' }],
      limit: count(1),
      offset: count(1),
    },
    fields: [field(name)],
  }
  assert.equal(
    sqlOf(query),
    `SELECT array_to_json(ARRAY(SELECT "row.json" FROM (SELECT "t.1"."name" AS "name" FROM (SELECT "t.0".* FROM "public"."artist" AS "t.0" ORDER BY "t.0"."name" DESC NULLS LAST LIMIT 1 OFFSET 1) AS "t.1") AS "row.json")) AS "root"`,
  )
  assert.deepEqual(await json(query), [{ name: 'Ann' }])
})

test('relationships nest, an object one gives null and an array one [] where there is no row', async () => {
  const query: RootQuery = {
    kind: 'rows',
    from: table('album'),
    rows: { ...all, orderBy: [{ key: { kind: 'operand', of: id }, direction: 'asc', nulls: 'last' }] },
    fields: [
      field(title),
      { kind: 'object', as: 'artist', join: artistOfAlbum, where: always, fields: [field(name)] },
      {
        kind: 'array',
        as: 'tracks',
        join: tracksOfAlbum,
        rows: { ...all, orderBy: [{ key: { kind: 'operand', of: name }, direction: 'desc', nulls: 'first' }] },
        fields: [
          { kind: 'typename', as: '__typename', name: 'track' },
          field(name),
          { kind: 'object', as: 'album', join: albumOfTrack, where: compare(year, 'gt', 1991), fields: [field(id)] },
        ],
      },
    ],
  }
  assert.deepEqual(await json(query), [
    {
      title: 'First',
      artist: { name: 'Ann' },
      tracks: [
        { __typename: 'track', name: 'b', album: null },
        { __typename: 'track', name: 'a', album: null },
      ],
    },
    { title: 'Second', artist: { name: 'Ann' }, tracks: [] },
    { title: 'Third', artist: { name: 'Bob' }, tracks: [{ __typename: 'track', name: 'c', album: { id: 12 } }] },
    { title: 'Lost', artist: null, tracks: [] },
  ])
})

test('a row that is not there is null, and no rows are []', async () => {
  const where = compare(id, 'eq', 99)
  assert.equal(await answer({ kind: 'row', from: table('artist'), where, fields: [field(id)] }), 'null')
  assert.equal(
    await answer({ kind: 'rows', from: table('artist'), rows: { ...all, where }, fields: [field(id)] }),
    '[]',
  )
  assert.equal(
    await answer({ kind: 'row', from: table('artist'), where: compare(id, 'eq', 1), fields: [field(id)] }),
    '{"id":1}',
  )
})

test('rows can be ordered by a column beyond relationships; rows without a partner, or with a hidden one, sort as null', async () => {
  const byArtist = (filter = always): RootQuery => ({
    kind: 'rows',
    from: table('track'),
    rows: {
      ...all,
      limit: count(3),
      orderBy: [
        {
          key: {
            kind: 'related',
            join: albumOfTrack,
            filter: always,
            key: { kind: 'related', join: artistOfAlbum, filter, key: { kind: 'operand', of: name } },
          },
          direction: 'desc',
          nulls: 'first',
        },
        { key: { kind: 'operand', of: id }, direction: 'asc', nulls: 'last' },
      ],
    },
    fields: [field(id)],
  })
  assert.deepEqual(await json(byArtist()), [{ id: 103 }, { id: 102 }, { id: 100 }])
  assert.deepEqual(await json(byArtist(compare(name, 'neq', 'Bob'))), [{ id: 102 }, { id: 103 }, { id: 100 }])
})

test('rows can be ordered by aggregates of their related rows that the filter lets through', async () => {
  const byCount = (filter = always): RootQuery => ({
    kind: 'rows',
    from: table('artist'),
    rows: {
      ...all,
      orderBy: [
        {
          key: { kind: 'related-aggregate', join: albumsOfArtist, filter, aggregate: { operator: 'count' } },
          direction: 'asc',
          nulls: 'last',
        },
        {
          key: { kind: 'related-aggregate', join: albumsOfArtist, filter, aggregate: { operator: 'max', of: year } },
          direction: 'desc',
          nulls: 'first',
        },
      ],
    },
    fields: [field(id)],
  })
  assert.deepEqual(await json(byCount()), [{ id: 3 }, { id: 2 }, { id: 1 }])
  assert.deepEqual(await json(byCount(compare(year, 'gt', 1995))), [{ id: 2 }, { id: 3 }, { id: 1 }])
})

test('distinct_on keeps the first row of each in the given order', async () => {
  const artist = column('artist_id', type('int4'))
  const query: RootQuery = {
    kind: 'rows',
    from: table('album'),
    rows: {
      ...all,
      distinctOn: [artist],
      orderBy: [
        { key: { kind: 'operand', of: artist }, direction: 'asc', nulls: 'last' },
        { key: { kind: 'operand', of: year }, direction: 'desc', nulls: 'first' },
      ],
    },
    fields: [field(title)],
  }
  assert.deepEqual(await json(query), [{ title: 'Second' }, { title: 'Third' }, { title: 'Lost' }])
})

test('aggregates see past the permission limit, nodes and lists do not, and both see the user limit', async () => {
  const rows = {
    ...all,
    orderBy: [{ key: { kind: 'operand', of: id }, direction: 'desc', nulls: 'first' } as const],
    permissionLimit: 2,
  }
  const aggregate = {
    kind: 'aggregate',
    as: 'aggregate',
    fields: [{ kind: 'count', as: 'count', of: [], distinct: false }],
  } as const
  const nodes = { kind: 'nodes', as: 'nodes', fields: [field(id)] } as const
  const ask = (limit: Value | null, fields: readonly (typeof aggregate | typeof nodes)[]) =>
    json({ kind: 'aggregate', from: table('track'), rows: { ...rows, limit }, fields })

  assert.deepEqual(await ask(null, [aggregate, nodes]), { aggregate: { count: 4 }, nodes: [{ id: 103 }, { id: 102 }] })
  assert.deepEqual(await ask(count(3), [nodes, aggregate]), {
    nodes: [{ id: 103 }, { id: 102 }],
    aggregate: { count: 3 },
  })
  assert.deepEqual(await ask(count(1), [aggregate, nodes]), { aggregate: { count: 1 }, nodes: [{ id: 103 }] })
  assert.deepEqual(await ask(count(3), [nodes]), { nodes: [{ id: 103 }, { id: 102 }] })
  assert.deepEqual(await ask(count(3), [aggregate]), { aggregate: { count: 3 } })
  const list = { kind: 'rows', from: table('track'), rows: { ...rows, limit: count(3) }, fields: [field(id)] } as const
  assert.deepEqual(await json(list), [{ id: 103 }, { id: 102 }])
})

test('every aggregate is computed and keeps its alias and place', async () => {
  const query: RootQuery = {
    kind: 'rows',
    from: table('album'),
    rows: {
      ...all,
      where: compare(id, 'in', [10, 11]),
      orderBy: [{ key: { kind: 'operand', of: id }, direction: 'asc', nulls: 'last' }],
    },
    fields: [
      {
        kind: 'aggregate',
        as: 'stats',
        join: tracksOfAlbum,
        rows: all,
        fields: [
          { kind: 'typename', as: 't', name: 'track_aggregate' },
          {
            kind: 'aggregate',
            as: 'a',
            fields: [
              { kind: 'count', as: 'n', of: [], distinct: true },
              { kind: 'count', as: 'names', of: [name], distinct: true },
              { kind: 'count', as: 'pairs', of: [name, price], distinct: true },
              {
                kind: 'operator',
                as: 'sum',
                operator: 'sum',
                fields: [
                  { kind: 'value', as: 'price', of: price },
                  { kind: 'typename', as: 'x', name: 'track_sum_fields' },
                  { kind: 'value', as: 'plays', of: plays },
                ],
              },
              { kind: 'operator', as: 'max', operator: 'max', fields: [{ kind: 'value', as: 'name', of: name }] },
            ],
          },
        ],
      },
    ],
  }
  const [first, second] = (await json(query)) as [unknown, unknown]
  assert.equal(
    JSON.stringify(first),
    '{"stats":{"t":"track_aggregate","a":{"n":2,"names":2,"pairs":2,"sum":{"price":2.98,"x":"track_sum_fields","plays":9007199254740998},"max":{"name":"b"}}}}',
  )
  assert.deepEqual(second, {
    stats: {
      t: 'track_aggregate',
      a: { n: 0, names: 0, pairs: 0, sum: { price: null, x: 'track_sum_fields', plays: null }, max: { name: null } },
    },
  })
})

test('stringified numeric types are text, in aggregates by the type of their column, counts are numbers', async () => {
  const rows: RootQuery = {
    kind: 'row',
    from: table('track'),
    where: compare(id, 'eq', 101),
    fields: [field(id), field(plays), field(price)],
  }
  assert.equal(await answer(rows, true), '{"id":101,"plays":"9007199254740993","price":"1.99"}')
  assert.equal(await answer(rows), '{"id":101,"plays":9007199254740993,"price":1.99}')
  const aggregate: RootQuery = {
    kind: 'aggregate',
    from: table('track'),
    rows: all,
    fields: [
      {
        kind: 'aggregate',
        as: 'a',
        fields: [
          { kind: 'count', as: 'n', of: [], distinct: false },
          {
            kind: 'operator',
            as: 'max',
            operator: 'max',
            fields: [
              { kind: 'value', as: 'plays', of: plays },
              { kind: 'value', as: 'id', of: id },
            ],
          },
          { kind: 'operator', as: 'avg', operator: 'avg', fields: [{ kind: 'value', as: 'price', of: price }] },
        ],
      },
    ],
  }
  assert.deepEqual(await json(aggregate, true), {
    a: { n: 4, max: { plays: '9007199254740993', id: 103 }, avg: { price: '1.16000000000000000000' } },
  })
})

test('where reaches related rows, other tables and the row it started from', async () => {
  const ask = async (where: BooleanExpression) => ((await json(wrap(where))) as { id: number }[]).map((row) => row.id)
  const wrap = (where: BooleanExpression): RootQuery => ({
    kind: 'rows',
    from: table('artist'),
    rows: { ...all, where, orderBy: [{ key: { kind: 'operand', of: id }, direction: 'asc', nulls: 'last' }] },
    fields: [field(id)],
  })
  assert.deepEqual(await ask({ kind: 'and', of: [] }), [1, 2, 3])
  assert.deepEqual(await ask({ kind: 'or', of: [] }), [])
  assert.deepEqual(await ask({ kind: 'not', of: compare(id, 'eq', 1) }), [2, 3])
  assert.deepEqual(await ask(compare(id, 'in', [])), [])
  assert.deepEqual(await ask(compare(id, 'nin', [])), [1, 2, 3])
  assert.deepEqual(await ask({ kind: 'is-null', of: name, negated: false }), [3])
  assert.deepEqual(
    await ask({ kind: 'exists-related', join: albumsOfArtist, where: compare(title, 'like', 'Th%') }),
    [2],
  )
  assert.deepEqual(await ask({ kind: 'exists', table: table('track'), where: compare(name, 'eq', 'a') }), [1, 2, 3])
  // an artist with an album by the same name as some track's album id: `root` is the artist, `row` the other table
  const same = (of: 'row' | 'root') =>
    ({
      kind: 'compare-columns',
      left: column('artist_id', type('int4')),
      operator: 'eq',
      right: column('id', type('int4'), of),
    }) as const
  assert.deepEqual(await ask({ kind: 'exists', table: table('album'), where: same('root') }), [1, 2])
  assert.deepEqual(
    await ask({ kind: 'exists', table: table('album'), where: { kind: 'rooted', of: same('root') } }),
    [],
  )
})

test('a null-safe comparison takes NULL as equal to NULL, a plain one never matches it', async () => {
  const ids = async (operator: string, json_: unknown, nullSafe: boolean) => {
    const where = compare(name, operator, json_, nullSafe)
    const rows = await json({ kind: 'rows', from: table('artist'), rows: { ...all, where }, fields: [field(id)] })
    return (rows as { id: number }[]).map((row) => row.id)
  }
  assert.deepEqual(await ids('eq', null, true), [3])
  assert.deepEqual(await ids('eq', null, false), [])
  assert.deepEqual(await ids('neq', 'Ann', true), [2, 3])
  assert.deepEqual(await ids('neq', 'Ann', false), [2])
  assert.deepEqual(await ids('neq', null, true), [1, 2])
})

test('a path leads into a json column', async () => {
  const data = column('data', type('jsonb'))
  const where = compare(id, 'eq', 1)
  const fields = [field(data, 'all'), field(data, 'x', ['a', 'b', '1']), field(data, 'none', ["it's", '\\'])]
  assert.deepEqual(await json({ kind: 'row', from: table('artist'), where, fields }), {
    all: { a: { b: [1, 'x'] } },
    x: 'x',
    none: null,
  })
})

test('response keys may be of any length and number, and may look like aliases of the statement', async () => {
  const long = `k${'x'.repeat(80)}`
  const keys = ['row', 'root', 't', 'r', '_e', `${long}1`, `${long}2`]
  const where = compare(id, 'eq', 2)
  const expected = Object.fromEntries(keys.map((key) => [key, 2]))
  const answered = await answer({
    kind: 'row',
    from: table('artist'),
    where,
    fields: keys.map((key) => field(id, key)),
  })
  assert.equal(JSON.stringify(JSON.parse(answered)), JSON.stringify(expected))
  const many = Array.from({ length: 1700 }, (_, i) => field(i % 2 ? name : id, `f${i}`))
  const wide = (await json({ kind: 'row', from: table('artist'), where, fields: many })) as Record<string, unknown>
  assert.equal(Object.keys(wide).length, 1700)
  assert.deepEqual([wide.f0, wide.f1699], [2, 'Bob'])
  const counts = Array.from(
    { length: 60 },
    (_, i) => ({ kind: 'count', as: `c${i}`, of: [], distinct: false }) as const,
  )
  const aggregate = { kind: 'aggregate', as: 'a', fields: counts } as const
  const counted = (await json({ kind: 'aggregate', from: table('artist'), rows: all, fields: [aggregate] })) as {
    a: Record<string, number>
  }
  assert.equal(counted.a.c59, 3)
})

test('a limit that is only known when the statement runs may be NULL', () => {
  const limit: Value = {
    kind: 'variable',
    variable: 'n',
    keys: [],
    type: { type: type('int8'), list: false },
    path: [],
  }
  const text = (permissionLimit: number | null) =>
    sqlOf({ kind: 'rows', from: table('artist'), rows: { ...all, limit, permissionLimit }, fields: [field(id)] })
  assert.match(text(null), / LIMIT \(\$1\)::bigint\)/)
  assert.match(text(5), / LIMIT LEAST\(\(\$1\)::bigint, 5\)\)/)
})

test('constants of one value are one parameter, equal ones of two are two', () => {
  const one = value(1, type('int4'))
  const where = (a: Value, b: Value) =>
    ({
      kind: 'and',
      of: [a, b].map((v) => ({ kind: 'compare', left: id, operator: 'eq', right: [v], nullSafe: false }) as const),
    }) as const
  const slots = (a: Value, b: Value) =>
    compileQuery(
      { kind: 'row', from: table('artist'), where: where(a, b), fields: [] },
      { stringifyNumericTypes: false },
    ).slots
  assert.deepEqual(slots(one, one), [one])
  assert.equal(slots(one, { ...one }).length, 2)
})
