/**
 * schema: the vocabulary of metadata. Begin at object-kinds.ts (what objects there are) and document.ts
 * (a document as a tree of them); read-metadata.ts and write-metadata.ts are its JSON form.
 */
export * from './document.ts'
export type { Json, JsonObject } from './json.ts'
export * from './object-kinds.ts'
export * from './object-name.ts'
