import { adminRole, type Session } from '../session.ts'
import { json, plain, type Reply, type Route } from './route.ts'
import type { Services } from './services.ts'

/** The session of a route without authentication. */
export const anonymousAdmin: Session = { role: adminRole, variables: new Map(), backendOnly: false }

/** /healthz, /readyz and /v1/version: without authentication (reference/http#endpoints, reference/http#health). */
export function plainRoutes(services: Services, version: string, isReady: () => boolean): readonly Route[] {
  const shared = { method: 'GET', api: null, authenticated: false, errors: 'api', isProbe: true } as const
  const health = async (query: URLSearchParams): Promise<Reply> => {
    const strict = query.get('strict') === 'true'
    const { reachable, consistent, notServed, withheld } = await services.health()
    if (!reachable) return text('ERROR', 500)
    const away = query.get('sources') === 'true' ? await services.unreachableSources() : []
    if (away.length > 0) return text(`ERROR: sources cannot be reached: ${away.join(', ')}`, 500)
    if (consistent && strict && notServed.length > 0)
      return text(`ERROR: inconsistent objects in schema: ${notServed.join(', ')}`, 500)
    if (!consistent && strict) return text('ERROR: inconsistent objects in schema', 500)
    const warnings = [
      ...(consistent ? [] : ['inconsistent objects in schema']),
      ...(withheld === null ? [] : [withheld]),
    ]
    return text(warnings.length === 0 ? 'OK' : `WARN: ${warnings.join('; ')}`, 200)
  }
  return [
    ...['/healthz', '/svc/healthz', '/hasura/healthz'].map(
      (path): Route => ({ ...shared, path, answer: ({ query }) => health(query) }),
    ),
    { ...shared, path: '/readyz', answer: () => (isReady() ? text('OK', 200) : text('STOPPING', 503)) },
    { ...shared, path: '/v1/version', answer: () => json({ version, server_type: 'ce' }) },
  ]
}

const text = (body: string, status: number): Reply => plain([Buffer.from(body)], 'text/plain; charset=utf-8', status)
