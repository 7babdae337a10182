import assert from 'node:assert/strict'
import { diffDocuments, keyedObject, type MetadataDocument, objectName, readMetadata } from '../schema/src/index.ts'

/** Fails with the objects that differ. The order of a permission's columns says nothing, and sets of tools have none. */
export function assertSameMetadata(actual: unknown, expected: unknown): void {
  const [a, b] = [documentOf(actual), documentOf(expected)]
  const differing = diffDocuments(b, a).map(
    ({ change, address, new: now }) => `${change} ${objectName(keyedObject(now ? a : b, address)).name}`,
  )
  assert.deepEqual(differing, [])
}

function documentOf(metadata: unknown): MetadataDocument {
  const read = readMetadata(
    JSON.parse(JSON.stringify(metadata), (key, json) =>
      key === 'columns' && Array.isArray(json) ? json.toSorted() : json,
    ),
  )
  assert.ok(read.ok)
  return read.document
}
