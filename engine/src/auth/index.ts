/**
 * auth: a request's headers -> Session. Begin at authenticate.ts.
 * Imports errors and session. Knows no HTTP but header names.
 */
export { type Authenticator, type AuthSettings, authenticator } from './authenticate.ts'
export { isLocalHost } from './local-host.ts'
export { type Headers, headerText } from './session-variables.ts'
