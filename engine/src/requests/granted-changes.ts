/** What the scopes of an access token allow, and which objects those for changes cover (docs/access-tokens.md#scopes). */
import {
  type AccessScope,
  diffDocuments,
  type MetadataDocument,
  type ObjectAddress,
  objectKinds,
  ownKey,
} from '@svc/schema'
import { ApiError, Path } from '../errors.ts'
import type { Access } from '../session.ts'

export type Need = AccessScope['allow']

/** What else a scope allows: an apply has to read and to plan. */
const includes: Readonly<Record<Need, readonly Need[]>> = {
  read: ['read'],
  plan: ['plan', 'read'],
  change: ['change', 'plan', 'read'],
  sql: ['sql'],
  events: ['events'],
  explain: ['explain'],
  break_glass: ['break_glass'],
}

export const hasScope = ({ scopes }: Access, need: Need): boolean =>
  scopes.some(({ allow }) => includes[allow].includes(need))

/** Throws access-denied 403 where none of the token's scopes allows it. */
export function requireScope(access: Access, need: Need): void {
  if (!hasScope(access, need)) throw denied(access, `it needs the scope "${need}"`)
}

/** Throws access-denied 403 where none of the token's scopes allows to explain as the role. */
export function requireExplainedRole(access: Access, role: string): void {
  const isOpen = access.scopes.some(({ allow, roles }) => allow === 'explain' && (!roles || roles.includes(role)))
  if (!isOpen) throw denied(access, 'its scope "explain" is for other roles')
}

/**
 * Throws access-denied 403 where one document differs from the other in an object that no scope for changes allows: what
 * an operation deletes with an object counts as what it names.
 */
export function requireChangesGranted(
  access: Access,
  before: MetadataDocument,
  after: MetadataDocument,
  owner: string | null,
  pathOf: (at: ObjectAddress) => Path,
): void {
  requireObjectsGranted(access, () => diffDocuments(before, after).map(({ address }) => address), owner, pathOf)
}

/** Throws access-denied 403 for objects that no scope allows to change. `owner`: that the request writes for. */
export function requireObjectsGranted(
  access: Access,
  addresses: () => readonly ObjectAddress[],
  owner: string | null,
  pathOf: (at: ObjectAddress) => Path,
): void {
  const all = access.scopes.filter(({ allow }) => allow === 'change')
  const scopes = all.filter(({ owners }) => !owners || (owner !== null && owners.includes(owner)))
  if (scopes.some(({ sources, kinds, roles }) => !sources && !kinds && !roles)) return
  for (const address of addresses())
    if (!scopes.some((scope) => covers(scope, address)))
      throw denied(access, `its scopes allow no change of this ${address.type.replaceAll('_', ' ')}`, pathOf(address))
}

/** What reaches further than its source has to be named by a limited scope. */
const covers = ({ sources, kinds, roles }: AccessScope, address: ObjectAddress): boolean =>
  (kinds !== undefined || !objectKinds[address.type].reachesFurther) &&
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

export const denied = ({ name }: Access, why: string, path = Path.root) =>
  new ApiError('access-denied', path, `the access token "${name}" does not allow this: ${why}`, { status: 403 })
