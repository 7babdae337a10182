/** Recursion: nodes have fields that are aggregates in turn. */
import type { AggregateField, AggregateValue, Rows } from '../../../ir/index.ts'
import type { MemberShape, ValueShape } from '../statement-shape.ts'
import { compileAggregateCall, compileCount } from './aggregate-call.ts'
import { compileFields, compileList, shapeOfType } from './fields.ts'
import { operandType } from './operand.ts'
import type { Scope, Sql } from './scope.ts'
import { compileStruct, type Selected } from './selected.ts'

/**
 * Compiles `T_aggregate` over the rows of a scope (reference/queries#aggregates). The limits of the permission and of
 * the source apply to nodes only.
 */
export function compileAggregates(fields: readonly AggregateField[], rows: Rows, scope: Scope): Selected {
  return select(fields, (field) => {
    if (field.kind === 'nodes') {
      const selected = compileFields(field.fields, scope)
      return { value: compileList(selected, rows, scope), shape: { kind: 'list', members: selected.members } }
    }
    const selected = select(field.fields, (value) => compileAggregate(value, scope))
    return { value: compileStruct(selected), shape: { kind: 'object', members: selected.members, absent: 'null' } }
  })
}

interface Typename {
  readonly kind: 'typename'
  readonly as: string
  readonly name: string
}

interface Field {
  readonly value: Sql
  readonly shape: ValueShape
}

function select<F extends { readonly kind: string; readonly as: string }>(
  fields: readonly (F | Typename)[],
  compile: (field: F) => Field,
): Selected {
  const columns: { as: string; value: Sql }[] = []
  const members = fields.map((field): MemberShape => {
    if (isTypename(field)) return { key: field.as, of: { kind: 'typename', name: field.name } }
    const { value, shape } = compile(field)
    columns.push({ as: field.as, value })
    return { key: field.as, of: shape }
  })
  return { columns, members }
}

const isTypename = (field: { readonly kind: string }): field is Typename => field.kind === 'typename'

const text: ValueShape = { kind: 'scalar', type: 'text', list: false }

function compileAggregate(value: Exclude<AggregateValue, Typename>, scope: Scope): Field {
  if (value.kind === 'count') return { value: compileCount(value.of, value.distinct, scope), shape: text }
  const { operator } = value
  const keepsType = operator === 'max' || operator === 'min' || operator === 'sum'
  const selected = select(
    value.fields,
    (field): Field => ({
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
