/**
 * remote-schemas: other GraphQL servers whose schemas become part of ours (reference/remote-schemas): their types read
 * from introspection, renamed, and cut down to what a role may use. Begin at read-introspection.ts. Imports errors,
 * http-client. Knows no model and no planner.
 */
export { AwaitedRemotes, RemoteAwaited, type RemoteReader } from './awaited-remotes.ts'

export { publicField, publicType } from './customize.ts'
export { fieldKey, type Preset, type Presets } from './permission/preset.ts'
export { type PermittedTypes, readPermission } from './permission/read-permission.ts'
export { possibleTypes } from './possible-types.ts'

export { refuseDeep, transportError } from './remote-answer.ts'
export { type RemoteEndpoint, remoteEndpoint } from './remote-endpoint.ts'
export { RemoteSchemas, type RemoteSchemasOptions, unasked } from './remote-schemas.ts'
export type { ReadyRemote, RemoteState, RemoteStates } from './remote-state.ts'
export * from './remote-types.ts'
