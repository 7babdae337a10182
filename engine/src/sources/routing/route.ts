import { ApiError, Path } from '../../errors.ts'
import type { HttpHeader } from '../../http-client/index.ts'
import type { Session } from '../../session.ts'
import { evaluateTemplate, type Template, type TemplateValue } from '../../templates/index.ts'

/** Where a connection template sends a request (docs/routing.md). */
export type Route =
  | { readonly to: 'default' }
  | { readonly to: 'primary' }
  | { readonly to: 'read_replicas' }
  | { readonly to: 'connection_set'; readonly member: string }

export type OperationType = 'query' | 'mutation' | 'subscription'

/** Who asks for what. */
export interface RoutedRequest {
  readonly session: Pick<Session, 'variables'>
  readonly headers: readonly HttpHeader[]
  readonly type: OperationType
  readonly name: string | null
}

/**
 * What a template gives for a request. Throws ApiError, unexpected with status 500: the template is the server's, not the
 * client's; what is wrong with it is `internal`.
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
  const byName = new Map([...members].map((member) => [member, { [KIND]: 'connection_set', [MEMBER]: member }]))
  const context = {
    request,
    primary: { [KIND]: 'primary' },
    read_replicas: { [KIND]: 'read_replicas' },
    default: { [KIND]: 'default' },
    connection_set: ownless([...byName]),
  }
  const bindings = { variables: new Map([['$', context]]), functions: new Map() }
  const result = evaluateTemplate(template, bindings)
  if (result.kind === 'error') throw failed({ ...result.error })
  const { value } = result
  if (typeof value === 'object' && value !== null && KIND in value) {
    const kind = value[KIND]
    switch (kind) {
      case 'primary':
      case 'read_replicas':
      case 'default':
        return { to: kind }
      case 'connection_set':
        return { to: kind, member: String(value[MEMBER as keyof typeof value]) }
    }
  }
  const names = ['$.primary', '$.read_replicas', '$.default', '$.connection_set.<name>'].join(', ')
  throw failed({ message: `the template has to give one of ${names}` })
}

/** Keys of no JSON text: what a request brings is never taken for a connection. */
const KIND = '\u0000kind'
const MEMBER = '\u0000member'

const ownless = <Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> =>
  Object.assign(Object.create(null), Object.fromEntries(entries))

const failed = (internal: unknown) =>
  new ApiError('unexpected', Path.root, 'the connection template of the source gives no connection', {
    status: 500,
    internal,
  })
