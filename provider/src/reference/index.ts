/**
 * reference: metadata of the reference engine as this engine's. Begin at rename-metadata.ts. Imports client and directory.
 */
export { type ReferenceMetadata, readReferenceDirectory, readReferenceEngine } from './read-reference.ts'
export type { ReferenceMigration } from './reference-migrations.ts'
export { type Renamed, renameMetadata } from './rename-metadata.ts'
export { translateMetadata } from './translate-metadata.ts'
