import { answerAllowance } from '../execute/index.ts'
import { matchEndpoint, readBody, readVariables } from '../rest/index.ts'
import { requireAdmin } from './admin-routes.ts'
import { isLongBody, parseJson, parseLongJson } from './read-body.ts'
import { json, type Reply, type Route, type RouteRequest } from './route.ts'
import type { Services } from './services.ts'

const prefix = '/api/rest/'

export interface RestRouteSettings {
  readonly maxResponseSize: number
  readonly maxGraphqlValues: number
}

/** REST endpoints and their OpenAPI document (reference/stored-queries). */
export function restRoutes(services: Services, settings: RestRouteSettings): readonly Route[] {
  const shared = { api: null, authenticated: true, errors: 'api', takesDrafts: true } as const
  return [
    {
      ...shared,
      path: '/api/swagger/json',
      method: 'GET',
      answer: async ({ session, headers }) => {
        requireAdmin(session)
        return json(await services.openApi(headers))
      },
    },
    { ...shared, path: `${prefix}*`, method: '*', answer: (asked) => answerEndpoint(asked, services, settings) },
  ]
}

async function answerEndpoint(asked: RouteRequest, services: Services, settings: RestRouteSettings): Promise<Reply> {
  await services.limits.countRequest(asked.session, asked.address)
  const path = asked.path.slice(prefix.length)
  const { endpoint, variables: inPath } = matchEndpoint(await services.restEndpoints(asked.headers), asked.method, path)
  const contentType = asked.headers['content-type']
  const { body, form } = await readBody(
    asked.bytes,
    typeof contentType === 'string' ? contentType : undefined,
    (bytes) =>
      isLongBody(bytes) ? parseLongJson(bytes, settings.maxGraphqlValues) : parseJson(bytes, settings.maxGraphqlValues),
  )
  const query = new Map([...form, ...asked.query])
  const variables = readVariables(endpoint, { path: inPath, body, query })
  const answerSize = answerAllowance(settings.maxResponseSize)
  const { session, requestId, signal, headers } = asked
  const operation = { query: endpoint.query, variables }
  const answer = await services.graphql(operation, { session, requestId, signal, answerSize, api: 'graphql', headers })
  return { status: 200, body: dataOf(answer.body), mode: 'single', error: null }
}

const opening = Buffer.from('{"data":')

/** The value of `data` of a response body, which has no other key. */
function dataOf(body: readonly Buffer[]): readonly Buffer[] {
  const [first, ...others] = body
  if (!first?.subarray(0, opening.length).equals(opening)) return body
  const parts = [first.subarray(opening.length), ...others]
  const last = parts.pop()
  return last ? [...parts, last.subarray(0, -1)] : parts
}
