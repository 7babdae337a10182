/**
 * embedded: the engine's own PostgreSQL, for `--embedded`. Begin at start-embedded.ts.
 * Imports nothing of ours but observe. Knows no metadata and no HTTP.
 */
export { EmbeddedError } from './embedded-error.ts'
export { locateProgramsPackage, type Programs, type ProgramsPackage, preparePrograms } from './programs.ts'
export { type EmbeddedDatabase, type EmbeddedOptions, startEmbedded } from './start-embedded.ts'
