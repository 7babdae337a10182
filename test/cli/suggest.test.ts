/** `svc metadata suggest` on a database that nobody has declared yet: what it prints, an engine takes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createMusicTables } from './music-tables.ts'
import { createSvcFolder } from './svc.ts'

test('tables and views are listed, and metadata of those that are chosen has their relationships', async (t) => {
  const engine = await startEngine({}, t)
  await createMusicTables(engine.databaseUrl)
  await runOnDatabase(
    engine.databaseUrl,
    `CREATE VIEW titles AS SELECT title FROM album;
     ALTER TABLE album ADD producer_id int REFERENCES artist, ADD producer text`,
  )
  const { svc } = await createSvcFolder(engine, t)
  const listed = await svc('metadata', 'suggest')
  assert.equal(listed.stdout, 'public.album\npublic.artist\npublic.titles  view\npublic.track\n', listed.stderr)
  const some = await svc('metadata', 'suggest', '--tables', 'album,public.track')
  const [album, track] = parse(some.stdout)
  assert.deepEqual([album.array_relationships[0].name, track.object_relationships[0].name], ['track', 'album'])
  assert.match((await svc('metadata', 'suggest', '--tables', 'nowhere')).stderr, /no table nowhere/)
  const all = parse((await svc('metadata', 'suggest', '--all')).stdout)
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)
  assert.deepEqual(names(all[0].object_relationships), ['artist', 'artist_by_producer_id'])
  assert.deepEqual(names(all[1].array_relationships), ['album', 'album_by_producer_id'])
  const { body: metadata } = await engine.metadata('export_metadata', {})
  const stored = await engine.metadata('replace_metadata', {
    ...metadata,
    sources: [{ ...metadata.sources[0], tables: all }],
  })
  assert.equal(stored.status, 200, stored.text)
})
