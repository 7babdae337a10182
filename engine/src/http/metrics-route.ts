import { headerText, type SecretMatcher } from '../auth/index.ts'
import { ApiError, Path } from '../errors.ts'
import type { Metrics } from '../metrics/index.ts'
import { requireAdmin } from './admin-routes.ts'
import type { Route } from './route.ts'

/** /v1/metrics for Prometheus: with the metrics secret as bearer token where one is set, else for the admin. */
export function metricsRoutes(metrics: Pick<Metrics, 'text'> | null, isSecret: SecretMatcher | null): readonly Route[] {
  if (!metrics) return []
  return [
    {
      path: '/v1/metrics',
      method: 'GET',
      api: 'metrics',
      authenticated: isSecret === null,
      errors: 'api',
      answer: async ({ headers, session }) => {
        if (isSecret) checkBearer(headerText(headers, 'authorization'), isSecret)
        else requireAdmin(session)
        const { body, contentType } = await metrics.text()
        return { status: 200, body: [Buffer.from(body)], contentType, mode: 'non-graphql', error: null }
      },
    },
  ]
}

function checkBearer(authorization: string | null, isSecret: SecretMatcher): void {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  if (token !== undefined && isSecret(token)) return
  throw new ApiError('access-denied', Path.root, 'the metrics secret is needed as bearer token', { status: 401 })
}
