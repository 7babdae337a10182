import type { FunctionCall } from '../../ir/index.ts'
import type { ResolvedComputedField } from '../../model/index.ts'
import { computedFieldArguments } from '../types/function-arguments.ts'
import type { TableTypes } from '../types/table-types.ts'
import type { Context } from './context.ts'
import { planCall } from './plan-call.ts'
import type { SelectedField } from './selected-fields.ts'

/** The call of a computed field with the `args` of its selection (spec 02 §6.2). */
export function computedCall(
  context: Context,
  { table }: TableTypes,
  field: ResolvedComputedField,
  { args, path }: SelectedField<unknown>,
): FunctionCall {
  return planCall(context, field, computedFieldArguments(table, field), args.get('args'), table.types, path.at('args'))
}
