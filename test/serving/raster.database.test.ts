/** Values of PostGIS's raster: texts of hexadecimal digits (reference/values#values-of-input). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

test('raster comes as hex of WKB; what is none is refused at its place', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t)
  const [there] = await runOnDatabase(
    databaseUrl,
    "SELECT count(*)::int AS n FROM pg_available_extensions WHERE name = 'postgis_raster'",
  )
  if (there?.n !== 1) return t.skip('the extension is not installed')
  await runOnDatabase(
    databaseUrl,
    'CREATE EXTENSION postgis; CREATE EXTENSION postgis_raster; CREATE TABLE scan (id int PRIMARY KEY, rast raster)',
  )
  const [made] = await runOnDatabase(
    databaseUrl,
    `SELECT encode(ST_AsBinary(ST_AddBand(ST_MakeEmptyRaster(2, 2, 0, 0, 1), '8BUI'::text, 1, 0)), 'hex') AS hex`,
  )
  const engine = await startEngine({ databaseUrl }, t)
  await engine.metadata('pg_track_table', { table: 'scan' })
  const ask = async (query: string, variables: object) => (await engine.post('/v1/graphql', { query, variables })).body
  const insert = 'mutation ($v: raster) { insert_scan_one(object: { id: 1, rast: $v }) { id } }'
  const find = 'query ($v: raster) { scan(where: { rast: { _st_intersects_rast: $v } }) { id } }'
  assert.deepEqual(await ask(insert, { v: made?.hex }), { data: { insert_scan_one: { id: 1 } } })
  assert.deepEqual(await ask(find, { v: made?.hex }), { data: { scan: [{ id: 1 }] } })
  const place = 'args.where.rast._st_intersects_rast'
  for (const [v, code, message] of [
    [7, 'parse-failed', 'parsing Text failed, expected String, but encountered Number'],
    ['zz', 'parse-failed', 'Expecting a raster: the hexadecimal digits of its well-known binary form'],
    ['g'.repeat(200), 'parse-failed', 'Expecting a raster: the hexadecimal digits of its well-known binary form'],
    [null, 'validation-failed', "unexpected null value for type 'raster'"],
  ] as const) {
    const refused = (path: string) => ({ errors: [{ message, extensions: { path, code } }] })
    assert.deepEqual(await ask(find, { v }), refused(`$.selectionSet.scan.${place}`))
    const literal = `{ scan(where: { rast: { _st_intersects_rast: ${JSON.stringify(v)} } }) { id } }`
    assert.deepEqual(await ask(literal, {}), refused(`$.selectionSet.scan.${place}`))
    // a row may have none
    if (v !== null)
      assert.deepEqual(await ask(insert, { v }), refused('$.selectionSet.insert_scan_one.args.object.rast'))
  }
})
