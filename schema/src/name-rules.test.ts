import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindOfSource, nameRules, nameStyle, tableText } from './index.ts'

const inKind = (kind: string) => nameRules[nameStyle(kind)]

test('texts and GraphQL names leave out the default schema of the kind, and no other schema', () => {
  const shown = (kind: string, schema: string) => {
    const { shown: text, graphqlBase } = inKind(kind)
    return [text({ schema, name: 't' }), graphqlBase({ schema, name: 't' })]
  }
  assert.deepEqual(shown('pg', 'public'), ['t', 't'])
  assert.deepEqual(shown('postgres', 'dbo'), ['dbo.t', 'dbo_t'])
  assert.deepEqual(shown('mssql', 'dbo'), ['t', 't'])
  assert.deepEqual(shown('mssql', 'public'), ['public.t', 'public_t'])
  assert.deepEqual(shown('bigquery', 'public'), ['public.t', 'public_t'])
})

test('a name is written as its kind has it, and a dataset remains in the text of a name', () => {
  const name = { schema: 'music', name: 'album' }
  assert.deepEqual(inKind('mssql').key(name), { name: 'album', schema: 'music' })
  assert.deepEqual(inKind('bigquery').key(name), { dataset: 'music', name: 'album' })
  assert.equal(tableText({ dataset: 'public', name: 'album' }), 'public.album')
  assert.equal(tableText({ schema: 'dbo', name: 'album' }), 'album')
  assert.equal(tableText('album'), 'album')
})

test('a source that names no kind is one of PostgreSQL, which `pg` is a spelling of', () => {
  assert.deepEqual([undefined, {}, { kind: 'pg' }, { kind: 'mssql' }].map(kindOfSource), [
    'postgres',
    'postgres',
    'postgres',
    'mssql',
  ])
})
