import { childrenOf, findObject } from '@svc/schema'
import type { ResolvedFunction } from '../../resolved-function.ts'
import { addressOfFunction, objectId } from '../../table-id.ts'
import type { ModelDraft } from '../../update/model-draft.ts'
import { changedValues } from '../change-value.ts'
import { partValue } from '../values.ts'
import { functionPart } from './function-part.ts'
import { functionPermissionPart } from './function-permission-part.ts'

/** Functions with the roles that may call them; one that turns out the same keeps its reference. */
export function assembleFunctions(draft: ModelDraft): void {
  const ids = new Set(changedValues(draft, functionPart).keys())
  for (const { at } of changedValues(draft, functionPermissionPart).values())
    if (at.parent) ids.add(objectId(at.parent))
  for (const id of ids) {
    const now = partValue(draft, functionPart, id)
    if (now) draft.functions.set(id, withRoles(draft, id, now))
    else draft.functions.delete(id)
  }
}

function withRoles(draft: ModelDraft, id: string, called: ResolvedFunction): ResolvedFunction {
  const object = findObject(draft.input.document, addressOfFunction(id))
  const permissions = object ? [...childrenOf(object, 'function_permission').keys()] : []
  const roles = permissions.flatMap((own) => partValue(draft, functionPermissionPart, `${id}/${own}`) ?? [])
  return { ...called, roles: new Set(roles) }
}
