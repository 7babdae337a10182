/** An export as bytes, written in stretches: 8 MB at once kept everyone waiting for 180 ms. */
import { randomUUID } from 'node:crypto'
import {
  childTypesOf,
  type JsonObject,
  type MetadataDocument,
  type MetadataObject,
  sortChildren,
  sortedChildren,
  writeMetadata,
  writeObject,
} from '@svc/schema'
import { WrittenJson } from '../../json-bytes/index.ts'
import type { LongWork } from '../../long-work.ts'

/** By the object, which never changes: after a change only what differs is written again. */
const written = new WeakMap<MetadataObject, Buffer>()

/**
 * `known`: what stands in the place of an object that the caller has already. `around`: what the answer is, of the export.
 * Yields once for some kilobytes.
 */
export function* writeExport(
  document: MetadataDocument,
  known: (object: MetadataObject) => JsonObject | undefined,
  around: (metadata: JsonObject) => JsonObject,
): LongWork<WrittenJson> {
  for (const source of sortedChildren(document, 'source')) for (const type of kept) yield* sortChildren(source, type)
  // all that is short stays in one text, in which each object of a source has a mark in its place
  const mark = randomUUID()
  const marked: MetadataObject[] = []
  const rest = writeMetadata(document, (object) => {
    if (!kept.some((type) => type === object.type)) return undefined
    const own = known(object)
    if (own) return own
    marked.push(object)
    return { [mark]: 0 }
  })
  yield marked.length
  const between = JSON.stringify(around(rest)).split(`{"${mark}":0}`)
  yield between.length
  const pieces: Buffer[] = []
  let waiting: Buffer[] = []
  let size = 0
  for (const [i, text] of between.entries()) {
    const object = marked[i]
    const parts = object ? [Buffer.from(text), bytesOf(object)] : [Buffer.from(text)]
    for (const part of parts) size += part.length
    waiting.push(...parts)
    if (size > PIECE || !object) {
      pieces.push(Buffer.concat(waiting, size))
      waiting = []
      size = 0
    }
    yield 1
  }
  return new WrittenJson(pieces, () => around(writeMetadata(document, known)))
}

/** Of which there may be thousands. */
const kept = childTypesOf('source')

/** Bytes that are sent in one piece. */
const PIECE = 65_536

function bytesOf(object: MetadataObject): Buffer {
  const known = written.get(object)
  if (known) return known
  const bytes = Buffer.from(JSON.stringify(writeObject(object)))
  written.set(object, bytes)
  return bytes
}
