import { isRecord } from '@svc/schema'
import { ownPrefix, variableName } from '../../session.ts'
import { parseJsonPath } from './json-path.ts'
import {
  allowedRolesClaim,
  type ClaimsPlace,
  defaultNamespace,
  defaultRoleClaim,
  type JwtSecret,
  type Mapped,
  namespaceOfPrefix,
  type TokenPlace,
} from './jwt-secret.ts'
import { type JwtType, jwtTypes, keyOfSetting } from './verification-key.ts'

type Json = Readonly<Record<string, unknown>>

/** SVC_GRAPHQL_JWT_SECRET (reference/authentication#jwt). Throws Error with the reason, which never holds the key. */
export function readJwtSecret(text: string, prefix: string = ownPrefix): JwtSecret {
  return jwtSecretOf(parse(text), prefix)
}

/** SVC_GRAPHQL_JWT_SECRETS: an array of them. */
export function readJwtSecrets(text: string, prefix: string = ownPrefix): readonly JwtSecret[] {
  const list = parse(text)
  if (!Array.isArray(list) || list.length === 0) throw new Error('expected a JSON array of JWT configurations')
  return list.map((json: unknown, index) => {
    try {
      return jwtSecretOf(json, prefix)
    } catch (error) {
      throw new Error(`[${index}]: ${error instanceof Error ? error.message : ''}`)
    }
  })
}

/** JSON.parse quotes what it cannot read. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('is no JSON')
  }
}

function jwtSecretOf(json: unknown, prefix: string): JwtSecret {
  if (!isRecord(json)) throw new Error('expected a JSON object')
  return {
    keys: keysOf(json),
    claims: claimsOf(json, prefix),
    header: headerOf(json.header),
    audience: audienceOf(json.audience),
    issuer: textOrNull(json, 'issuer'),
    allowedSkew: skewOf(json.allowed_skew),
  }
}

function keysOf(json: Json): JwtSecret['keys'] {
  const [type, key, url] = [textOrNull(json, 'type'), textOrNull(json, 'key'), textOrNull(json, 'jwk_url')]
  if (type !== null && !isJwtType(type)) throw new Error(`type: expected one of ${jwtTypes.join(', ')}`)
  if (key !== null && url !== null) throw new Error('key, jwk_url: give one of them, not both')
  if (url !== null) {
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new Error('jwk_url: expected a URL of http or https')
    return { kind: 'url', url }
  }
  if (key === null) throw new Error('key and jwk_url are missing: one of them is needed')
  if (type === null) throw new Error('type is missing')
  return { kind: 'key', key: keyOfSetting(type, key) }
}

const isJwtType = (type: string): type is JwtType => (jwtTypes as readonly string[]).includes(type)

function claimsOf(json: Json, prefix: string): ClaimsPlace {
  const name = textOrNull(json, 'claims_namespace')
  const path = textOrNull(json, 'claims_namespace_path')
  if (name !== null && path !== null)
    throw new Error('claims_namespace, claims_namespace_path: give one of them, not both')
  const format = textOrNull(json, 'claims_format') ?? 'json'
  if (format !== 'json' && format !== 'stringified_json')
    throw new Error('claims_format: expected json or stringified_json')
  if (isGiven(json.claims_map)) return mapOf(json.claims_map, prefix)
  if (path !== null) return { kind: 'path', text: path, path: parseJsonPath(path), format }
  if (name !== null) return { kind: 'namespace', name, format }
  const other = namespaceOfPrefix(prefix)
  return { kind: 'namespace', name: defaultNamespace, ...(other !== null && { other }), format }
}

function mapOf(json: unknown, prefix: string): ClaimsPlace {
  if (!isRecord(json)) throw new Error('claims_map: expected an object')
  const [allowedName, fallbackName] = [allowedRolesClaim(prefix), defaultRoleClaim(prefix)]
  const byName = new Map<string, unknown>()
  for (const [given, value] of Object.entries(json)) {
    const name = variableName(given, prefix)
    if (name === null) throw new Error(`claims_map: ${given}: names of session variables begin with ${prefix}`)
    if (byName.has(name)) throw new Error(`claims_map: ${given}: ${name} is there twice`)
    byName.set(name, value)
  }
  const [allowed, fallback] = [byName.get(allowedName), byName.get(fallbackName)]
  for (const [name, value] of [[allowedName, allowed] as const, [fallbackName, fallback] as const])
    if (value === undefined) throw new Error(`claims_map: ${name} is expected but not present`)
  const others = [...byName]
    .filter(([name]) => name !== allowedName && name !== fallbackName)
    .map(([name, value]) => [name, mapped(name, value, isText)] as const)
  return {
    kind: 'map',
    allowedRoles: mapped(allowedName, allowed, isTextList),
    defaultRole: mapped(fallbackName, fallback, isText),
    others: new Map(others),
    configured: json,
  }
}

function mapped<T>(name: string, json: unknown, fits: (value: unknown) => value is T): Mapped<T> {
  if (fits(json)) return { kind: 'literal', value: json }
  const where = `claims_map: ${name}:`
  if (!isRecord(json) || typeof json.path !== 'string')
    throw new Error(`${where} expected an object with a path, or a literal of the claim's type`)
  const { path, default: fallback } = json
  if (isGiven(fallback) && !fits(fallback)) throw new Error(`${where} default: is not of the claim's type`)
  return { kind: 'path', path: parseJsonPath(path), fallback: fits(fallback) ? fallback : null }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isTextList = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText)
const isGiven = (value: unknown) => value !== undefined && value !== null

function headerOf(json: unknown): TokenPlace {
  if (!isGiven(json)) return { kind: 'authorization' }
  if (!isRecord(json)) throw new Error('header: expected an object')
  const name = textOrNull(json, 'name')
  if (json.type === 'Authorization') return { kind: 'authorization' }
  if (json.type !== 'Cookie' && json.type !== 'CustomHeader')
    throw new Error('header: type: expected Authorization, Cookie or CustomHeader')
  if (name === null || name === '') throw new Error(`header: ${json.type} needs a name`)
  return json.type === 'Cookie' ? { kind: 'cookie', name } : { kind: 'header', name: name.toLowerCase() }
}

function audienceOf(json: unknown): readonly string[] | null {
  if (!isGiven(json)) return null
  if (isText(json)) return [json]
  if (isTextList(json)) return json
  throw new Error('audience: expected a text or a list of texts')
}

function skewOf(json: unknown): number {
  if (!isGiven(json)) return 0
  if (typeof json === 'number' && Number.isInteger(json) && json >= 0) return json
  throw new Error('allowed_skew: expected a whole number of seconds')
}

function textOrNull(json: Json, key: string): string | null {
  const value = json[key]
  if (!isGiven(value)) return null
  if (isText(value)) return value
  throw new Error(`${key}: expected a text`)
}
