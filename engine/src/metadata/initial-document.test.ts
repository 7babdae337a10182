import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyDocument, readMetadata, writeMetadata } from '@svc/schema'
import { initialDocument } from './initial-document.ts'

test('the first document names the database as it was given, and is read again as it was written', () => {
  for (const url of ['postgres://a@b/c', { from_env: 'SVC_GRAPHQL_DATABASE_URL' }]) {
    const written = writeMetadata(initialDocument(url))
    const read = readMetadata(written)
    assert.ok(read.ok)
    assert.deepEqual(writeMetadata(read.document), written)
    assert.match(JSON.stringify(written), url instanceof Object ? /"from_env"/ : /postgres:/)
  }
})

test('without a database nothing is in it', () => {
  assert.equal(initialDocument(null), emptyDocument)
})
