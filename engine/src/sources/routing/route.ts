import { ApiError, Path } from '../../errors.ts'
import type { HttpHeader } from '../../http-client/index.ts'
import type { Session } from '../../session.ts'
import { evaluateTemplate, type Template, type TemplateLimits, type TemplateValue } from '../../templates/index.ts'

/** Where a connection template sends a request (docs/routing.md). */
export type Route =
  | { readonly to: 'default' }
  | { readonly to: 'primary' }
  | { readonly to: 'read_replicas' }
  | { readonly to: 'connection_set'; readonly member: string }

export type OperationType = 'query' | 'mutation' | 'subscription'

/** The request as the template reads it. */
export interface RoutedRequest {
  readonly session: Pick<Session, 'variables'>
  readonly headers: readonly HttpHeader[]
  readonly type: OperationType
  readonly name: string | null
}

/**
 * Returns the connection that a template chooses for a request. Throws ApiError, unexpected with status 500: the
 * template is the server's, not the client's; what is wrong with it is `internal`.
 */
export function routeOf(
  template: Template,
  { session, headers, type, name }: RoutedRequest,
  members: Iterable<string>,
) {
  return resolve(
    template,
    {
      headers: ownless([...headers].map(([key, value]) => [key.toLowerCase(), value])),
      session: ownless([...session.variables]),
      query: { operation_type: type, operation_name: name },
    },
    members,
  )
}

/** `request`: the template's `$.request`. */
export function resolve(template: Template, request: TemplateValue, members: Iterable<string>): Route {
  const routes = new Map<TemplateValue, Route>()
  /** What stands for a connection: only the very value does, whatever a request brings. */
  const standsFor = (route: Route): TemplateValue => {
    const value = { ...route }
    routes.set(value, route)
    return value
  }
  const byName = [...members].map((member) => [member, standsFor({ to: 'connection_set', member })] as const)
  const context = {
    request,
    primary: standsFor({ to: 'primary' }),
    read_replicas: standsFor({ to: 'read_replicas' }),
    default: standsFor({ to: 'default' }),
    connection_set: ownless(byName),
  }
  const bindings = { variables: new Map([['$', context]]), functions: new Map() }
  const result = evaluateTemplate(template, bindings, limits)
  if (result.kind === 'error') throw failed({ ...result.error })
  const route = routes.get(result.value)
  if (route) return route
  const names = ['$.primary', '$.read_replicas', '$.default', '$.connection_set.<name>'].join(', ')
  throw failed({ message: `the template has to give one of ${names}` })
}

/** It is evaluated for each request, while all other requests wait: some 10 ms at most. */
const limits: TemplateLimits = { steps: 20_000, characters: 1_000_000 }

const ownless = <Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> =>
  Object.assign(Object.create(null), Object.fromEntries(entries))

const failed = (internal: unknown) =>
  new ApiError('unexpected', Path.root, 'the connection template of the source gives no connection', {
    status: 500,
    internal,
  })
