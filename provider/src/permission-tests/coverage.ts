import { defaultKind, inheritanceOf, isRecord, type Json, type MetadataDocument } from '@svc/schema'
import { walkObjects } from '../core/index.ts'

const kinds = ['select', 'insert', 'update', 'delete'] as const

/** A permission that a role has on a table. */
export interface Permission {
  readonly source: string
  /** `schema.name` */
  readonly table: string
  readonly role: string
  readonly permission: (typeof kinds)[number]
}

export interface Coverage {
  readonly declared: number
  /** Those that no operation of a test went by, by role, table and operation. */
  readonly unused: readonly Permission[]
}

/**
 * Which permissions of tables the operations of tests went by. What a role that inherits goes by counts for the roles that it
 * has it from.
 */
export function coverageOf(document: MetadataDocument, used: readonly Permission[]): Coverage {
  const parents = new Map(inheritanceOf(document).order.map(({ role_name: role, role_set: set }) => [role, set]))
  const withParents = (role: string): readonly string[] => [role, ...(parents.get(role) ?? []).flatMap(withParents)]
  const seen = new Set(used.flatMap((use) => withParents(use.role).map((role) => keyOf({ ...use, role }))))
  const declared = declaredPermissions(document)
  return { declared: declared.length, unused: declared.filter((permission) => !seen.has(keyOf(permission))) }
}

const keyOf = ({ source, table, role, permission }: Permission) => JSON.stringify([source, table, role, permission])

/** Of the tables of PostgreSQL, by role, table and operation. */
function declaredPermissions(document: MetadataDocument): readonly Permission[] {
  const found: Permission[] = []
  for (const { object, at, place, sourceKind } of walkObjects(document)) {
    const permission = kinds.find((kind) => at.type === `${kind}_permission`)
    if (permission === undefined || sourceKind !== defaultKind) continue
    const { source = null, table = null } = place
    found.push({ source: String(source), table: tableName(table), role: String(object.value.role), permission })
  }
  const order = ({ role, table, permission }: Permission) => `${role}\0${table}\0${kinds.indexOf(permission)}`
  return found.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
}

export function tableName(table: Json): string {
  const { schema = 'public', name = '' } = isRecord(table) ? table : { name: table }
  return `${schema}.${name}`
}
