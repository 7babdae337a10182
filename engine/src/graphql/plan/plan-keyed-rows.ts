import type { Join, KeyList, RootQuery } from '../../ir/index.ts'
import type { TableId } from '../../model/index.ts'
import { type Context, useTable } from '../selection/context.ts'
import type { SelectedField } from '../selection/selected-fields.ts'
import type { RowsForm } from '../types/select-arguments.ts'
import { planJoinedRows } from './plan-row-fields.ts'

/** A relationship from fields of some object to columns of a table of any source. */
export interface KeyedRelationship {
  readonly source: string
  readonly target: TableId
  readonly mapping: readonly { readonly field: string; readonly column: string }[]
}

/** Rows of a table for keys that are known only when the request runs. */
export interface KeyedRows<Q = RootQuery> {
  readonly kind: 'join'
  readonly as: string
  readonly source: string
  /** The fields that contain the keys: of the n-th, the variable `joinVariable(n)` is the list. */
  readonly keys: readonly string[]
  /** Returns a list with `{"v": …}` for each key. */
  readonly query: Q
}

/** No variable of a request has such a name. */
export const joinVariable = (index: number): string => `:join:${index}`

/**
 * Plans the rows behind keys: the keys are rows of their own, and what they lead to is a relationship of these rows.
 */
export function planKeyedRows(
  context: Context,
  selected: SelectedField<unknown>,
  form: RowsForm,
  { source, target, mapping }: KeyedRelationship,
): KeyedRows {
  const reached = useTable(context, target)
  const { table } = reached.table
  const keys = mapping.map(({ column }, i): KeyList => {
    const type = reached.table.table.columnsByName.get(column)?.type
    if (!type) throw new Error(`table ${target} has no column ${column}`)
    const list = { kind: 'variable', variable: joinVariable(i), keys: [], type: { type, list: true } } as const
    return { name: `k${i}`, list: { ...list, path: selected.path.keys } }
  })
  const join: Join = {
    table: table.table,
    columns: mapping.map(({ column }, i) => ({ from: `k${i}`, to: column })),
  }
  const field = planJoinedRows(context, reached, form, join, { ...selected, as: 'v' })
  return {
    kind: 'join',
    as: selected.as,
    source,
    keys: mapping.map((one) => one.field),
    query: { kind: 'keyed', keys, fields: [field] },
  }
}
