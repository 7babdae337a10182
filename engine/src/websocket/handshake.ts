import type { Headers } from '../auth/index.ts'
import { isOriginListed, type ServerConfig } from '../config/index.ts'
import { ApiError, errorBody, Path } from '../errors.ts'
import type { Api } from '../graphql/index.ts'
import type { ErrorShape } from './frames.ts'

/** What a path on websockets serves (reference/websockets#handshake). */
interface Endpoint {
  readonly path: string
  readonly api: Api
  readonly errors: ErrorShape
}

const endpoints: readonly Endpoint[] = [
  { path: '/v1/graphql', api: 'graphql', errors: 'graphql' },
  { path: '/v1alpha1/graphql', api: 'graphql', errors: 'api' },
  { path: '/v1beta1/relay', api: 'relay', errors: 'graphql' },
]

export type HandshakeSettings = Pick<
  ServerConfig,
  'enabledApis' | 'enableRelay' | 'corsDomain' | 'disableCors' | 'wsReadCookie' | 'localPagesOnly'
>

export interface Accepted {
  readonly endpoint: Endpoint
  /** Whether the request's Cookie may authenticate (reference/http#cors). */
  readonly cookies: boolean
}

/** Whether an upgrade is accepted. Throws ApiError: 404 for other paths, 400 for origins that are not allowed. */
export function checkHandshake(path: string, headers: Headers, settings: HandshakeSettings): Accepted {
  const endpoint = endpoints.find((one) => one.path === path)
  if (!endpoint || !settings.enabledApis.has('graphql'))
    throw new ApiError(
      'not-found',
      Path.root,
      "only '/v1/graphql', '/v1alpha1/graphql' and '/v1beta1/relay' are supported on websockets",
      { status: 404 },
    )
  if (endpoint.api === 'relay' && !settings.enableRelay)
    throw new ApiError('not-supported', Path.root, 'The Relay API is disabled. SVC_GRAPHQL_ENABLE_RELAY=true serves it')
  const { origin } = headers
  // a caller that sends none is no page of a browser
  if (typeof origin !== 'string' || settings.localPagesOnly) return { endpoint, cookies: true }
  if (settings.disableCors) return { endpoint, cookies: settings.wsReadCookie }
  if (!isOriginListed(settings.corsDomain, origin))
    throw new ApiError('access-denied', Path.root, 'received origin header does not match configured CORS domains')
  return { endpoint, cookies: true }
}

/** The body of a refused upgrade. */
export function refusalBody(error: ApiError): string {
  const { error: message, ...extensions } = errorBody(error, false)
  return JSON.stringify({ message, extensions })
}
