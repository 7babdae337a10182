import type { Observation } from './observation.ts'

const mask = '***'

type Json = Readonly<Record<string, unknown>>

/**
 * Observations without the values of these variables (lower-case names): session variables, and variables of the GraphQL
 * requests that they hold.
 */
export function maskVariables(names: ReadonlySet<string>): (observation: Observation) => Observation {
  if (names.size === 0) return (observation) => observation
  const masked = <T extends Json>(variables: T): T =>
    Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, names.has(name.toLowerCase()) ? mask : value]),
    ) as T
  const operation = (body: unknown): unknown =>
    isObject(body) && isObject(body.variables) ? { ...body, variables: masked(body.variables) } : body
  const request = (body: unknown): unknown => (Array.isArray(body) ? body.map(operation) : operation(body))
  return (o) => {
    switch (o.kind) {
      case 'request-answered':
        // what was not decoded may hold any of them
        return {
          ...o,
          userVariables: o.userVariables && masked(o.userVariables),
          query: request(o.query),
          rawQuery: null,
        }
      case 'websocket':
        return { ...o, userVariables: o.userVariables && masked(o.userVariables) }
      case 'query-planned':
        return { ...o, query: request(o.query) }
      default:
        return o
    }
  }
}

const isObject = (json: unknown): json is Json => typeof json === 'object' && json !== null && !Array.isArray(json)
