import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, type JsonObject, type ObjectType, ownKey, sourceAddress, tableAddress } from '@svc/schema'
import { inputOf } from '../music.fixture.ts'
import { updateModel } from '../update-model.ts'
import { dependentsOf } from './dependents-of.ts'

const permission = (role: string, filter: JsonObject, columns: '*' | string[] = '*') => ({
  role,
  permission: { columns, filter },
})

const model = updateModel(
  null,
  inputOf([
    {
      table: 'artist',
      array_relationships: [
        { name: 'albums', using: { foreign_key_constraint_on: { table: 'album', column: 'artist_id' } } },
      ],
      select_permissions: [
        permission('own', { name: 'X-Svc-Name' }, ['id', 'name']),
        permission('over', { albums: { title: { _eq: 'X-Svc-Title' } } }),
        permission('broken', { albums: { nmae: 1 } }),
      ],
      update_permissions: [
        { role: 'own', permission: { columns: ['email'], filter: {}, check: null, set: { born: 'now' } } },
      ],
    },
    {
      table: 'album',
      object_relationships: [
        { name: 'artist', using: { foreign_key_constraint_on: 'artist_id' } },
        { name: 'producer', using: { foreign_key_constraint_on: 'producer_id' } },
      ],
      select_permissions: [permission('own', {}, ['title'])],
    },
    {
      table: 'track',
      object_relationships: [{ name: 'album', using: { foreign_key_constraint_on: 'album_id' } }],
      select_permissions: [
        permission('deep', { album: { artist: { name: 'X-Svc-Name' } } }),
        permission('some', { _exists: { _table: 'artist', _where: { born: { _is_null: false } } } }),
      ],
      delete_permissions: [{ role: 'deep', permission: { filter: { album: { producer: {} } } } }],
    },
  ]),
)

const table = (name: string) => tableAddress('default', { schema: 'public', name })
const below = (name: string, type: ObjectType, own: string) => address(type, ownKey(type, { name: own }), table(name))
const texts = (dependents: readonly { text: string }[]) => dependents.map(({ text }) => text)

test('on a table: relationships of other tables to it, permissions of other tables that read it; its own do not count', () => {
  assert.deepEqual(texts(dependentsOf(model, [table('artist')])), [
    'permission track.deep.delete in source "default"',
    'permission track.deep.select in source "default"',
    'permission track.some.select in source "default"',
    'relationship album.artist in source "default"',
    'relationship album.producer in source "default"',
  ])
})

test('on several tables: none of them counts', () => {
  assert.deepEqual(texts(dependentsOf(model, [table('artist'), table('track')])), [
    'relationship album.artist in source "default"',
    'relationship album.producer in source "default"',
  ])
})

test('on a relationship: the permissions that go over it', () => {
  assert.deepEqual(texts(dependentsOf(model, [below('album', 'object_relation', 'artist')])), [
    'permission track.deep.select in source "default"',
  ])
  assert.deepEqual(texts(dependentsOf(model, [below('artist', 'array_relation', 'albums')])), [
    'permission artist.over.select in source "default"',
  ])
})

test('what is inconsistent already depends on nothing', () => {
  assert.ok(model.inconsistencies.some(({ name }) => name.includes('broken')))
  const dependents = dependentsOf(model, [table('album'), below('artist', 'array_relation', 'albums')])
  assert.ok(texts(dependents).every((text) => !text.includes('broken')))
})

test('on other objects: nothing', () => {
  assert.deepEqual(dependentsOf(model, [sourceAddress('default'), below('album', 'select_permission', 'own')]), [])
})
