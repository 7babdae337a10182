import type { MetadataObject, ObjectChange, ObjectType } from '@svc/schema'
import type { ModelDraft } from './model-draft.ts'

const roleKeys: Partial<Record<ObjectType, 'role' | 'role_name'>> = {
  select_permission: 'role',
  insert_permission: 'role',
  update_permission: 'role',
  delete_permission: 'role',
  function_permission: 'role',
  logical_model_select_permission: 'role',
  remote_schema_permission: 'role',
  action_permission: 'role',
  inherited_role: 'role_name',
}

/** Keeps count of the objects that name each role: a role is known as long as one of them does. */
export function countRoles(draft: ModelDraft, changes: readonly ObjectChange[]): void {
  for (const { old, new: now } of changes) {
    count(draft, old, -1)
    count(draft, now, 1)
  }
}

function count(draft: ModelDraft, object: MetadataObject | null, by: 1 | -1): void {
  const key = object && roleKeys[object.type]
  const role = key && object.value[key]
  if (typeof role !== 'string' || role === 'admin') return
  const { roleUses } = draft.graph
  const uses = (roleUses.get(role) ?? 0) + by
  if (uses === 0) roleUses.delete(role)
  else roleUses.set(role, uses)
  // known or not; for an inherited role, which names itself, named by another object or not
  if (Math.min(uses, uses - by) < 2) draft.turnedRoles.add(role)
}
