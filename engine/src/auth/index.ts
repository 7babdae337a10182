/**
 * auth: a request's headers -> Session. Begin at authenticate.ts.
 * Imports errors and session. Knows no HTTP but header names.
 */
export { type AuthSettings, authenticator } from './authenticate.ts'
export type { Authenticate, Authentication, AuthenticationRequest } from './authentication.ts'
export { isLocalHost } from './local-host.ts'
export { type Headers, headerText } from './session-variables.ts'
