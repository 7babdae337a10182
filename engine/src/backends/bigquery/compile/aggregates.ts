/** Recursion: nodes have fields that are aggregates in turn. */
import { type AggregateField, type AggregateValue, operandType, type Rows } from '../../../ir/index.ts'
import type { ValueShape } from '../statement-shape.ts'
import { compileAggregateCall, compileCount } from './aggregate-call.ts'
import { compileFields, compileList, shapeOfType } from './fields.ts'
import type { Scope } from './scope.ts'
import { compileStruct, type Selected, type SelectedValue, selectFields } from './selected.ts'

/**
 * Compiles `T_aggregate` over the rows of a scope (reference/queries#aggregates). The limits of the permission and of
 * the source apply to nodes only.
 */
export function compileAggregates(fields: readonly AggregateField[], rows: Rows, scope: Scope): Selected {
  return selectFields(fields, (field) => {
    if (field.kind === 'nodes') {
      const selected = compileFields(field.fields, scope)
      return { value: compileList(selected, rows, scope), shape: { kind: 'list', members: selected.members } }
    }
    const selected = selectFields(field.fields, (value) => compileAggregate(value, scope))
    return { value: compileStruct(selected), shape: { kind: 'object', members: selected.members, absent: 'null' } }
  })
}

const text: ValueShape = { kind: 'scalar', type: 'text', list: false }

function compileAggregate(value: Exclude<AggregateValue, { readonly kind: 'typename' }>, scope: Scope): SelectedValue {
  if (value.kind === 'count') return { value: compileCount(value.of, value.distinct, scope), shape: text }
  const { operator } = value
  const keepsType = operator === 'max' || operator === 'min' || operator === 'sum'
  const selected = selectFields(
    value.fields,
    (field): SelectedValue => ({
      value: compileAggregateCall(operator, field.of, scope),
      shape: keepsType ? shapeOfType(operandType(field.of)) : text,
    }),
  )
  return { value: compileStruct(selected), shape: { kind: 'object', members: selected.members, absent: 'null' } }
}

/** Returns the JSON of an aggregate of no rows. */
export const absentAggregates = (fields: readonly AggregateField[]): string =>
  JSON.stringify(
    Object.fromEntries(
      fields.map((field) => {
        if (field.kind === 'nodes') return [field.as, []]
        return [field.as, field.kind === 'typename' ? field.name : Object.fromEntries(field.fields.map(absentValue))]
      }),
    ),
  )

function absentValue(value: AggregateValue): readonly [string, unknown] {
  switch (value.kind) {
    case 'typename':
      return [value.as, value.name]
    case 'count':
      return [value.as, '0']
    case 'operator':
      return [
        value.as,
        Object.fromEntries(value.fields.map((field) => [field.as, field.kind === 'typename' ? field.name : null])),
      ]
  }
}
