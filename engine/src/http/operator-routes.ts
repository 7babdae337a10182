import { cleanDump, parseDumpRequest } from '../pg-dump/index.ts'
import { requireAdmin } from './admin-routes.ts'
import { json, type Reply, type Route } from './route.ts'
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
      return sql(cleanOutput ? [Buffer.from(cleanDump(Buffer.concat(output).toString('utf8')))] : output)
    },
  }
  const developer = (path: string, read: () => unknown): Route => ({
    ...shared,
    path,
    method: 'GET',
    api: 'developer',
    answer: async ({ session }) => {
      requireAdmin(session)
      return json(await read())
    },
  })
  const sourceHealth = (path: string): Route => ({
    ...shared,
    path,
    method: 'GET',
    api: null,
    answer: async ({ session }) => {
      requireAdmin(session)
      return json(await services.sourceHealth())
    },
  })
  return [
    dump,
    sourceHealth('/healthz/sources'),
    sourceHealth('/svc/healthz/sources'),
    sourceHealth('/hasura/healthz/sources'),
    developer('/dev/subscriptions', () => services.subscriptions(false)),
    developer('/dev/subscriptions/extended', () => services.subscriptions(true)),
    developer('/dev/plan_cache', () => null),
  ]
}

const sql = (body: readonly Buffer[]): Reply => ({
  status: 200,
  body,
  contentType: 'application/sql',
  mode: 'non-graphql',
  error: null,
})
