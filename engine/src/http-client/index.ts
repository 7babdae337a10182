/**
 * http-client: every HTTP request that the engine makes itself: handlers of actions, webhooks of triggers, remote
 * schemas, key sets, authentication hooks (reference/actions#webhooks). Begin at http-client.ts. A request is answered
 * by a value, never by an exception: a response of any status, or a failure of a known kind. Imports config's version
 * and observe. Knows no metadata.
 */

export {
  type Environment,
  type EnvironmentReference,
  expandEnvironment,
  type HeaderEntry,
  readEnvironment,
  resolveHeaders,
} from './environment.ts'
export { builtInHeaders, createHttpClient, type HttpClient, type HttpClientOptions } from './http-client.ts'
export type { HttpFailure, HttpHeader, HttpRequest, HttpResponse, HttpResult } from './http-request.ts'
export { clientFacts, notForwarded } from './not-forwarded.ts'
export { shownUrl } from './shown-url.ts'
export type { TlsAllowedHost } from './tls-allowlist.ts'
