import { ownKey } from '@svc/schema'
import { keptFor } from '../../../kept-for.ts'
import type { PermittedTypes, Presets, ReadyRemote, RemoteTypes } from '../../../remote-schemas/index.ts'
import { adminRole } from '../../../session.ts'
import type { Model } from '../../model.ts'
import { partValue } from '../values.ts'
import { remotePermissionPart } from './remote-permission-part.ts'
import { remoteSchemaId, remoteSchemaPart } from './remote-schema-part.ts'

/** A remote schema as a role sees it; types under upstream names. The same object while neither changes. */
export interface VisibleRemote {
  readonly remote: ReadyRemote
  readonly types: RemoteTypes
  readonly presets: Presets
}

const noPresets: Presets = { args: new Map(), inputs: new Map() }
const whole = keptFor((remote: ReadyRemote): VisibleRemote => ({ remote, types: remote.types, presets: noPresets }))
const permitted = new WeakMap<PermittedTypes, VisibleRemote>()

/**
 * Undefined: it is not served, or the role has no permission and needs one
 * (reference/remote-schemas#permissions-of-roles).
 */
export function visibleRemote(model: Model, role: string, name: string): VisibleRemote | undefined {
  const remote = partValue(model, remoteSchemaPart, remoteSchemaId(name))
  if (!remote) return undefined
  if (role === adminRole || !model.input.settings.remoteSchemaPermissions) return whole(remote)
  const types = permissionOf(model, role, name)
  if (!types) return undefined
  const known = permitted.get(types)
  if (known?.remote === remote) return known
  const made: VisibleRemote = { remote, types, presets: types.presets }
  permitted.set(types, made)
  return made
}

/**
 * A role's own permission, else what the roles it is made of agree on (reference/permissions#rules-of-inherited-roles).
 */
function permissionOf(model: Model, role: string, name: string): PermittedTypes | undefined {
  const own = partValue(model, remotePermissionPart, permissionId(name, role))
  const inherited = model.inheritedRoles.get(role)
  if (own || !inherited) return own
  const ofParents = inherited.parents.flatMap(
    (parent) => permissionOf(model, typeof parent === 'string' ? parent : parent.role, name) ?? [],
  )
  const [first] = ofParents
  return ofParents.every(({ text }) => text === first?.text) ? first : undefined
}

const permissionId = (name: string, role: string): string =>
  `${remoteSchemaId(name)}/${ownKey('remote_schema_permission', { role })}`
