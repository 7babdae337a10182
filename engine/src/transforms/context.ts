import type { Bindings, TemplateFunction, TemplateValue } from '../templates/index.ts'
import { FunctionFailure } from '../templates/index.ts'
import { queryPairs, splitQuery } from './query-string.ts'

/** Lower-case names. Null where a request has no session: cron triggers and one-off events. */
export type SessionVariables = ReadonlyMap<string, string> | null

/** What the templates of a request see; those of its response see it again as `$request`. */
export interface RequestContext {
  readonly body: TemplateValue
  readonly session_variables: TemplateValue
  readonly base_url: string
  readonly query_params: readonly (readonly [string, string | null])[]
}

/** `baseUrl` is the webhook's URL as configured, its environment references resolved. */
export function requestContext(body: TemplateValue, session: SessionVariables, baseUrl: string): RequestContext {
  return {
    body,
    session_variables: sessionObject(session),
    base_url: baseUrl,
    query_params: queryPairs(splitQuery(baseUrl).query ?? ''),
  }
}

export const sessionObject = (session: SessionVariables): TemplateValue =>
  session === null ? null : Object.fromEntries(session)

/** Variables and functions for the templates of a request (reference/transforms#variables). */
export function requestBindings(context: RequestContext): Bindings {
  return {
    variables: new Map<string, TemplateValue>([
      ['$body', context.body],
      ['$base_url', context.base_url],
      ['$query_params', context.query_params],
      ['$session_variables', context.session_variables],
    ]),
    functions: sessionFunctions(context.session_variables),
  }
}

export function sessionFunctions(session: TemplateValue): ReadonlyMap<string, TemplateFunction> {
  return new Map([['getSessionVariable', (name) => getSessionVariable(name, session)]])
}

function getSessionVariable(name: TemplateValue, session: TemplateValue): TemplateValue {
  if (name === null) return null
  if (typeof name !== 'string') throw new FunctionFailure('Session variable name should be a string')
  const key = name.toLowerCase()
  const found = typeof session === 'object' && session !== null && Object.hasOwn(session, key) ? session : null
  if (found === null) throw new FunctionFailure(`Session variable "${name}" not found`)
  return (found as Readonly<Record<string, TemplateValue>>)[key] ?? null
}
