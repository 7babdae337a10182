/**
 * What an access token may do is checked twice: the operations of a request, before it is parsed, and what it would
 * change.
 */
import { isRecord } from '@svc/schema'
import type { Access } from '../session.ts'
import type { AdminEndpoint } from './answer.ts'
import { denied, type Need, requireScope } from './granted-changes.ts'
import type { Endpoint, RequestTable } from './request-table.ts'

/**
 * Throws access-denied 403 for a body, or a member of its bulks, that the token does not allow; what is unknown or no
 * request is not allowed either. Nothing of the arguments but members and sources is read.
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
    if (need === 'sql') requireSource(access, need, sourceIn(request.args, 'default'))
    if (need === 'events')
      requireSource(access, need, endpoint.read(type, 1)?.isOfSource ? sourceIn(request.args, null) : null)
  }
}

/** Settings that hold the engine's own secrets: a header that metadata takes from them is sent to any URL, by a dry run too. */
const ownSecret = /(SVC|HASURA)_GRAPHQL_\w*(SECRET|KEY|TOKEN|PASSWORD|CREDENTIAL|URL|HOOK)/i

/** A source may still be connected by one: `from_env` of its configuration is sent nowhere else. */
function refuseOwnSecrets(access: Access, body: unknown): void {
  const open: unknown[] = [body]
  const ofConfigurations: unknown[] = []
  while (open.length + ofConfigurations.length > 0) {
    const isOfOne = open.length === 0
    const value = isOfOne ? ofConfigurations.pop() : open.pop()
    if (typeof value === 'string' && ownSecret.test(value))
      throw denied(access, 'it names a setting that holds a secret of the engine')
    if (typeof value !== 'object' || value === null) continue
    for (const [key, part] of Object.entries(value))
      if (!isOfOne && key !== 'configuration') open.push(part)
      else if (key !== 'from_env') ofConfigurations.push(part)
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

const sourceIn = (args: unknown, otherwise: string | null): unknown =>
  isRecord(args) ? (args.source ?? otherwise) : otherwise

/** Refuses what all scopes that allow it limit to other sources; what names no source is in none of them. */
function requireSource(access: Access, need: 'sql' | 'events', source: unknown): void {
  const isOpen = access.scopes.some(
    ({ allow, sources }) =>
      allow === need && (sources === undefined || (typeof source === 'string' && sources.includes(source))),
  )
  if (!isOpen) throw denied(access, `its scope "${need}" is for other sources`)
}

const adminOnly = (access: Access) => denied(access, 'that takes the admin secret')
