import type { DatabaseType, FunctionCall, Operand } from '../../ir/index.ts'
import type { ResolvedComputedField } from '../../model/index.ts'
import type { Context } from '../selection/context.ts'
import type { SelectedField } from '../selection/selected-fields.ts'
import { computedFieldArguments } from '../types/function-arguments.ts'
import type { Masked } from '../types/role-table.ts'
import type { TableTypes } from '../types/table-types.ts'
import { masked } from './column-operand.ts'
import { planCall } from './plan-call.ts'

/** Plans the call of a computed field with the `args` of its selection (reference/database-objects#computed-fields). */
export function computedCall(
  context: Context,
  { table }: TableTypes,
  field: ResolvedComputedField,
  { args, path }: SelectedField<unknown>,
): FunctionCall {
  return planCall(context, field, computedFieldArguments(table, field), args.get('args'), table.types, path.at('args'))
}

/** Returns the value of a scalar computed field, as far as the role sees it (reference/queries#masking). */
export const computedOperand = (computed: {
  readonly field: Masked
  readonly call: FunctionCall
  readonly type: DatabaseType
}): Operand => masked({ kind: 'computed', call: computed.call, type: computed.type }, computed.field.mask)
