import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, addressText, type JsonObject, type ObjectType, ownKey, tableAddress } from '@svc/schema'
import { inputOf, music, type TableSketch } from './music.fixture.ts'
import { plannedFault } from './planned-fault.ts'
import { updateModel } from './update-model.ts'

function planned(
  tables: readonly JsonObject[],
  type: ObjectType,
  key: JsonObject,
  sketches: Readonly<Record<string, TableSketch>> = music,
) {
  const album = tableAddress('default', { schema: 'public', name: 'album' })
  const { fault, assumed } = plannedFault(
    updateModel(null, inputOf(tables, sketches)),
    address(type, ownKey(type, key), album),
  )
  return {
    cause: fault?.cause ?? null,
    at: fault?.at.join('.') ?? null,
    needs: (fault?.needs ?? []).map(addressText),
    assumed: assumed.map(addressText),
  }
}

const album = (using: JsonObject, filter: JsonObject = {}) => ({
  table: 'album',
  object_relationships: [{ name: 'artist', using }],
  select_permissions: [{ role: 'user', permission: { columns: '*', filter } }],
})
const byKey = { foreign_key_constraint_on: 'artist_id' }
const byHand = (table: string, column: string) => ({
  manual_configuration: { remote_table: table, column_mapping: { artist_id: column } },
})
const artistTable = 'source:default/table:public.artist'

test('a table that is not tracked yet is checked as if it were', () => {
  assert.deepEqual(planned([album(byKey)], 'object_relation', { name: 'artist' }), {
    cause: null,
    at: null,
    needs: [],
    assumed: [artistTable],
  })
})

test('a wrong column in a table that is not tracked yet is final', () => {
  const { cause, at, assumed } = planned([album(byHand('artist', 'nmae'))], 'object_relation', { name: 'artist' })
  assert.deepEqual(
    [cause, at, assumed],
    ['database', 'using.manual_configuration.column_mapping.artist_id', [artistTable]],
  )
})

test('a table that the database lacks is final, tracked or not', () => {
  const { artist: _, ...others } = music
  const key = { name: 'artist' }
  assert.equal(planned([album(byHand('artist', 'id'))], 'object_relation', key, others).cause, 'database')
  const tracked = [{ table: 'artist' }, album(byHand('artist', 'id'))]
  assert.equal(planned(tracked, 'object_relation', key, others).cause, 'database')
})

test('what may be a relationship one day can be mended, and says by what', () => {
  const tables = [{ table: 'track' }, album(byKey, { tracks: { name: 'x' } }), { table: 'artist' }]
  assert.deepEqual(planned(tables, 'select_permission', { role: 'user' }), {
    cause: 'metadata',
    at: 'permission.filter.tracks',
    needs: ['source:default/table:public.album/object_relation:tracks'],
    assumed: [],
  })
})

test('a relationship that is declared and wrong itself decides', () => {
  const tables = [album({ foreign_key_constraint_on: 'title' }, { artist: { name: 'x' } }), { table: 'artist' }]
  assert.equal(planned(tables, 'select_permission', { role: 'user' }).cause, 'database')
})

test('a relationship that only waits for its table lets the permission wait, and be checked', () => {
  const good = planned([album(byKey, { artist: { name: 'x' } })], 'select_permission', { role: 'user' })
  assert.deepEqual([good.cause, good.assumed], [null, [artistTable]])
  const wrong = planned([album(byKey, { artist: { nmae: 'x' } })], 'select_permission', { role: 'user' })
  assert.deepEqual([wrong.cause, wrong.at], ['database', 'permission.filter.artist.nmae'])
})

test('a clash and a wrong value are final', () => {
  const clash = [
    { table: 'artist' },
    { ...album(byKey), configuration: { column_config: { title: { custom_name: 'artist' } } } },
  ]
  assert.equal(planned(clash, 'object_relation', { name: 'artist' }).cause, 'clash')
  const wrong = [{ table: 'artist' }, album(byKey, { id: { _like: 'x' } })]
  assert.equal(planned(wrong, 'select_permission', { role: 'user' }).cause, 'definition')
})
