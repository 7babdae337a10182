/** What a write answers with (reference/mutations#returning). */
import type { SelectionNode } from 'graphql'
import type { Path } from '../../errors.ts'
import type { ResponseField, WriteAnswer } from '../../ir/index.ts'
import type { Context } from '../selection/context.ts'
import { selectedFields } from '../selection/selected-fields.ts'
import type { WriteTypes } from '../types/write-types.ts'
import { planRowFields } from './plan-row-fields.ts'

export function answerTo(
  context: Context,
  types: WriteTypes,
  isRow: boolean,
  selections: readonly SelectionNode[],
  path: Path,
): WriteAnswer {
  return isRow
    ? { kind: 'row', fields: planRowFields(context, types.selected, selections, path) }
    : planResponse(context, types, selections, path)
}

/** `T_mutation_response` */
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
  return { kind: 'response', fields }
}

/** What no row at all is answered with. */
export const emptyGroup = (answer: WriteAnswer): { readonly text: string } => ({
  text: JSON.stringify(emptyAnswer(answer)),
})

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
