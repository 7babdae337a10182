/**
 * remote-schemas: other GraphQL servers whose schemas become part of ours (reference/remote-schemas): their types read
 * from introspection, renamed, and cut down to what a role may use. Begin at read-introspection.ts. Imports errors,
 * http-client. Knows no model and no planner.
 */
export { AwaitedRemotes, RemoteAwaited, type RemoteReader } from './awaited-remotes.ts'
export { checkTypes } from './check-types.ts'
export { type Customization, nameRemote, publicField, publicType, type RemoteNaming } from './customize.ts'
export { fieldKey, type Preset, type Presets } from './permission/preset.ts'
export { type PermittedTypes, readPermission } from './permission/read-permission.ts'
export { possibleTypes } from './possible-types.ts'
export { readIntrospection } from './read-introspection.ts'
export { readJsonAnswer, refuseDeep, transportError } from './remote-answer.ts'
export { type RemoteEndpoint, remoteEndpoint } from './remote-endpoint.ts'
export { RemoteSchemas, type RemoteSchemasOptions, unasked } from './remote-schemas.ts'
export type { ReadyRemote, RemoteState, RemoteStates, UnavailableRemote } from './remote-state.ts'
export * from './remote-types.ts'
