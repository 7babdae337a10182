import type { Observation } from './observation.ts'
import type { QueryPlanned } from './request-observation.ts'

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
        return { ...o, query: request(o.query), sql: o.sql && maskedArguments(o.sql, names) }
      default:
        return o
    }
  }
}

/** Those that came from a masked variable, or may have. */
const maskedArguments = (sql: NonNullable<QueryPlanned['sql']>, names: ReadonlySet<string>): QueryPlanned['sql'] =>
  Object.fromEntries(
    Object.entries(sql).map(([alias, statement]) => {
      const isMasked = (origin: string | null | undefined) => origin == null || names.has(origin.toLowerCase())
      const values = statement.arguments.map((value, i) => (isMasked(statement.origins[i]) ? mask : value))
      return [alias, { ...statement, arguments: values }]
    }),
  )

const isObject = (json: unknown): json is Json => typeof json === 'object' && json !== null && !Array.isArray(json)
