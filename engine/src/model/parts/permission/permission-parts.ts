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
import type { KindFacts, Part } from '../part.ts'
import { tableStore } from '../table-store.ts'
import { inPermission, resolveDelete, resolveInsert, resolveSelect, resolveUpdate } from './resolve-permission.ts'
import { samePermission } from './same-permission.ts'

/** The permissions that stand in a table, by where. */
interface Permissions {
  readonly selectPermissions: ResolvedSelectPermission
  readonly insertPermissions: ResolvedInsertPermission
  readonly updatePermissions: ResolvedUpdatePermission
  readonly deletePermissions: ResolvedDeletePermission
}

type InTable = { readonly [K in keyof Permissions]: ReadonlyMap<string, Permissions[K]> }
type InParts = { readonly [K in keyof Permissions]: Map<string, Permissions[K]> }

/** Returns what all kinds of permissions have in common. `kind`: in the texts of dependents. */
const permissionsIn = <K extends keyof Permissions>(
  key: K,
  kind: string,
  readKey: (id: TableId, role: string) => string | null = () => null,
): KindFacts & Required<Pick<Part<Permissions[K]>, 'isOfDatabase' | 'same' | 'store'>> => ({
  isOfDatabase: true,
  readKeys: () => [],
  dependentText: ({ above, own }) => `permission ${above}.${own}.${kind}`,
  isCascaded: true,
  rename: (value, { own, names, lookup }) => (own === null ? value : rewritePermission(value, own, names, lookup)),
  same: (a, b) => permissionText(a) === permissionText(b),
  store: tableStore<Permissions[K]>({
    of: (parts: InParts) => parts[key],
    get({ tableParts, tables }, id, role) {
      const table: InTable | undefined = tableParts.get(id) ?? tables.get(id)
      return table?.[key].get(role)
    },
    readKey,
    nameOf: ({ value }) => String(value.role),
  }),
})

/**
 * What roles may do with served tables (reference/metadata-operations#permissions-of-tables); permissions stand in
 * their table.
 */
export const selectPermissionPart: Part<ResolvedSelectPermission, 'select_permission'> = {
  key: 'select_permission',
  type: 'select_permission',
  ...permissionsIn('selectPermissions', 'select', selectReadKey),
  resolve: ({ value }, { table: { shape }, tables }) =>
    inPermission(value.role, shape, () => resolveSelect(value, shape, tables)),
  same: samePermission,
}

export const insertPermissionPart: Part<ResolvedInsertPermission, 'insert_permission'> = {
  key: 'insert_permission',
  type: 'insert_permission',
  ...permissionsIn('insertPermissions', 'insert'),
  resolve: ({ value }, { table: { shape }, tables }) =>
    inPermission(value.role, shape, () => resolveInsert(value, shape, tables)),
}

export const updatePermissionPart: Part<ResolvedUpdatePermission, 'update_permission'> = {
  key: 'update_permission',
  type: 'update_permission',
  ...permissionsIn('updatePermissions', 'update'),
  resolve: ({ value }, { table: { shape }, tables }) =>
    inPermission(value.role, shape, () => resolveUpdate(value, shape, tables)),
}

export const deletePermissionPart: Part<ResolvedDeletePermission, 'delete_permission'> = {
  key: 'delete_permission',
  type: 'delete_permission',
  ...permissionsIn('deletePermissions', 'delete'),
  resolve: ({ value }, { table: { shape }, tables }) =>
    inPermission(value.role, shape, () => resolveDelete(value, shape, tables)),
}
