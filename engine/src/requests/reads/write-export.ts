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
  // all that is short remains in one text, in which each list of a source has a mark in its place
  const mark = randomUUID()
  const marked: (readonly MetadataObject[])[] = []
  const rest = writeMetadata(document, {
    list(type, objects) {
      if (!kept.includes(type)) return undefined
      marked.push(objects)
      return [{ [mark]: 0 }]
    },
  })
  yield marked.length
  const between = JSON.stringify(around(rest)).split(`{"${mark}":0}`)
  yield between.length
  const pieces: Buffer[] = []
  let waiting: Buffer[] = []
  let size = 0
  const add = (part: Buffer) => {
    waiting.push(part)
    size += part.length
    if (size > PIECE) end()
  }
  const end = () => {
    pieces.push(Buffer.concat(waiting, size))
    waiting = []
    size = 0
  }
  for (const [i, text] of between.entries()) {
    add(Buffer.from(text))
    for (const [j, object] of (marked[i] ?? []).entries()) {
      if (j > 0) add(COMMA)
      const own = known(object)
      add(own ? Buffer.from(JSON.stringify(own)) : bytesOf(object))
      yield 1
    }
  }
  end()
  return new WrittenJson(pieces, () => around(writeMetadata(document, { object: known })))
}

/** Of which there may be thousands. */
const kept = childTypesOf('source')

const COMMA = Buffer.from(',')

/** Bytes that are sent in one piece. */
const PIECE = 65_536

function bytesOf(object: MetadataObject): Buffer {
  const known = written.get(object)
  if (known) return known
  const bytes = Buffer.from(JSON.stringify(writeObject(object)))
  written.set(object, bytes)
  return bytes
}
