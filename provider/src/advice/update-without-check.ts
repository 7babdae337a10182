import { isRecord } from '@svc/schema'
import { permissionOf, type Rule } from './rule.ts'

/** Finds updates by which a role can set values with which it may not update the row any more. */
export const updateWithoutCheck: Rule = (object) => {
  const { filter, check = null } = permissionOf(object)
  const isAll = !isRecord(filter) || Object.keys(filter).length === 0
  if (object.permits !== 'update' || isAll || check !== null) return []
  return [
    {
      message: 'the filter says which rows may be updated, and nothing says what they may become',
      remedy: 'give the permission a check: the filter again, where rows are to stay in it, or {} for anything',
    },
  ]
}
