import { cleanDump, parseDumpRequest } from '../pg-dump/index.ts'
import { requireAdmin } from './admin-routes.ts'
import { json, plain, type Route } from './route.ts'
import type { Services } from './services.ts'

/**
 * What operators request: a dump of a source, the state of subscriptions and plans (reference/http#endpoints,
 * reference/http#pg_dump).
 */
export function operatorRoutes(services: Services): readonly Route[] {
  const shared = { authenticated: true, errors: 'api' } as const
  const dump: Route = {
    ...shared,
    isAudited: true,
    path: '/v1alpha1/pg_dump',
    method: 'POST',
    api: 'pgdump',
    answer: async ({ body, session, signal }) => {
      requireAdmin(session)
      const { options, source, cleanOutput } = parseDumpRequest(body)
      const output = await services.dump(source, options, signal)
      const cleaned = cleanOutput ? [Buffer.from(cleanDump(Buffer.concat(output).toString('utf8')))] : output
      return plain(cleaned, 'application/sql')
    },
  }
  const state = (path: string, api: 'developer' | null, read: () => unknown): Route => ({
    ...shared,
    path,
    method: 'GET',
    api,
    answer: async ({ session }) => {
      requireAdmin(session)
      return json(await read())
    },
  })
  return [
    dump,
    ...['/healthz/sources', '/svc/healthz/sources', '/hasura/healthz/sources'].map((path) =>
      state(path, null, () => services.sourceHealth()),
    ),
    state('/dev/subscriptions', 'developer', () => services.subscriptions(false)),
    state('/dev/subscriptions/extended', 'developer', () => services.subscriptions(true)),
    state('/dev/plan_cache', 'developer', () => null),
  ]
}
