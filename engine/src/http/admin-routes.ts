import { type AdminEndpoint, requireScope } from '../admin/index.ts'
import { type Headers, headerText } from '../auth/index.ts'
import { ApiError, Path } from '../errors.ts'
import { LateLists } from '../exact-json/index.ts'
import { adminRole, type Session } from '../session.ts'
import { currentTrace } from '../tracing/index.ts'
import { actorOf, RequestRecord } from './audit-entry.ts'
import type { ConfigAnswer } from './config-answer.ts'
import { json, type Route } from './route.ts'
import type { Services } from './services.ts'

/** Of which a document may have thousands of members. */
const listsOfMetadata = new LateLists(['tables'])

/**
 * The metadata API, explain and config (reference/http#endpoints, reference/http#config, reference/queries#explain).
 */
export function adminRoutes(services: Services, configAnswer: ConfigAnswer): readonly Route[] {
  const shared = { authenticated: true, isAudited: true, errors: 'api' } as const

  const metadata = (path: AdminEndpoint): Route => ({
    ...shared,
    takesAccessTokens: true,
    path,
    method: 'POST',
    api: 'metadata',
    lateLists: listsOfMetadata,
    answer: async (asked) => {
      const { requestId, headers, session, body, signal } = asked
      const audit = new RequestRecord(asked)
      const facts = {
        requestId,
        actor: actorOf(session, headerText(headers, 'x-svc-actor')),
        owner: ownerOf(headers),
        breakGlass: headerText(headers, 'x-svc-break-glass')?.slice(0, longestName) ?? null,
        userAgent: headerText(headers, 'user-agent'),
        headers,
        trace: currentTrace,
        audit,
        gone: signal,
      }
      const { status, body: answer, headers: more, changes } = await services.admin(path, body, session, facts)
      return { ...json(answer, status), headers: more, changes, audited: audit.storedEntry }
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
      return json(await services.explain(body, headers, session.access ?? null))
    },
  })

  const config: Route = {
    ...shared,
    path: '/v1alpha1/config',
    method: 'GET',
    api: 'config',
    answer: async ({ session }) => {
      requireAdmin(session)
      return json({
        ...configAnswer,
        events_withheld: configAnswer.events_withheld ?? (await services.health()).withheld,
      })
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

const longestName = 200

/** Throws bad-request for what is no name. */
function ownerOf(headers: Headers): string | null {
  const owner = headerText(headers, 'x-svc-owner')?.trim() ?? ''
  if (owner.length > longestName)
    throw new ApiError('bad-request', Path.root, `x-svc-owner has more than ${longestName} characters`)
  return owner === '' ? null : owner
}

/** Throws access-denied for other roles. */
export function requireAdmin({ role }: Session): void {
  if (role !== adminRole)
    throw new ApiError('access-denied', Path.root, 'You have to be an admin to access this endpoint')
}
