import { type AdminEndpoint, requireScope } from '../admin/index.ts'
import { headerText } from '../auth/index.ts'
import { ApiError, Path } from '../errors.ts'
import { adminRole, type Session } from '../session.ts'
import { currentTrace } from '../tracing/index.ts'
import { json, type Route } from './route.ts'
import type { Services } from './services.ts'

/** Free text (docs/metadata-api.md#what-changed). */
const longestActor = 200

/**
 * The metadata API, explain and config (reference/http#endpoints, reference/http#config, reference/queries#explain).
 */
export function adminRoutes(services: Services, configAnswer: unknown): readonly Route[] {
  const shared = { authenticated: true, errors: 'api' } as const

  const metadata = (path: AdminEndpoint): Route => ({
    ...shared,
    takesAccessTokens: true,
    path,
    method: 'POST',
    api: 'metadata',
    answer: async ({ requestId, headers, session, body, signal }) => {
      const facts = {
        requestId,
        actor: actorOf(session, headerText(headers, 'x-svc-actor')),
        userAgent: headerText(headers, 'user-agent'),
        headers,
        trace: currentTrace,
        gone: signal,
      }
      const { status, body: answer, headers: more } = await services.admin(path, body, session, facts)
      return { ...json(answer, status), headers: more }
    },
    ...(path === '/v1/metadata' && { headers: () => services.adminHeaders() }),
  })

  const explain = (path: string): Route => ({
    ...shared,
    takesAccessTokens: true,
    takesDrafts: true,
    path,
    method: 'POST',
    api: 'metadata',
    answer: async ({ body, session, headers }) => {
      if (session.access) requireScope(session.access, 'explain')
      else requireAdmin(session)
      return json(await services.explain(body, headers))
    },
  })

  const config: Route = {
    ...shared,
    path: '/v1alpha1/config',
    method: 'GET',
    api: 'config',
    answer: ({ session }) => {
      requireAdmin(session)
      return json(configAnswer)
    },
  }

  return [
    metadata('/v1/metadata'),
    metadata('/v1/query'),
    metadata('/v2/query'),
    explain('/v1/graphql/explain'),
    explain('/v1alpha1/graphql/explain'),
    config,
  ]
}

/** Who has an access token is proved, what the request says of itself is a remark, and must not look like a name. */
function actorOf({ access }: Session, given: string | null): string | null {
  const remark = given?.slice(0, longestActor) ?? null
  if (!access) return remark?.replace(/^\s*(token|oidc)\b/i, '"$&"') ?? null
  return remark === null ? access.actor : `${access.actor}: ${remark}`
}

/** Throws access-denied for other roles. */
export function requireAdmin({ role }: Session): void {
  if (role !== adminRole)
    throw new ApiError('access-denied', Path.root, 'You have to be an admin to access this endpoint')
}
