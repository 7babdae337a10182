import { addressText, type MetadataObject, type ObjectAddress } from '@svc/schema'
import { type ReadKey, selectReadKey, type TableNode } from '../graph.ts'
import { permissionText } from '../inherit/write-grant.ts'
import type { ResolvedSelectPermission, TableId } from '../model.ts'
import { announce } from '../names/names.ts'
import { Flaw } from '../resolve/flaw.ts'
import { permissionTypes, type ResolvedPermission, resolvePermission } from '../resolve/resolve-permission.ts'
import { samePermission } from '../resolve/same-permission.ts'
import { listenedTo } from '../resolve/surroundings.ts'
import { tableIdOf } from '../table-id.ts'
import { type DirtyObject, dirtyObjects, forget } from './dirty-objects.ts'
import { type Draft, draftLookup, partsOf } from './draft.ts'
import type { Changes } from './find-changes.ts'
import { clearFault, recordFault } from './record-fault.ts'
import { noReads, readKeyOf, recordReads } from './record-reads.ts'

/** Fourth layer: what roles may do with served tables (spec 01 §2.7). */
export function updatePermissions(draft: Draft, changes: Changes): void {
  for (const one of dirtyObjects(draft, changes, permissionTypes, ['all', 'silent'])) updateOne(draft, one)
}

function updateOne(draft: Draft, one: DirtyObject): void {
  const { address, object, old } = one
  const id = tableIdOf(address)
  const node = draft.graph.nodes.get(id)
  const role = String((object ?? old)?.value.role)
  if (!object || !node?.served) {
    forget(draft, one)
    if (node?.served) serve(draft, id, address, role, null)
    return
  }
  draft.rebuilt++
  serve(draft, id, address, role, attempt(draft, node, object, one))
}

function attempt(
  draft: Draft,
  node: TableNode,
  object: MetadataObject,
  { address, isNew }: DirtyObject,
): ResolvedPermission | null {
  let reads: Set<ReadKey> | null = null
  const around = listenedTo(draftLookup(draft), (use) => {
    const read = readKeyOf(use, node.id)
    if (read !== null) reads = (reads ?? new Set()).add(read)
  })
  try {
    const permission = resolvePermission(object, node.shape, around)
    if (!isNew) clearFault(draft, addressText(address))
    return permission
  } catch (error) {
    if (!(error instanceof Flaw)) throw error
    recordFault(draft, address, object, error)
    return null
  } finally {
    if (!isNew || reads) recordReads(draft, address, reads ?? noReads)
  }
}

function serve(draft: Draft, id: TableId, { type }: ObjectAddress, role: string, now: ResolvedPermission | null): void {
  const place = placeOf(type)
  const before = (draft.tableParts.get(id) ?? draft.tables.get(id))?.[place].get(role)
  if (now ? before && sameAs(before, now) : !before) return
  const parts = partsOf(draft, id)
  if (place === 'selectPermissions') announce(draft, selectReadKey(id, role))
  if (!now) {
    parts[place].delete(role)
    return
  }
  switch (now.type) {
    case 'select_permission':
      parts.selectPermissions.set(role, now.of)
      return
    case 'insert_permission':
      parts.insertPermissions.set(role, now.of)
      return
    case 'update_permission':
      parts.updatePermissions.set(role, now.of)
      return
    case 'delete_permission':
      parts.deletePermissions.set(role, now.of)
  }
}

function placeOf(type: string) {
  if (type === 'insert_permission') return 'insertPermissions'
  if (type === 'update_permission') return 'updatePermissions'
  return type === 'delete_permission' ? 'deletePermissions' : 'selectPermissions'
}

const sameAs = (before: object, now: ResolvedPermission): boolean =>
  now.type === 'select_permission'
    ? samePermission(before as ResolvedSelectPermission, now.of)
    : samePermissionText(before, now.of)

const samePermissionText = (a: object, b: object): boolean => permissionText(a) === permissionText(b)
