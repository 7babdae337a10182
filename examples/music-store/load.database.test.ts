import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../test/postgres.ts'
import { musicStoreRows } from './data/index.ts'
import { loadMusicStore } from './load.ts'

const sizes = {
  artist: 275,
  album: 347,
  genre: 25,
  media_type: 5,
  track: 3503,
  playlist: 18,
  playlist_track: 8715,
  employee: 8,
  customer: 59,
  invoice: 412,
  invoice_line: 2240,
}

async function connectToNewDatabase(t: TestContext): Promise<pg.Client> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  t.after(async () => {
    await client.end()
    await database.drop()
  })
  return client
}

test('the rows are the same in every run and on every machine', () => {
  const text = JSON.stringify(musicStoreRows())
  assert.equal(JSON.stringify(musicStoreRows()), text)
  assert.equal(
    createHash('sha256').update(text).digest('hex'),
    'f8cb75666aaa64a376ac02ac9d6ad156f7ed5978be6aad482ac09dcaae5f154b',
  )
})

test('the music store loads with all its rows and goes on counting where they end', async (t) => {
  const client = await connectToNewDatabase(t)
  await loadMusicStore(client)
  for (const [table, size] of Object.entries(sizes))
    assert.deepEqual((await client.query(`SELECT count(*)::integer AS size FROM ${table}`)).rows, [{ size }], table)
  const added = await client.query(`INSERT INTO artist (name, country) VALUES ('Somebody New', 'Malta') RETURNING id`)
  assert.deepEqual(added.rows, [{ id: 276 }])
})

test('every invoice is the sum of its lines, and every artist has an album with tracks', async (t) => {
  const client = await connectToNewDatabase(t)
  await loadMusicStore(client)
  const { rows } = await client.query(`SELECT
    (SELECT count(*)::integer FROM invoice WHERE total <>
      (SELECT sum(unit_price * quantity) FROM invoice_line WHERE invoice_id = invoice.id)) AS wrong_totals,
    (SELECT count(*)::integer FROM artist WHERE NOT EXISTS
      (SELECT FROM album JOIN track ON album_id = album.id WHERE artist_id = artist.id)) AS silent_artists`)
  assert.deepEqual(rows, [{ wrong_totals: 0, silent_artists: 0 }])
})
