import type { Authenticate } from '../auth/index.ts'
import type { ServerConfig } from '../config/index.ts'
import { ApiError, Path } from '../errors.ts'
import { isRawNumber } from '../exact-json/index.ts'
import { answerAllowance, isSubscription, type LogQuery, notThrough, parseGraphqlRequest } from '../execute/index.ts'
import { draftHeader, type Services } from '../http/index.ts'
import type { Observer } from '../observe/index.ts'
import type { Subscriptions } from '../subscriptions/index.ts'
import { withTrace } from '../tracing/index.ts'
import type { WebsocketServices } from '../websocket/index.ts'
import { clientHeaders } from './client-headers.ts'
import { graphqlSettings } from './graphql-settings.ts'

/** Returns the services of websockets: for queries and mutations the same as those of HTTP. */
export function websocketServices(
  config: ServerConfig,
  services: Services,
  subscriptions: Subscriptions,
  authenticate: Authenticate,
  observer: Observer,
): WebsocketServices {
  const settings = graphqlSettings(config)
  return {
    authenticate,
    start: async ({ payload, session, address, requestId, headers, signal, api, maySubscribe }, events, begun) => {
      await services.limits.countRequest(session, address)
      const request = parseGraphqlRequest(payload)
      if (isSubscription(request, settings)) {
        if (headers[draftHeader] !== undefined) throw notThrough('subscriptions')
        if (!maySubscribe) throw tooManySubscriptions(config)
        checkValuesSize(request.variables, config)
        services.limits.checkOperation(session.role, request)
        const logQuery: LogQuery = (asked) =>
          observer.report({ kind: 'query-planned', requestId, role: session.role, query: payload, ...asked })
        const isLogged = config.enabledLogTypes.has('query-log')
        const end = subscriptions.subscribe(
          { request, session, api, clientHeaders: () => clientHeaders(headers) },
          events,
          isLogged ? logQuery : undefined,
        )
        begun()
        return { kind: 'subscription', end }
      }
      const answerSize = answerAllowance(config.maxResponseSize)
      const { body } = await withTrace(headers, () =>
        services.graphql(payload, { session, requestId, signal, answerSize, api, begun, headers }),
      )
      return { kind: 'answer', body }
    },
  }
}

const tooManySubscriptions = ({ websocketMaxSubscriptions: most }: ServerConfig) =>
  Path.root.error('bad-request', `a websocket may have ${most} subscriptions at most (--websocket-max-subscriptions)`)

/** Throws ApiError. */
function checkValuesSize(variables: unknown, { subscriptionMaxValuesSize: most }: ServerConfig): void {
  let size = 0
  const add = (value: unknown): void => {
    if (typeof value === 'string') size += value.length
    else if (Array.isArray(value)) for (const item of value) add(item)
    else if (isRawNumber(value)) size += value.rawJSON.length
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) {
        size += key.length
        add(item)
      }
    else size += 4
  }
  add(variables)
  if (size <= most) return
  const message = `the variables of a subscription may have ${most} characters (--subscription-max-values-size)`
  throw new ApiError('bad-request', Path.root, message)
}
