import {
  defaultKind,
  inheritanceOf,
  isRecord,
  type Json,
  type JsonObject,
  type MetadataDocument,
  type ObjectAddress,
  recordOf,
  recordsIn,
} from '@svc/schema'
import { walkObjects } from '../core/index.ts'

/**
 * A permission that a role has, named as the operation that creates it names it: of a table `source`, `table` and `permission`
 * (`select`), of a function `source` and `function`, of a logical model or a native query
 * `source` and its name, and else the name of what it is for (`action`). Tables and functions are
 * `schema.name`.
 */
export type Permission = Readonly<Record<string, string>> & { readonly role: string }

export interface Coverage {
  readonly declared: number
  /** Those that no operation of a test went by, by role, then in the order of the export. */
  readonly unused: readonly Permission[]
}

/**
 * Which permissions the operations of tests went by. What a role that inherits goes by counts for the roles that it has it from.
 */
export function coverageOf(document: MetadataDocument, used: readonly Permission[]): Coverage {
  const parents = new Map(inheritanceOf(document).order.map(({ role_name: role, role_set: set }) => [role, set]))
  const withParents = (role: string): readonly string[] => [role, ...(parents.get(role) ?? []).flatMap(withParents)]
  const seen = new Set(used.flatMap((use) => withParents(use.role).map((role) => keyOf({ ...use, role }))))
  const declared = declaredPermissions(document)
  return { declared: declared.length, unused: declared.filter((permission) => !seen.has(keyOf(permission))) }
}

const keyOf = (permission: Permission) => JSON.stringify(Object.entries(permission).toSorted())

/** Of sources of PostgreSQL, and of objects outside of sources. */
function declaredPermissions(document: MetadataDocument): readonly Permission[] {
  const found: Permission[] = []
  for (const { object, at, place, sourceKind } of walkObjects(document)) {
    if (sourceKind !== null && sourceKind !== defaultKind) continue
    const names = namesOf(at, place)
    if (names) found.push(permissionOf(names, String(object.value.role)))
    found.push(...inPlace(object.value, { ...place, [at.type]: at.own }))
  }
  return found.toSorted((a, b) => (a.role < b.role ? -1 : Number(a.role > b.role)))
}

/** Those of a query whose rows are described in place. */
const inPlace = ({ returns }: JsonObject, names: JsonObject): readonly Permission[] =>
  recordsIn(recordOf(returns).select_permissions).map(({ role }) => permissionOf(names, String(role)))

/** Null: it is no permission. */
function namesOf({ type, parent }: ObjectAddress, place: JsonObject): JsonObject | null {
  const [, permission = ''] = /^(\w+)_permission$/.exec(type) ?? []
  if (parent?.type === 'table') return permission === '' ? null : { ...place, permission }
  return permission === parent?.type || permission === `${parent?.type}_select` ? place : null
}

export const permissionOf = (names: JsonObject, role: string): Permission => ({
  ...Object.fromEntries(Object.entries(names).map(([key, name]) => [key, nameText(name)])),
  role,
})

const nameText = (name: Json): string => (isRecord(name) ? `${name.schema}.${name.name}` : String(name))
