import { selectReadKey } from '../../graph.ts'
import { permissionText } from '../../inherit/write-grant.ts'
import type { TableId } from '../../object-ids.ts'
import { rewritePermission } from '../../rename/rewrite-permission.ts'
import type {
  ResolvedDeletePermission,
  ResolvedInsertPermission,
  ResolvedSelectPermission,
  ResolvedUpdatePermission,
} from '../../resolved-permission.ts'
import type { ResolvedTable } from '../../resolved-rows.ts'
import type { TableParts } from '../../update/model-draft.ts'
import type { KindFacts, Part, Store } from '../part.ts'
import { tableStore } from '../table-store.ts'
import { inPermission, resolveDelete, resolveInsert, resolveSelect, resolveUpdate } from './resolve-permission.ts'
import { samePermission } from './same-permission.ts'

const factsOf = (kind: string): KindFacts => ({
  readKeys: () => [],
  dependentText: ({ above, own }) => `permission ${above}.${own}.${kind}`,
  isCascaded: true,
  rename: (value, { own, names, lookup }) => (own === null ? value : rewritePermission(value, own, names, lookup)),
})

const storeIn = <P>(
  of: (parts: TableParts) => Map<string, P>,
  served: (table: ResolvedTable) => ReadonlyMap<string, P>,
  readKey: (id: TableId, role: string) => string | null = () => null,
): Store<P> =>
  tableStore({
    of,
    get({ tableParts, tables }, id, role) {
      const [parts, table] = [tableParts.get(id), tables.get(id)]
      return (parts ? of(parts) : table && served(table))?.get(role)
    },
    readKey,
    nameOf: ({ value }) => String(value.role),
  })

/**
 * What roles may do with served tables (reference/metadata-operations#permissions-of-tables); permissions stand in
 * their table.
 */
export const selectPermissionPart: Part<ResolvedSelectPermission, 'select_permission'> = {
  key: 'select_permission',
  type: 'select_permission',
  isOfDatabase: true,
  ...factsOf('select'),
  resolve: ({ value }, { table: { shape }, tables }) =>
    inPermission(value.role, shape, () => resolveSelect(value, shape, tables)),
  same: samePermission,
  store: storeIn(
    (parts) => parts.selectPermissions,
    (table) => table.selectPermissions,
    selectReadKey,
  ),
}

export const insertPermissionPart: Part<ResolvedInsertPermission, 'insert_permission'> = {
  key: 'insert_permission',
  type: 'insert_permission',
  isOfDatabase: true,
  ...factsOf('insert'),
  resolve: ({ value }, { table: { shape }, tables }) =>
    inPermission(value.role, shape, () => resolveInsert(value, shape, tables)),
  same: sameText,
  store: storeIn(
    (parts) => parts.insertPermissions,
    (table) => table.insertPermissions,
  ),
}

export const updatePermissionPart: Part<ResolvedUpdatePermission, 'update_permission'> = {
  key: 'update_permission',
  type: 'update_permission',
  isOfDatabase: true,
  ...factsOf('update'),
  resolve: ({ value }, { table: { shape }, tables }) =>
    inPermission(value.role, shape, () => resolveUpdate(value, shape, tables)),
  same: sameText,
  store: storeIn(
    (parts) => parts.updatePermissions,
    (table) => table.updatePermissions,
  ),
}

export const deletePermissionPart: Part<ResolvedDeletePermission, 'delete_permission'> = {
  key: 'delete_permission',
  type: 'delete_permission',
  isOfDatabase: true,
  ...factsOf('delete'),
  resolve: ({ value }, { table: { shape }, tables }) =>
    inPermission(value.role, shape, () => resolveDelete(value, shape, tables)),
  same: sameText,
  store: storeIn(
    (parts) => parts.deletePermissions,
    (table) => table.deletePermissions,
  ),
}

function sameText(a: object, b: object): boolean {
  return permissionText(a) === permissionText(b)
}
