import type { Json } from '@svc/schema'
import { type AskedPermission, roleSchema } from '../graphql/index.ts'
import type { UsageLog } from '../metadata/index.ts'
import type { Model, ResolvedRows, ResolvedTable, TableId } from '../model/index.ts'
import { adminRole } from '../session.ts'

/** What of metadata no operation requested in the last days. */
export async function unused(model: Model, log: Pick<UsageLog, 'roleParts'>, days: number): Promise<Json> {
  const used = new UsedPermissions(model, await log.roleParts(days, null))
  const tables: Json[] = []
  const permissions: Json[] = []
  const seen: SeenTable[] = []
  for (const [id, table] of model.tables) {
    const named = { source: table.source, table: { ...table.table } }
    if (!used.tables.has(id)) tables.push(named)
    for (const [permission, roles] of permissionsOf(table))
      for (const role of roles.keys())
        if (!used.has(role, permission, id)) permissions.push({ ...named, role, permission })
        else if (permission === 'select') seen.push({ role, id, table })
  }
  return {
    roles: [...model.roles].filter((role) => role !== adminRole && !used.roles.has(role)).sort(),
    tables,
    permissions,
    fields: await unusedFields(model, seen, log, days),
  }
}

interface SeenTable {
  readonly role: string
  readonly id: TableId
  readonly table: ResolvedRows
}

/** Fields of the row types of tables that a role reads: of those that it does not read nothing is used. */
async function unusedFields(
  model: Model,
  seen: readonly SeenTable[],
  log: Pick<UsageLog, 'roleParts'>,
  days: number,
): Promise<Json> {
  const types = seen.flatMap(({ table }) => table.graphqlName ?? [])
  const asked = new Set(
    (types.length > 0 ? await log.roleParts(days, [...new Set(types)]) : []).flatMap(({ role, of, name }) =>
      usersOf(model, role).map((one) => `${one} ${of} ${name}`),
    ),
  )
  return seen.flatMap(({ role, id, table }): readonly Json[] => {
    const row = roleSchema(model, role).tableTypes(id)?.row()
    if (!row) return []
    const fields = [...row.fields.values()]
      .map(({ name }) => name)
      .filter((name) => !asked.has(`${role} ${row.name} ${name}`))
    return fields.length === 0
      ? []
      : [{ role, source: table.source, table: { ...table.table }, type: row.name, fields: fields.sort() }]
  })
}

/** The roles that something is used as: a role that inherits another one uses its permissions. */
const usersOf = (model: Model, role: string): readonly string[] => [
  role,
  ...(model.inheritedRoles.get(role)?.ancestors ?? []),
]

class UsedPermissions {
  readonly roles = new Set<string>()
  readonly tables = new Set<TableId>()
  readonly #keys = new Set<string>()

  constructor(model: Model, parts: Awaited<ReturnType<UsageLog['roleParts']>>) {
    for (const { role, kind, of } of parts) {
      this.tables.add(of)
      for (const one of usersOf(model, role)) {
        this.roles.add(one)
        this.#keys.add(`${kind} ${of} ${one}`)
      }
    }
  }

  has(role: string, permission: AskedPermission, table: TableId): boolean {
    return this.#keys.has(`${permission} ${table} ${role}`)
  }
}

const permissionsOf = (table: ResolvedTable): readonly (readonly [AskedPermission, ReadonlyMap<string, unknown>])[] => [
  ['select', table.selectPermissions],
  ['insert', table.insertPermissions],
  ['update', table.updatePermissions],
  ['delete', table.deletePermissions],
]
