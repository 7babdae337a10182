import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@svc/schema'
import { inputOf, music, type TableSketch } from '../../music.fixture.ts'
import type { ResolvedRelationship } from '../../resolved-rows.ts'
import { updateModel } from '../../update-model.ts'

const pair: Readonly<Record<string, TableSketch>> = {
  ...music,
  country: { columns: { code: 'text not null', year: 'int4 not null' }, key: ['code', 'year'] },
  town: {
    columns: { id: 'int4 not null', code: 'text not null', year: 'int4' },
    key: ['id'],
    references: { 'code,year': 'country:code,year' },
  },
}

function resolve(table: string, kind: 'object' | 'array', using: JsonObject, name = 'r'): ResolvedRelationship {
  const tables = Object.keys(pair).map((own) => {
    const [schema, plain] = own.includes('.') ? own.split('.') : ['public', own]
    const tracked = { table: { schema: schema ?? '', name: plain ?? '' } }
    return own === table ? { ...tracked, [`${kind}_relationships`]: [{ name, using }] } : tracked
  })
  const model = updateModel(null, inputOf(tables, pair))
  assert.deepEqual([...model.inconsistencies.values()], [])
  const found = model.tables.get(`default/public.${table}`)?.relationships.get(name)
  assert.ok(found)
  return found
}

const short = ({ target, join, nullable }: ResolvedRelationship) => [
  target,
  join.columns.map(({ from, to }) => `${from}=${to}`).join(' '),
  nullable,
]

test('over an own foreign key: not null if all its columns are', () => {
  assert.deepEqual(short(resolve('album', 'object', { foreign_key_constraint_on: 'artist_id' })), [
    'default/public.artist',
    'artist_id=id',
    false,
  ])
  assert.deepEqual(short(resolve('album', 'object', { foreign_key_constraint_on: ['producer_id'] })), [
    'default/public.artist',
    'producer_id=id',
    true,
  ])
  assert.deepEqual(short(resolve('town', 'object', { foreign_key_constraint_on: ['year', 'code'] })), [
    'default/public.country',
    'code=code year=year',
    true,
  ])
})

test("over another table's foreign key, as an array or one to one: may be null", () => {
  const using = { foreign_key_constraint_on: { table: 'album', column: 'artist_id' } }
  assert.deepEqual(short(resolve('artist', 'array', using)), ['default/public.album', 'id=artist_id', true])
  assert.deepEqual(short(resolve('artist', 'object', using)), ['default/public.album', 'id=artist_id', true])
  const columns = { foreign_key_constraint_on: { table: 'town', columns: ['code', 'year'] } }
  assert.deepEqual(short(resolve('country', 'array', columns)), ['default/public.town', 'code=code year=year', true])
})

test('by hand: any columns, across schemas, may be null', () => {
  const using = {
    manual_configuration: { remote_table: { schema: 'shop', name: 'sale' }, column_mapping: { id: 'track_id' } },
  }
  assert.deepEqual(short(resolve('track', 'array', using)), ['default/shop.sale', 'id=track_id', true])
})

test('a name that GraphQL cannot have is kept for permissions only', () => {
  const relationship = resolve('album', 'object', { foreign_key_constraint_on: 'artist_id' }, 'the artist')
  assert.equal(relationship.inGraphql, false)
})
