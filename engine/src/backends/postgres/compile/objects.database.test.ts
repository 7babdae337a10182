/** Objects are joined where a key is reached, and looked up row by row elsewhere: the answer is the same. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import type { BooleanExpression, Join, OrderBy, RootQuery, RowField, Value } from '../../../ir/index.ts'
import { compileQuery } from './compile-query.ts'
import {
  albumOfTrack,
  all,
  artistOfAlbum,
  compare,
  count,
  field,
  id,
  name,
  shopSql,
  table,
  title,
  tracksOfAlbum,
  year,
} from './shop.fixture.ts'

let client: pg.Client
before(async () => {
  const database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  // enough rows for the planner to hash, which would lose the order
  await client.query(`SET jit = off; ${shopSql}
    INSERT INTO artist SELECT i, 'artist ' || i % 7 FROM generate_series(1000, 1400) i;
    INSERT INTO album SELECT i, 'album ' || i % 5, CASE WHEN i % 3 > 0 THEN 1000 + i % 401 END, 1900 + i % 100 FROM generate_series(1000, 3000) i;
    INSERT INTO track SELECT i, 'track ' || i % 11, CASE WHEN i % 4 > 0 THEN 1000 + i % 2001 END, 1, i FROM generate_series(1000, 6000) i;
    CREATE INDEX ON track (album_id); ANALYZE`)
})
after(() => client.end())

const textOf = (slot: Value) => (slot.kind === 'constant' ? slot.text : null)

async function answer(query: RootQuery): Promise<unknown> {
  const { text, slots } = compileQuery(query, { stringifyNumericTypes: false })
  const { rows } = await client.query({ text, values: slots.map(textOf), rowMode: 'array' })
  return rows[0]?.[0]
}

/** The same fields with every relationship looked up row by row. */
function notUnique(fields: readonly RowField[]): readonly RowField[] {
  const plain = ({ unique: _, ...join }: Join): Join => join
  return fields.map((part) => {
    if (part.kind === 'object') return { ...part, join: plain(part.join), fields: notUnique(part.fields) }
    return part.kind === 'array' ? { ...part, join: plain(part.join), fields: notUnique(part.fields) } : part
  })
}

const asc = (of: typeof id): OrderBy => ({ key: { kind: 'operand', of }, direction: 'asc', nulls: 'last' })
const byArtist: OrderBy = {
  key: { kind: 'related', join: albumOfTrack, filter: all.where, key: { kind: 'operand', of: year } },
  direction: 'desc',
  nulls: 'last',
}

function albumWith(where: BooleanExpression, artistWhere: BooleanExpression): readonly RowField[] {
  return [
    field(id),
    {
      kind: 'object',
      as: 'album',
      join: albumOfTrack,
      where,
      fields: [
        { kind: 'typename', as: '__typename', name: 'album' },
        field(year),
        { kind: 'object', as: 'artist', join: artistOfAlbum, where: artistWhere, fields: [field(name)] },
        {
          kind: 'array',
          as: 'first',
          join: tracksOfAlbum,
          rows: { ...all, orderBy: [asc(id)], limit: count(1) },
          fields: [field(id)],
        },
      ],
    },
    {
      kind: 'object',
      as: 'again',
      join: albumOfTrack,
      where: all.where,
      fields: [field(title, `long_${'x'.repeat(70)}`)],
    },
    field(name),
  ]
}

const everything = all.where
const some = compare(year, 'gt', 1950)
const hasArtist: BooleanExpression = {
  kind: 'exists-related',
  join: artistOfAlbum,
  where: compare(name, 'like', 'artist%'),
}

test('joined objects are the same, in the same order, as those that are looked up', async () => {
  for (const orderBy of [
    [asc(id)],
    [asc(name), { ...asc(id), direction: 'desc', nulls: 'first' }],
    [byArtist, asc(id)],
  ] as const)
    for (const limit of [null, count(0), count(50), count(4000)])
      for (const [where, artistWhere] of [
        [everything, everything],
        [some, compare(name, 'neq', 'artist 3')],
        [hasArtist, everything],
      ] as const) {
        const fields = albumWith(where, artistWhere)
        const query = (of: readonly RowField[]): RootQuery => ({
          kind: 'rows',
          from: table('track'),
          rows: { ...all, orderBy, limit },
          fields: of,
        })
        assert.deepEqual(await answer(query(fields)), await answer(query(notUnique(fields))))
      }
})

test('an object of nulls is there, one that is not there is null', async () => {
  await client.query(`INSERT INTO artist VALUES (9000); INSERT INTO album VALUES (9000, 't', 9000), (9001, 't', NULL)`)
  const artist = {
    kind: 'object',
    as: 'artist',
    join: artistOfAlbum,
    where: everything,
    fields: [field(name)],
  } as const
  const rows = { ...all, where: compare(id, 'in', [9000, 9001]), orderBy: [asc(id)] }
  assert.deepEqual(await answer({ kind: 'rows', from: table('album'), rows, fields: [artist] }), [
    { artist: { name: null } },
    { artist: null },
  ])
  const hidden = { ...artist, where: compare(id, 'neq', 9000) }
  assert.deepEqual(
    await answer({ kind: 'row', from: table('album'), where: compare(id, 'eq', 9000), fields: [hidden] }),
    {
      artist: null,
    },
  )
})

test('nodes of an aggregate can have objects too', async () => {
  const rows = { ...all, orderBy: [asc(name), asc(id)], limit: count(30), permissionLimit: 20 }
  const query = (of: readonly RowField[]): RootQuery => ({
    kind: 'aggregate',
    from: table('track'),
    rows,
    fields: [
      { kind: 'aggregate', as: 'a', fields: [{ kind: 'count', as: 'n', of: [], distinct: false }] },
      { kind: 'nodes', as: 'nodes', fields: of },
    ],
  })
  const fields = albumWith(everything, everything)
  const found = (await answer(query(fields))) as { a: { n: number }; nodes: unknown[] }
  assert.deepEqual([found.a.n, found.nodes.length], [30, 20])
  assert.deepEqual(found, await answer(query(notUnique(fields))))
})

test('of very many objects only as many are joined as can be planned in no time', async () => {
  const first = { ...all, orderBy: [asc(id)], limit: count(1) }
  const fields = Array.from({ length: 60 }, (_, i): RowField => {
    const tracks: RowField = { kind: 'array', as: 'first', join: tracksOfAlbum, rows: first, fields: [field(id)] }
    return { kind: 'object', as: `album_${i}`, join: albumOfTrack, where: everything, fields: [field(year), tracks] }
  })
  const rows = { ...all, orderBy: [asc(id)], limit: count(3) }
  const query = (of: readonly RowField[]): RootQuery => ({ kind: 'rows', from: table('track'), rows, fields: of })
  const { text } = compileQuery(query(fields), { stringifyNumericTypes: false })
  assert.equal(text.match(/ LEFT JOIN "public"/g)?.length, 10)
  assert.deepEqual(await answer(query(fields)), await answer(query(notUnique(fields))))
})
