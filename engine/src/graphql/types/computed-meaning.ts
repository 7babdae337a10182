import type { DatabaseType, FunctionCall } from '../../ir/index.ts'
import { rowCall } from '../../model/index.ts'
import type { RoleComputedField, RoleTable } from './role-table.ts'

/** A scalar computed field where the client can pass no arguments: in where and order_by. */
export interface ComputedMeaning {
  readonly kind: 'computed'
  readonly field: RoleComputedField
  readonly call: FunctionCall
  readonly type: DatabaseType
}

/** Returns the scalar computed fields that need no argument (reference/filters#boolean-expressions-in-graphql). */
export const comparableFields = ({ computedFields }: RoleTable): readonly ComputedMeaning[] =>
  computedFields.flatMap((field) => {
    const call = rowCall(field)
    return call && field.returns.kind === 'scalar' ? [{ kind: 'computed', field, call, type: field.returns.type }] : []
  })
