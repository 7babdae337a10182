import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldName, type NamePiece, typeName } from './spell.ts'

const spelled = (...pieces: readonly NamePiece[]) => [
  fieldName('svc-default', ...pieces),
  fieldName('graphql-default', ...pieces),
  typeName('graphql-default', ...pieces),
]

test('words are joined by underscores, or by their first letters', () => {
  assert.deepEqual(spelled('author_local'), ['author_local', 'authorLocal', 'AuthorLocal'])
  assert.deepEqual(spelled('author_local', 'by_pk'), ['author_local_by_pk', 'authorLocalByPk', 'AuthorLocalByPk'])
  assert.deepEqual(spelled('insert', 'author', 'one'), ['insert_author_one', 'insertAuthorOne', 'InsertAuthorOne'])
  assert.deepEqual(spelled('_st_d_within'), ['_st_d_within', '_stDWithin', '_StDWithin'])
})

test('only first letters change, and underscores remain only in front', () => {
  assert.deepEqual(spelled('ID'), ['ID', 'iD', 'ID'])
  assert.deepEqual(spelled('__a__bC_'), ['__a__bC_', '__aBC', '__ABC'])
  assert.deepEqual(spelled('_'), ['_', '_', '_'])
})

test('a custom name is one piece: as it is in front, with a capital elsewhere', () => {
  assert.deepEqual(spelled({ custom: 'my_table' }, 'by_pk'), ['my_table_by_pk', 'my_tableByPk', 'my_tableByPk'])
  assert.deepEqual(spelled('insert', { custom: 'my_table' }), ['insert_my_table', 'insertMy_table', 'InsertMy_table'])
})
