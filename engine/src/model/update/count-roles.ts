import type { Json, ObjectType } from '@svc/schema'
import type { LongWork } from '../../long-work.ts'
import type { Changes } from './find-changes.ts'
import type { ModelDraft } from './model-draft.ts'

/** The kinds of objects that name roles, and their keys that do. */
const roleKeys: readonly (readonly [ObjectType, 'role' | 'role_name'])[] = [
  ['select_permission', 'role'],
  ['insert_permission', 'role'],
  ['update_permission', 'role'],
  ['delete_permission', 'role'],
  ['function_permission', 'role'],
  ['logical_model_select_permission', 'role'],
  ['remote_schema_permission', 'role'],
  ['action_permission', 'role'],
  ['inherited_role', 'role_name'],
]

/** Keeps count of the objects that name each role: a role is known as long as one of them does. */
export function* countRoles(draft: ModelDraft, changes: Changes['byType']): LongWork<void> {
  let done = 0
  for (const [type, key] of roleKeys)
    for (const { old, new: now } of changes.get(type) ?? []) {
      count(draft, old?.value[key], -1)
      count(draft, now?.value[key], 1)
      if (++done % piece === 0) yield piece
    }
}

const piece = 256

function count(draft: ModelDraft, role: Json | undefined, by: 1 | -1): void {
  if (typeof role !== 'string' || role === 'admin') return
  const { roleUses } = draft.graph
  const uses = (roleUses.get(role) ?? 0) + by
  if (uses === 0) roleUses.delete(role)
  else roleUses.set(role, uses)
  // known or not; for an inherited role, which names itself, named by another object or not
  if (Math.min(uses, uses - by) < 2) draft.turnedRoles.add(role)
}
