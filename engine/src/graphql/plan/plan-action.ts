import type { SelectionNode } from 'graphql'
import type { Path } from '../../errors.ts'
import type { RootQuery } from '../../ir/index.ts'
import type { ActionBase, ResolvedAction } from '../../model/index.ts'
import { askInput } from '../selection/ask-input.ts'
import { type Context, deeper } from '../selection/context.ts'
import { type SelectedField, selectedFields } from '../selection/selected-fields.ts'
import type { Template } from '../selection/template.ts'
import { type ActionForm, type ActionMeaning, actionObjectType, resultType } from '../types/action-types.ts'
import type { QueryRootMeaning } from '../types/query-root-type.ts'
import { actionTemplate } from './action-input.ts'
import { type KeyedRows, planKeyedRows } from './plan-keyed-rows.ts'

/** A root field of an action: what is sent, and what is made of the answer. */
export interface PlannedAction<Q = RootQuery> {
  readonly kind: 'action'
  readonly responseKey: string
  readonly action: ResolvedAction
  readonly form: ActionForm
  /** The client's arguments; of a result its id. */
  readonly input: ReadonlyMap<string, ActionArgument>
  /** Null: the output is a scalar. */
  readonly fields: readonly ActionOutput<Q>[] | null
}

interface ActionArgument {
  readonly template: Template
  readonly path: readonly (string | number)[]
}

/** A field of the answer; `as` is its response key. */
export type ActionOutput<Q = RootQuery> =
  | { readonly kind: 'typename'; readonly as: string; readonly name: string }
  | { readonly kind: 'value'; readonly as: string; readonly name: string }
  | { readonly kind: 'object'; readonly as: string; readonly name: string; readonly fields: readonly ActionOutput<Q>[] }
  /** Rows of a table: one statement for all objects of its level in the answer. */
  | KeyedRows<Q>
  /** Of an asynchronous action: what is in its log, and the answer itself with its fields. */
  | { readonly kind: 'own'; readonly as: string; readonly name: 'id' | 'created_at' | 'errors' }
  | { readonly kind: 'output'; readonly as: string; readonly fields: readonly ActionOutput<Q>[] | null }

/**
 * Plans a call of an action: its arguments, and what is selected of its answer (reference/actions#schema-of-a-role).
 */
export function planAction(
  context: Context,
  { as, args, selections, path }: SelectedField<QueryRootMeaning>,
  form: ActionForm,
  action: ResolvedAction,
): PlannedAction {
  context.uses.add('action', action.name)
  const input = new Map(
    [...args].map(([name, { field, raw, path: at }]): readonly [string, ActionArgument] => {
      askInput(context, field.type, raw)
      const declared = action.arguments.find((one) => one.name === name)
      const typed = form === 'result' || !declared ? idArgument : declared
      return [name, { template: actionTemplate(context, action.types, typed, raw, at), path: at.keys }]
    }),
  )
  const base = { kind: 'action', responseKey: as, action, form, input } as const
  switch (form) {
    case 'enqueue':
      return { ...base, fields: null }
    case 'call':
      return { ...base, fields: outputFields(context, action, action.output.base, selections, path) }
    case 'result': {
      const type = resultType(context.schema, action)
      const fields = selectedFields(context, type, selections, path).map((selected) =>
        selected.kind === 'typename' ? selected : resultField(context, action, selected),
      )
      return { ...base, fields }
    }
  }
}

/** The argument of a result, whose form is checked when the request is run. */
const idArgument = {
  type: { kind: 'named', name: 'uuid', nullable: false },
  base: { kind: 'scalar', name: 'uuid' },
} as const

function resultField(context: Context, action: ResolvedAction, selected: SelectedField<ActionMeaning>): ActionOutput {
  const { meaning } = selected.field
  if (meaning.kind === 'own') return { kind: 'own', as: selected.as, name: meaning.name }
  const fields = outputFields(context, action, action.output.base, selected.selections, selected.path)
  return { kind: 'output', as: selected.as, fields }
}

function outputFields(
  context: Context,
  action: ResolvedAction,
  base: ActionBase,
  selections: readonly SelectionNode[],
  path: Path,
): readonly ActionOutput[] | null {
  const object = base.kind === 'object' ? action.types.objects.get(base.name) : undefined
  if (!object) return null
  const type = actionObjectType(context.schema, action.types, object)
  return deeper(context, path, () =>
    selectedFields(context, type, selections, path).map((selected) =>
      selected.kind === 'typename' ? selected : outputField(context, action, selected),
    ),
  )
}

function outputField(context: Context, action: ResolvedAction, selected: SelectedField<ActionMeaning>): ActionOutput {
  const { as, field, selections, path } = selected
  const { meaning } = field
  switch (meaning.kind) {
    case 'relationship':
      return planKeyedRows(context, selected, meaning.as, meaning.relationship)
    case 'field': {
      const fields = outputFields(context, action, meaning.field.base, selections, path)
      return fields === null
        ? { kind: 'value', as, name: field.name }
        : { kind: 'object', as, name: field.name, fields }
    }
    case 'own':
    case 'output':
      throw new Error(`${field.name} is a field of results only`)
  }
}
