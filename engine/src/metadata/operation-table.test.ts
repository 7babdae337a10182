import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postgres } from '../backends/index.ts'
import { operationTable } from './operation-table.ts'

const { metadata: metadataOperation, query: queryOperation, types: operationTypes } = operationTable(postgres.kinds)

const inSources = operationTypes.filter((type) => type.startsWith('pg_'))

test('every operation of /v1/metadata is found by its name, and in a source by the prefix postgres_ too', () => {
  for (const type of operationTypes) assert.equal(metadataOperation(type, 1)?.type, type)
  for (const type of inSources) assert.equal(metadataOperation(type.replace('pg_', 'postgres_'), 1)?.type, type)
})

test('operations on sources need no prefix: they are those of the first kind', () => {
  for (const type of inSources) {
    const found = metadataOperation(type.replace('pg_', ''), 1)?.type
    assert.equal(found, type)
  }
})

test('/v1/query knows no prefix, no source and no list of tables', () => {
  for (const type of inSources) assert.equal(queryOperation(type, 1), undefined)
  for (const type of ['add_source', 'drop_source', 'track_tables', 'untrack_tables'])
    assert.equal(queryOperation(type, 1), undefined)
  assert.equal(queryOperation('drop_relationship', 1)?.type, 'pg_drop_relationship')
})

test('replace_metadata has two versions, on /v1/query too', () => {
  for (const find of [metadataOperation, queryOperation])
    for (const version of [1, 2] as const) assert.equal(find('replace_metadata', version)?.type, 'replace_metadata')
})

test('only a few operations have a second version', () => {
  const second = operationTypes.filter((type) => metadataOperation(type, 2))
  assert.deepEqual(second, ['replace_metadata'])
  const older = inSources.map((type) => type.replace('pg_', '')).filter((type) => queryOperation(type, 2))
  assert.deepEqual(older.toSorted(), ['set_table_custom_fields', 'track_function', 'track_table'])
})

test('names that objects have by nature are no operations', () => {
  for (const type of ['constructor', '__proto__', 'toString', ''])
    assert.deepEqual([metadataOperation(type, 1), queryOperation(type, 1)], [undefined, undefined])
})
