/** An export as bytes, written in stretches: 8 MB at once delayed all other requests by 180 ms. */
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

/**
 * Objects that follow each other, as they were written. Of 9 MB that nothing changed nothing is made again: even that memory, which is not
 * of V8's heap, had V8 collect the whole heap during every few exports.
 */
interface Run {
  readonly objects: readonly MetadataObject[]
  readonly bytes: Buffer
}

/** By their first objects, which never change: after a change only the runs are written again that it is in. */
const written = new WeakMap<MetadataObject, Run>()

/**
 * `known`: what stands in the place of an object that the caller has already. `around`: what the answer is, of the export.
 * Yields once for some kilobytes.
 */
export function* writeExport(
  document: MetadataDocument,
  known: Known,
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
  for (const [i, text] of between.entries()) {
    pieces.push(Buffer.from(text))
    const objects = marked[i] ?? []
    for (let at = 0; at < objects.length; ) {
      if (at > 0) pieces.push(COMMA)
      const run = knownRun(objects, at, known) ?? (yield* writeRun(objects, at, known))
      pieces.push(run.bytes)
      at += run.objects.length
      yield 1
    }
  }
  return new WrittenJson(pieces, () => around(writeMetadata(document, { object: known })))
}

/** Of which there may be thousands. */
const kept = childTypesOf('source')

const COMMA = Buffer.from(',')

/** Bytes of a run. */
const PIECE = 65_536

type Known = (object: MetadataObject) => JsonObject | undefined

function knownRun(objects: readonly MetadataObject[], at: number, known: Known): Run | null {
  const first = objects[at]
  const run = first && written.get(first)
  return run?.objects.every((object, i) => object === objects[at + i] && !known(object)) ? run : null
}

/** Writes objects up to the first of a run that is cached. The run is cached where the client has none of its objects. */
function* writeRun(objects: readonly MetadataObject[], from: number, known: Known): LongWork<Run> {
  const parts: Buffer[] = []
  let size = 0
  let isWhole = true
  let at = from
  for (let object = objects[at]; object && size < PIECE; object = objects[at]) {
    if (at > from && knownRun(objects, at, known)) break
    const own = known(object)
    if (own) isWhole = false
    const part = Buffer.from(`${at > from ? ',' : ''}${JSON.stringify(own ?? writeObject(object))}`)
    parts.push(part)
    size += part.length
    at += 1
    yield 1
  }
  const run = { objects: objects.slice(from, at), bytes: Buffer.concat(parts, size) }
  const [first] = run.objects
  if (first && isWhole) written.set(first, run)
  return run
}
