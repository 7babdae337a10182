import { childrenOf, type MetadataDocument, type MetadataObject } from './document.ts'
import type { JsonObject } from './json.ts'
import { hashedTypes } from './object-kinds.ts'

/** The hash of an object's export form: SHA-256 in base64url of its compact JSON. */
export const hashOfExport = (json: JsonObject): string => hashOfText(JSON.stringify(json))

/** The same where that JSON is at hand. Hashing is Node's: a page of a browser, which the rest of this package runs in, has none. */
export const hashOfText = (json: string): string =>
  process.getBuiltinModule('node:crypto').hash('sha256', json, 'base64url')

/** Each object that has a hash, with its source. */
export function* hashedObjects(
  document: MetadataDocument,
): Generator<{ readonly source: MetadataObject; readonly object: MetadataObject }> {
  for (const source of childrenOf(document, 'source').values())
    for (const type of hashedTypes) for (const object of childrenOf(source, type).values()) yield { source, object }
}
