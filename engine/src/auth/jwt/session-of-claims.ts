import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '@svc/schema'
import { ApiError, type ErrorCode, Path } from '../../errors.ts'
import { ownPrefix, type Session, variableName, withPrefix } from '../../session.ts'
import { isVariable } from '../session-variables.ts'
import { valueAtPath } from './json-path.ts'
import { allowedRolesClaim, type ClaimsPlace, defaultRoleClaim, type Mapped } from './jwt-secret.ts'

type Json = Readonly<Record<string, unknown>>

/** The session's claims, found and not yet checked; undefined is missing. */
interface FoundClaims {
  readonly allowedRoles: unknown
  readonly defaultRole: unknown
  /** By lower-case name. */
  readonly others: ReadonlyMap<string, unknown>
}

/**
 * Returns the session of a verified token; `asked` is the header X-Svc-Role. Throws jwt-invalid-claims,
 * jwt-missing-role-claims, and access-denied for a role that is not among the allowed ones
 * (reference/authentication#jwt).
 */
export function sessionOfClaims(
  payload: Json,
  place: ClaimsPlace,
  asked: string | null,
  prefix: string = ownPrefix,
): Session {
  const { allowedRoles, defaultRole, others } = findClaims(payload, place, prefix)
  const roles = rolesOf(allowedRoles, allowedRolesClaim(prefix))
  const ownRole = roleOf(defaultRole, defaultRoleClaim(prefix), place.kind === 'map' ? 'a role' : 'a single role name')
  const variables = new Map<string, string>()
  for (const [name, value] of others) {
    if (!isVariable(name, prefix)) continue
    if (typeof value !== 'string') throw invalid(`${prefix}* claims: ${expectedText(value)}`)
    variables.set(name, value)
  }
  const role = asked ?? ownRole
  if (!roles.includes(role))
    throw new ApiError('access-denied', Path.root, 'Your requested role is not in allowed roles')
  return { role, variables: variables.set(`${prefix}role`, role), backendOnly: false, ...withPrefix(prefix) }
}

function findClaims(payload: Json, place: ClaimsPlace, prefix: string): FoundClaims {
  if (place.kind !== 'map') return byName(claimsObject(payload, place), prefix)
  const others = [...place.others].map(([name, from]) => {
    const value = mappedValue(payload, from)
    if (value === undefined) throw invalid(`JWT claim from claims_map, "${name}" not found`)
    return [name, value] as const
  })
  return {
    allowedRoles: mappedValue(payload, place.allowedRoles),
    defaultRole: mappedValue(payload, place.defaultRole),
    others: new Map(others),
  }
}

function mappedValue<T>(payload: Json, from: Mapped<T>): unknown {
  if (from.kind === 'literal') return from.value
  const found = valueAtPath(payload, from.path)
  return found ?? from.fallback ?? undefined
}

function claimsObject(payload: Json, place: Exclude<ClaimsPlace, { kind: 'map' }>): Json {
  const isPath = place.kind === 'path'
  const found = isPath ? valueAtPath(payload, place.path) : claimOf(payload, place)
  if (found === undefined)
    throw invalid(
      isPath ? `claims not found at claims_namespace_path: '${place.text}'` : `claims key: '${place.name}' not found`,
    )
  if (place.format === 'json') {
    if (!isRecord(found)) throw invalid('expecting a json object when claims_format is json')
    return found
  }
  if (typeof found !== 'string') throw invalid('expecting a string when claims_format is stringified_json')
  const parsed = parse(found)
  if (!isRecord(parsed))
    throw invalid(
      `expecting stringified json at: '${isPath ? place.text : place.name}', but found: ${found.slice(0, 200)}`,
    )
  return parsed
}

/** Of a token that has both claims only the engine's own is read. */
function claimOf(payload: Json, { name, other }: Extract<ClaimsPlace, { kind: 'namespace' }>): unknown {
  if (Object.hasOwn(payload, name)) return payload[name]
  return other !== undefined && Object.hasOwn(payload, other) ? payload[other] : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Names count in any case. */
function byName(claims: Json, prefix: string): FoundClaims {
  const others = new Map<string, unknown>()
  for (const [given, value] of Object.entries(claims)) {
    const name = variableName(given, prefix) ?? given.toLowerCase()
    if (prefix !== ownPrefix && others.has(name) && !isDeepStrictEqual(others.get(name), value))
      throw invalid(`two values of the claim "${name}"`)
    others.set(name, value)
  }
  const [allowedName, defaultName] = [allowedRolesClaim(prefix), defaultRoleClaim(prefix)]
  const [allowedRoles, defaultRole] = [others.get(allowedName), others.get(defaultName)]
  others.delete(allowedName)
  others.delete(defaultName)
  return { allowedRoles, defaultRole, others }
}

function rolesOf(value: unknown, claim: string): readonly string[] {
  if (value === undefined) throw missing(claim)
  const says = (why: string) => invalid(`invalid "${claim}"; should be a list of roles: ${why}`)
  if (!Array.isArray(value)) throw says(`parsing [] failed, expected Array, but encountered ${kindOf(value)}`)
  return value.map((role: unknown) => {
    if (typeof role !== 'string') throw says(expectedText(role))
    return role
  })
}

function roleOf(value: unknown, claim: string, what: string): string {
  if (value === undefined) throw missing(claim)
  if (typeof value === 'string') return value
  throw invalid(`invalid "${claim}"; should be ${what}: ${expectedText(value)}`)
}

const expectedText = (value: unknown) => `parsing Text failed, expected String, but encountered ${kindOf(value)}`

function kindOf(json: unknown): string {
  if (json === null) return 'Null'
  if (Array.isArray(json)) return 'Array'
  if (typeof json === 'boolean') return 'Boolean'
  if (typeof json === 'number') return 'Number'
  return typeof json === 'string' ? 'String' : 'Object'
}

const refused = (code: ErrorCode, message: string) => new ApiError(code, Path.root, message)
const invalid = (message: string) => refused('jwt-invalid-claims', message)
const missing = (name: string) => refused('jwt-missing-role-claims', `JWT claim does not contain "${name}"`)
