/** What a write answers with (reference/mutations#returning). */
import type { SelectionNode } from 'graphql'
import type { Path } from '../../errors.ts'
import {
  type QualifiedName,
  type ResponseField,
  type RowField,
  rowFieldsOf,
  tablesRead,
  type WriteAnswer,
} from '../../ir/index.ts'
import { siblingTableId } from '../../model/index.ts'
import type { Context } from '../selection/context.ts'
import { selectedFields } from '../selection/selected-fields.ts'
import type { WriteTypes } from '../types/write-types.ts'
import { planRowFields } from './plan-row-fields.ts'
import { readsAlone } from './reads-alone.ts'

/** Plans the answer of a write: one row, or a `T_mutation_response`. */
export function answerTo(
  context: Context,
  types: WriteTypes,
  isRow: boolean,
  selections: readonly SelectionNode[],
  path: Path,
): WriteAnswer {
  if (!isRow) return planResponse(context, types, selections, path)
  const fields = planRowFields(context, types.selected, selections, path)
  return { kind: 'row', fields, leadsTo: leadsTo(context, types, fields) }
}

/** Plans the selection set of `T_mutation_response`. */
export function planResponse(
  context: Context,
  types: WriteTypes,
  selections: readonly SelectionNode[],
  path: Path,
): WriteAnswer & { readonly kind: 'response' } {
  const fields = selectedFields(context, types.response(), selections, path).map((selected): ResponseField => {
    if (selected.kind === 'typename') return selected
    const { as } = selected
    return selected.field.meaning === 'affected-rows'
      ? { kind: 'affected-rows', as }
      : { kind: 'returning', as, fields: planRowFields(context, types.selected, selected.selections, selected.path) }
  })
  const rows = rowFieldsOf({ kind: 'response', fields })
  return { kind: 'response', fields, leadsTo: leadsTo(context, types, rows) }
}

/** Returns an answer's `leadsTo`. The plan rests on what these tables are. */
function leadsTo(
  { schema, uses }: Context,
  { table }: WriteTypes,
  fields: readonly RowField[],
): readonly QualifiedName[] | undefined {
  const tables = tablesRead(fields)
  const isKnown = tables?.every((name) => {
    uses.add('table', siblingTableId(table.table.id, name))
    return readsAlone(schema.model, table.table.id, name)
  })
  return isKnown && tables ? tables : undefined
}

/** Returns the answer to a write of no rows, as a group that needs no statement. */
export const emptyGroup = (answer: WriteAnswer): { readonly text: string } => ({
  text: JSON.stringify(emptyAnswer(answer)),
})

/** Returns the JSON of the answer to a write of no rows. */
export function emptyAnswer(answer: WriteAnswer): unknown {
  if (answer.kind !== 'response') return null
  return Object.fromEntries(
    answer.fields.map((field) => {
      switch (field.kind) {
        case 'typename':
          return [field.as, field.name]
        case 'affected-rows':
          return [field.as, 0]
        case 'returning':
          return [field.as, []]
      }
      return [field, null]
    }),
  )
}
