import type { MetadataObject } from '@svc/schema'
import { selectReadKey } from '../../graph.ts'
import { permissionText } from '../../inherit/write-grant.ts'
import { announce } from '../../names/names.ts'
import { rewritePermission } from '../../rename/rewrite-permission.ts'
import type {
  ResolvedDeletePermission,
  ResolvedInsertPermission,
  ResolvedSelectPermission,
  ResolvedUpdatePermission,
} from '../../resolved-permission.ts'
import type { ResolvedTable } from '../../resolved-rows.ts'
import { tableIdOf } from '../../table-id.ts'
import { partsOf, type TableParts } from '../../update/model-draft.ts'
import type { KindFacts, Part, Store } from '../part.ts'
import { inPermission, resolveDelete, resolveInsert, resolveSelect, resolveUpdate } from './resolve-permission.ts'
import { samePermission } from './same-permission.ts'

const factsOf = (kind: string): KindFacts => ({
  readKeys: () => [],
  dependentText: ({ above, own }) => `permission ${above}.${own}.${kind}`,
  isCascaded: true,
  rename: (value, { own, names, lookup }) => (own === null ? value : rewritePermission(value, own, names, lookup)),
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

/** `written`: those of a table that is being put together; `served`: of one that is left as it was. */
function storeIn<P>(
  written: (parts: TableParts) => Map<string, P>,
  served: (table: ResolvedTable) => ReadonlyMap<string, P>,
): Store<P> {
  const roleOf = ({ value }: MetadataObject) => String(value.role)
  return {
    get({ tableParts, tables }, at, object) {
      const id = tableIdOf(at)
      const [parts, table] = [tableParts.get(id), tables.get(id)]
      return (parts ? written(parts) : table && served(table))?.get(roleOf(object))
    },
    set(draft, at, object, permission) {
      const [id, role] = [tableIdOf(at), roleOf(object)]
      if (!draft.graph.nodes.get(id)?.served) return
      const permissions = written(partsOf(draft, id))
      if (permission) permissions.set(role, permission)
      else permissions.delete(role)
      if (at.type === 'select_permission') announce(draft, selectReadKey(id, role))
    },
  }
}
