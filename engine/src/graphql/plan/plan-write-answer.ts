/** What a write answers with (reference/mutations#returning). */
import type { SelectionNode } from 'graphql'
import type { Path } from '../../errors.ts'
import {
  answerLeadsElsewhere,
  type QualifiedName,
  type ResponseField,
  type Value,
  type Write,
  type WriteAnswer,
  type WriteResult,
} from '../../ir/index.ts'
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

const text = { type: { schema: 'pg_catalog', name: 'text', kind: 'base', array: false }, list: false } as const

const texts = { ...text, type: { ...text.type, array: true } } as const

/** The setting that the rows of a write are kept in, and a list of it alone. */
export const savedInput: Value = { kind: 'input', name: 'saved', type: text }

export const savedNames: Value = { kind: 'input', name: 'names', type: texts }

/**
 * One statement, or two where what is asked of the rows has to be as it is after the write
 * (reference/mutations#returning).
 */
export function answered(
  write: (result: WriteResult) => Write,
  table: QualifiedName,
  answer: WriteAnswer,
): readonly Write[] {
  if (!answerLeadsElsewhere(answer)) return [write({ kind: 'answer', answer })]
  return [
    write({ kind: 'saved', as: savedInput, count: null, required: false }),
    { kind: 'saved-answer', table, names: savedNames, count: null, answer },
  ]
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
