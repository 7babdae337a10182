import {
  equalJson,
  findObject,
  isDefaultObject,
  type JsonObject,
  type MetadataDocument,
  type ObjectAddress,
  putObject,
  removeObject,
  setValue,
} from '@svc/schema'
import type { Applied } from './operation.ts'

/** The document with an object of that value and nothing below it. */
export const withNew = (document: MetadataDocument, at: ObjectAddress, value: JsonObject): Applied => ({
  document: putObject(document, at, { type: at.type, value, children: {} }),
  touched: [at],
})

/** The document with the object's value replaced, or the same document where it has that value. What is below it remains. */
export function withValue(document: MetadataDocument, at: ObjectAddress, value: JsonObject): Applied {
  const known = findObject(document, at)
  return { document: known && equalJson(known.value, value) ? document : setValue(document, at, value), touched: [at] }
}

/** Sets an object that exists at most once; a value that says no more than its absence is removed. */
export const withSetting = (document: MetadataDocument, at: ObjectAddress, value: JsonObject): Applied =>
  isDefaultObject(at.type, value) ? withoutObject(document, at) : withValue(document, at, value)

/** The document without the object and what is below it, or the same document where it is not there. */
export const withoutObject = (document: MetadataDocument, at: ObjectAddress): Applied => ({
  document: findObject(document, at) ? removeObject(document, at) : document,
  touched: [at],
})
