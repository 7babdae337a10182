import { type Model, type ResolvedRows, type ResolvedTable, rowsOf, type TableId } from '../../model/index.ts'
import { type NamedTypes, namedTypes } from './named-types.ts'
import { type RoleTable, roleTable } from './role-table.ts'
import { type WriteTable, writeTable } from './write-table.ts'

/** Cached per resolved table, so a change of the model drops only what it changed. */
const roleTables = new WeakMap<ResolvedRows, Map<string, RoleTable>>()

/** A table as the role sees it in this model. */
export function visibleTable(model: Model, role: string, id: TableId): RoleTable | undefined {
  const table = rowsOf(model, id)
  const types = table && typeSystem(model, table)
  if (!types) return undefined
  const inherited = model.inheritedRoles.get(role)
  const ofRoles = roleTables.get(table) ?? new Map<string, RoleTable>()
  const known = ofRoles.get(role)
  if (known && known.types === types && known.inherited === inherited) return known
  const made = roleTable(table, role, types, inherited)
  if (made) roleTables.set(table, ofRoles.set(role, made))
  return made
}

/** A table as a role may read and write it, whether or not GraphQL shows it. */
export interface RowAccess {
  readonly table: ResolvedTable
  readonly select: RoleTable | undefined
  readonly write: WriteTable | undefined
}

/**
 * What a role may do with a table by the row API (reference/row-api), which takes tables without a GraphQL name too.
 */
export function rowAccess(model: Model, role: string, id: TableId, backendOnly: boolean): RowAccess | undefined {
  const own = model.tables.get(id)
  const types = own && typeSystem(model, own)
  if (!types) return undefined
  if (own.graphqlName !== null) {
    const write = writableTable(model, role, id, backendOnly)
    return { table: own, select: visibleTable(model, role, id), write }
  }
  const table = { ...own, graphqlName: own.table.name }
  const inherited = model.inheritedRoles.get(role)
  const select = roleTable(table, role, types, inherited)
  return { table, select, write: writeTable(table, { role, inherited, backendOnly }, types, select) }
}

const writeTables = new WeakMap<
  ResolvedTable,
  Map<string, { readonly of: WriteTable; readonly visible: RoleTable | undefined }>
>()

/** A table as the role may write to it. */
export function writableTable(model: Model, role: string, id: TableId, backendOnly: boolean): WriteTable | undefined {
  const table = model.tables.get(id)
  const types = table && typeSystem(model, table)
  if (!types) return undefined
  const inherited = model.inheritedRoles.get(role)
  const visible = visibleTable(model, role, id)
  const key = `${backendOnly ? 'b' : 'f'}${role}`
  const ofRoles =
    writeTables.get(table) ?? new Map<string, { readonly of: WriteTable; readonly visible: RoleTable | undefined }>()
  const known = ofRoles.get(key)
  if (known && known.visible === visible && known.of.types === types && known.of.select.inherited === inherited)
    return known.of
  const made = writeTable(table, { role, inherited, backendOnly }, types, visible)
  if (made) writeTables.set(table, ofRoles.set(key, { of: made, visible }))
  return made
}

/** How the source of a table shows types; undefined while it has no backend. */
export function typeSystem(model: Model, table: ResolvedRows): NamedTypes | undefined {
  const types = model.input.sources.get(table.source)?.backend?.types
  const arrays = model.input.settings.arraysAreScalars ? 'scalars' : 'lists'
  return types && namedTypes(types, table.naming.convention, arrays)
}

/** Returns whether a role sees its schema (reference/http#limits-and-federation). */
export const introspects = (model: Model, role: string): boolean => !model.introspectionDisabledFor.has(role)
