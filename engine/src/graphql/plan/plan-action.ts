import type { SelectionNode } from 'graphql'
import type { Path } from '../../errors.ts'
import { always, type DatabaseType, type Join, type RootQuery, type RowField, type Value } from '../../ir/index.ts'
import type { ActionBase, ActionRelationship, ResolvedAction } from '../../model/index.ts'
import { type ActionForm, type ActionMeaning, actionObjectType, resultType } from '../types/action-types.ts'
import type { QueryRootMeaning } from '../types/query-root-type.ts'
import { actionTemplate } from './action-input.ts'
import { type Context, deeper, useTable } from './context.ts'
import { planAggregateFields } from './plan-aggregate-fields.ts'
import { planRowFields } from './plan-row-fields.ts'
import { planRows } from './plan-rows.ts'
import { type SelectedField, selectedFields } from './selected-fields.ts'
import type { Template } from './template.ts'

/** A root field of an action: what is sent, and what is made of the answer. */
export interface PlannedAction<Q = RootQuery> {
  readonly kind: 'action'
  readonly responseKey: string
  readonly action: ResolvedAction
  readonly form: ActionForm
  /** The arguments that were given; of a result its id. */
  readonly input: ReadonlyMap<string, ActionArgument>
  /** Null: the output is a scalar. */
  readonly fields: readonly ActionOutput<Q>[] | null
}

export interface ActionArgument {
  readonly template: Template
  readonly path: readonly (string | number)[]
}

/** A field of the answer; `as` is its response key. */
export type ActionOutput<Q = RootQuery> =
  | { readonly kind: 'typename'; readonly as: string; readonly name: string }
  | { readonly kind: 'value'; readonly as: string; readonly name: string }
  | { readonly kind: 'object'; readonly as: string; readonly name: string; readonly fields: readonly ActionOutput<Q>[] }
  /** Rows of a table: one statement for all objects of its level in the answer. */
  | ActionJoin<Q>
  /** Of an asynchronous action: what is in its log, and the answer itself with its fields. */
  | { readonly kind: 'own'; readonly as: string; readonly name: 'id' | 'created_at' | 'errors' }
  | { readonly kind: 'output'; readonly as: string; readonly fields: readonly ActionOutput<Q>[] | null }

export interface ActionJoin<Q = RootQuery> {
  readonly kind: 'join'
  readonly as: string
  readonly source: string
  /** The fields that hold the keys: of the n-th, the variable `joinVariable(n)` is the list. */
  readonly keys: readonly string[]
  /** Gives a list with `{"v": …}` for each key. */
  readonly query: Q
}

/** No variable of a request has such a name. */
export const joinVariable = (index: number): string => `:join:${index}`

export function planAction(
  context: Context,
  { as, args, selections, path }: SelectedField<QueryRootMeaning>,
  form: ActionForm,
  action: ResolvedAction,
): PlannedAction {
  context.uses.add('action', action.name)
  const input = new Map(
    [...args].map(([name, { raw, path: at }]): readonly [string, ActionArgument] => {
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

/** Checked by its form when the request is run. */
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
      return planJoin(context, selected, meaning.as, meaning.relationship)
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

const position: DatabaseType = { schema: 'pg_catalog', name: 'int8', kind: 'base', array: false }

/** The keys as rows of their own, and what they lead to as a relationship of these rows. */
function planJoin(
  context: Context,
  { as, args, selections, path }: SelectedField<ActionMeaning>,
  form: 'object' | 'array' | 'aggregate',
  { source, target, mapping }: ActionRelationship,
): ActionJoin {
  const reached = useTable(context, target)
  const { table, filter } = reached.table
  const lists = mapping.flatMap(({ column }, i): (string | Value)[] => {
    const type = reached.table.table.columnsByName.get(column)?.type
    if (!type) throw new Error(`table ${target} has no column ${column}`)
    const list: Value = {
      kind: 'variable',
      variable: joinVariable(i),
      keys: [],
      type: { type, list: true },
      path: path.keys,
    }
    return i === 0 ? [list] : [', ', list]
  })
  const names = mapping.map((_, i) => `k${i}`)
  const join: Join = {
    table: table.table,
    columns: mapping.map(({ column }, i) => ({ from: `k${i}`, to: column })),
  }
  const field = (): RowField => {
    switch (form) {
      case 'object':
        return {
          kind: 'object',
          as: 'v',
          join,
          where: filter,
          fields: planRowFields(context, reached, selections, path),
        }
      case 'array':
        return {
          kind: 'array',
          as: 'v',
          join,
          rows: planRows(context, reached, args, path),
          fields: planRowFields(context, reached, selections, path),
        }
      case 'aggregate':
        return {
          kind: 'aggregate',
          as: 'v',
          join,
          rows: planRows(context, reached, args, path),
          fields: planAggregateFields(context, reached, selections, path),
        }
    }
  }
  return {
    kind: 'join',
    as,
    source,
    keys: mapping.map((one) => one.field),
    query: {
      kind: 'rows',
      from: { schema: '', name: 'action_keys' },
      query: {
        parts: ['SELECT * FROM unnest(', ...lists, `) WITH ORDINALITY AS k(${[...names, 'position'].join(', ')})`],
        readsOnly: true,
      },
      rows: {
        where: always,
        orderBy: [
          {
            key: { kind: 'operand', of: { kind: 'column', of: 'row', name: 'position', type: position } },
            direction: 'asc',
            nulls: 'last',
          },
        ],
        distinctOn: [],
        limit: null,
        offset: null,
        permissionLimit: null,
      },
      fields: [field()],
    },
  }
}
