/**
 * terraform: the provider as Terraform's plugin protocol 6 wants it. Begin at run-plugin.ts (a process's life) and
 * requests/ (one file a request); values/ and protocol/ are what goes over the wire. Everything about metadata is in
 * core; nothing here knows a kind.
 */

export { version } from '../version.ts'
export { loadEncodedSchema, loadReferencePages } from './load.ts'
export type { ReferencePage } from './reference-page.ts'
export { runPlugin } from './run-plugin.ts'
export { PROVIDER_NAME, providerTypes, typeNameOf } from './types.ts'
