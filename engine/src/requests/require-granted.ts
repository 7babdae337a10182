/** What an access token may do, judged twice: by what is asked, before it is parsed, and by what it would change. */
import {
  type AccessScope,
  diffDocuments,
  isRecord,
  type MetadataDocument,
  type ObjectAddress,
  ownKey,
} from '@svc/schema'
import { ApiError, Path } from '../errors.ts'
import type { Access } from '../session.ts'
import type { AdminEndpoint } from './answer.ts'
import type { Endpoint, RequestTable } from './request-table.ts'

type Need = AccessScope['allow']

/** What else a scope allows: an apply has to read and to plan. */
const includes: Readonly<Record<Need, readonly Need[]>> = {
  read: ['read'],
  plan: ['plan', 'read'],
  change: ['change', 'plan', 'read'],
  sql: ['sql'],
  events: ['events'],
  explain: ['explain'],
}

const hasScope = ({ scopes }: Access, need: Need): boolean => scopes.some(({ allow }) => includes[allow].includes(need))

/**
 * Throws access-denied 403 for a body, or a member of its bulks, that the token does not allow; what is unknown or no
 * request is not allowed either. Nothing of the arguments but members and sources is looked at.
 */
export function requireGranted(access: Access, table: RequestTable, name: AdminEndpoint, body: unknown): void {
  refuseOwnSecrets(access, body)
  const endpoint = table.endpoints[name]
  const isDry = name === '/v1/metadata' && isRecord(body) && isDryRun(body.dry_run)
  const open: unknown[] = [body]
  while (open.length > 0) {
    const request = open.pop()
    const type = isRecord(request) ? request.type : undefined
    if (!isRecord(request) || typeof type !== 'string') throw adminOnly(access)
    if (endpoint.bulks.has(type)) {
      if (!Array.isArray(request.args)) throw adminOnly(access)
      for (const member of request.args) open.push(member)
      continue
    }
    const need = needOf(endpoint, type, isDry)
    if (need === null) throw adminOnly(access)
    requireScope(access, need)
    if (need === 'sql') requireSource(access, request.args)
  }
}

/** Throws access-denied 403 where none of the token's scopes allows it. */
export function requireScope(access: Access, need: Need): void {
  if (!hasScope(access, need)) throw denied(access, `it needs the scope "${need}"`)
}

/** Settings that hold the engine's own secrets: a header that metadata takes from them is sent to any URL, by a dry run too. */
const ownSecret = /(SVC|HASURA)_GRAPHQL_\w*(SECRET|KEY|TOKEN|PASSWORD|CREDENTIAL|URL)/i

/** A source may still be connected by one: `from_env` is sent nowhere else. */
function refuseOwnSecrets(access: Access, body: unknown): void {
  const open: unknown[] = [body]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string' && ownSecret.test(value))
      throw denied(access, 'it names a setting that holds a secret of the engine')
    if (typeof value !== 'object' || value === null) continue
    for (const [key, part] of Object.entries(value)) if (key !== 'from_env') open.push(part)
  }
}

const isDryRun = (given: unknown): boolean => given === true || isRecord(given)

function needOf(endpoint: Endpoint, type: string, isDry: boolean): Need | null {
  if (endpoint.operation(type, 1) || endpoint.operation(type, 2)) return isDry ? 'plan' : 'change'
  if (endpoint.reloads && (type === 'reload_metadata' || type === 'reload_remote_schema'))
    return isDry ? 'plan' : 'change'
  if (endpoint.stored.has(type)) return isDry ? 'plan' : 'change'
  if (endpoint.runSql.has(type)) return 'sql'
  return endpoint.read(type, 1)?.scope ?? null
}

/** SQL is refused where all scopes that allow it name other sources. */
function requireSource(access: Access, args: unknown): void {
  const source = isRecord(args) ? (args.source ?? 'default') : null
  const isOpen = access.scopes.some(
    ({ allow, sources }) =>
      allow === 'sql' && (sources === undefined || (typeof source === 'string' && sources.includes(source))),
  )
  if (!isOpen) throw denied(access, 'its scope "sql" is for other sources')
}

/**
 * Throws access-denied 403 where one document differs from the other in an object that no scope for changes allows: what
 * an operation takes along counts as what it names.
 */
export function requireChangesGranted(
  access: Access,
  before: MetadataDocument,
  after: MetadataDocument,
  path: Path,
): void {
  const scopes = access.scopes.filter(({ allow }) => allow === 'change')
  if (scopes.some(({ sources, kinds, roles }) => !sources && !kinds && !roles)) return
  for (const { address } of diffDocuments(before, after))
    if (!scopes.some((scope) => covers(scope, address)))
      throw denied(access, `its scopes allow no change of this ${address.type.replaceAll('_', ' ')}`, path)
}

const covers = ({ sources, kinds, roles }: AccessScope, address: ObjectAddress): boolean =>
  (sources === undefined || isIn(sources, 'source', 'name', sourceOf(address))) &&
  (kinds === undefined || kinds.includes(address.type)) &&
  (roles === undefined || isOfRole(roles, address))

function isOfRole(roles: readonly string[], address: ObjectAddress): boolean {
  if (address.type.endsWith('_permission')) return isIn(roles, address.type, 'role', address)
  return address.type === 'inherited_role' && isIn(roles, 'inherited_role', 'role_name', address)
}

const isIn = (
  names: readonly string[],
  type: ObjectAddress['type'],
  key: string,
  address: ObjectAddress | null,
): boolean => address !== null && names.some((name) => ownKey(type, { [key]: name }) === address.own)

function sourceOf(address: ObjectAddress): ObjectAddress | null {
  if (address.type === 'source') return address
  return address.parent && sourceOf(address.parent)
}

const adminOnly = (access: Access) => denied(access, 'that takes the admin secret')

const denied = ({ name }: Access, why: string, path = Path.root) =>
  new ApiError('access-denied', path, `the access token "${name}" does not allow this: ${why}`, { status: 403 })
