/**
 * auth: from a request to its session (reference/authentication). Begin at auth-mode.ts (settings to mode) and
 * start-authentication.ts (mode to the function that authenticates). Imports errors, session, observe, config,
 * http-client. Knows no HTTP but header names.
 */
export { newAccessToken } from './access-token.ts'
export { type SecretMatcher, secretMatcher } from './admin-secrets.ts'
export { type AuthMode, type AuthSettings, readAuthMode } from './auth-mode.ts'
export type { Authenticate, Authentication } from './authentication.ts'
export { shownJwtSecret } from './jwt/jwt-secret.ts'
export { isLocalHost } from './local-host.ts'
export { type Headers, headerText, ownHeaders } from './session-variables.ts'
export { startAuthentication } from './start-authentication.ts'
