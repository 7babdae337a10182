/**
 * sources: the live connections to the sources that metadata names: connect, introspect, retry with growing pauses.
 * Imports backends, errors, observe and the schema's configuration. Knows no model.
 */
export type { SourceState } from './source-state.ts'
