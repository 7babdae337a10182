import {
  address,
  addressText,
  childrenOf,
  equalJson,
  type JsonObject,
  type MetadataObject,
  type ObjectAddress,
  ownKey,
  tableText,
} from '@svc/schema'
import { keptFor } from '../../kept-for.ts'
import type { PermissionConflict } from '../fault.ts'
import type { Model } from '../model.ts'
import type { TableShape } from '../resolve/table-shape.ts'
import { tableIdOf } from '../table-id.ts'
import type { InheritedRole } from './inherited-role.ts'

const written = ['insert_permission', 'update_permission', 'delete_permission'] as const
type Written = (typeof written)[number]

/**
 * Permissions to write that an inherited role has from no parent, since its parents have different ones
 * (reference/permissions#inherited-roles); by a key of its own each. Reported, but no reason to refuse anything. Found
 * when first requested.
 */
export const permissionConflicts = keptFor((model: Model): ReadonlyMap<string, PermissionConflict> => {
  const found = new Map<string, PermissionConflict>()
  if (model.inheritedRoles.size > 0)
    for (const [ownSource, source] of childrenOf(model.input.document, 'source'))
      for (const [own, table] of childrenOf(source, 'table')) {
        const at = address('table', own, address('source', ownSource))
        for (const [key, conflict] of conflictsOf(model, at, source, table)) found.set(key, conflict)
      }
  return found
})

interface Suspect {
  readonly type: Written
  readonly inherited: InheritedRole
}

interface OfTable {
  readonly source: unknown
  readonly roles: ReadonlyMap<string, InheritedRole>
  readonly faults: Model['faults']
  readonly shape: TableShape | undefined
  readonly found: readonly (readonly [key: string, conflict: PermissionConflict])[]
}

const ofTables = new WeakMap<MetadataObject, OfTable>()

/** Those on one table; cached while nothing changes that they depend on. */
function conflictsOf(model: Model, at: ObjectAddress, source: MetadataObject, table: MetadataObject): OfTable['found'] {
  const { inheritedRoles: roles, faults } = model
  const shape = model.graph.nodes.get(tableIdOf(at))?.shape
  const known = ofTables.get(table)
  const place = source.value.name
  const isKept = known?.source === place && known?.roles === roles && known?.faults === faults && known?.shape === shape
  if (known && isKept) return known.found
  const found = suspectsOf(table, roles)
    .filter((one) => conflicting(model, at, table, one))
    .map((one) => [`${addressText(at)} ${one.type} ${one.inherited.role}`, describe(source, table, one)] as const)
  ofTables.set(table, { source: place, roles, faults, shape, found })
  return found
}

/** Where roles somewhere above one have different permissions. */
function suspectsOf(table: MetadataObject, roles: ReadonlyMap<string, InheritedRole>): readonly Suspect[] {
  return written.flatMap((type) => {
    const permissions = new Map([...childrenOf(table, type).values()].map(({ value }) => [String(value.role), value]))
    if (permissions.size < 2) return []
    return [...roles.values()].flatMap((inherited): Suspect[] => {
      if (permissions.has(inherited.role)) return []
      const values = [...inherited.ancestors].flatMap((role) => permissions.get(role)?.permission ?? [])
      return values.some((value) => !equalJson(value, values[0])) ? [{ type, inherited }] : []
    })
  })
}

/** Whether its parents differ in what they may. An inconsistent permission is none, and so is one a parent lacks for the same reason. */
function conflicting(model: Model, at: ObjectAddress, table: MetadataObject, { type, inherited }: Suspect): boolean {
  const permissions = childrenOf(table, type)
  const shape = model.graph.nodes.get(tableIdOf(at))?.shape
  const own = (role: string): JsonObject | null => {
    const key = ownKey(type, { role })
    const object = permissions.get(key)
    if (!object || model.faults.has(addressText(address(type, key, at)))) return null
    return spelledOut(object.value.permission as JsonObject, shape?.columnNames)
  }
  const known = new Map<InheritedRole, readonly JsonObject[]>()
  /** None, the one, or several that differ. */
  const given = (of: InheritedRole): readonly JsonObject[] => {
    const before = known.get(of)
    if (before) return before
    const all = of.parents.flatMap((parent) => {
      const explicit = own(typeof parent === 'string' ? parent : parent.role)
      if (explicit) return [explicit]
      const inheritedOnes = typeof parent === 'string' ? [] : given(parent)
      return inheritedOnes.length === 1 ? inheritedOnes : []
    })
    const distinct = all.filter((one, i) => all.findIndex((other) => equalJson(other, one)) === i)
    known.set(of, distinct)
    return distinct
  }
  return given(inherited).length > 1
}

/** Columns are a set, and `*` is all of them. */
function spelledOut(permission: JsonObject, all: ReadonlySet<string> | undefined): JsonObject {
  const { columns = '*', ...rest } = permission
  if (columns === '*') return { ...rest, columns: all ? [...all].sort() : columns }
  return { ...rest, columns: Array.isArray(columns) ? [...new Set(columns.map(String))].sort() : columns }
}

function describe(source: MetadataObject, table: MetadataObject, { type, inherited }: Suspect): PermissionConflict {
  const kind = type.replace('_permission', '')
  const [name = null, place = null] = [table.value.table, source.value.name]
  const entity = `${kind} permission, table: ${tableText(name)}, source: '${String(place)}'`
  return {
    reason: `Could not inherit permission for the role '${inherited.role}' for the entity: '${entity}'`,
    type: 'inherited role permission inconsistency',
    name: inherited.role,
    entity: { table: tableText(name), source: place, permission_type: kind },
  }
}
