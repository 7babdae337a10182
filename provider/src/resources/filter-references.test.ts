import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referencesOfFilter } from './filter-references.ts'

const referencesIn = (filter: Parameters<typeof referencesOfFilter>[0]) => referencesOfFilter(filter)
const none = { relationships: [], elsewhere: [], tables: [] }

test('columns lead nowhere, whatever is compared with them', () => {
  assert.deepEqual(referencesIn({}), none)
  assert.deepEqual(referencesIn({ id: { _eq: 1 }, name: 'x', data: { _contains: { a: { b: 1 } } } }), none)
  assert.deepEqual(referencesIn({ _and: [{ id: { $gt: 1 } }, { _not: { name: { _in: ['a'] } } }] }), none)
})

test('relationships of the own table and of other tables are distinguished', () => {
  assert.deepEqual(referencesIn({ artist: { label: { owner: { _eq: 'x' } } } }), {
    ...none,
    relationships: ['artist'],
    elsewhere: ['label'],
  })
  assert.deepEqual(referencesIn({ $or: [{ tracks: {} }, { artist: { _and: [{ id: { _eq: 1 } }] } }] }), {
    ...none,
    relationships: ['tracks', 'artist'],
  })
})

test('an _exists leads to its table, and what it asks is asked there', () => {
  const _table = { schema: 'public', name: 'member' }
  assert.deepEqual(referencesIn({ _exists: { _table, _where: { team: { id: { _eq: 1 } } } } }), {
    relationships: [],
    elsewhere: ['team'],
    tables: [_table],
  })
})

test('a condition on an aggregate leads over its relationship', () => {
  const filter = { artist: { id: { _eq: 1 } } }
  assert.deepEqual(referencesIn({ tracks_aggregate: { count: { predicate: { _gt: 1 }, filter } } }), {
    ...none,
    relationships: ['tracks'],
    elsewhere: ['artist'],
  })
  assert.deepEqual(referencesIn({ song_aggregate: { id: { _eq: 1 } } }), {
    ...none,
    relationships: ['song_aggregate'],
  })
})
