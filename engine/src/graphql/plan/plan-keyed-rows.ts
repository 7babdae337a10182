import type { Join, KeyList, RootQuery, RowField } from '../../ir/index.ts'
import type { TableId } from '../../model/index.ts'
import { type Context, useTable } from '../selection/context.ts'
import type { SelectedField } from '../selection/selected-fields.ts'
import { planAggregateFields } from './plan-aggregate-fields.ts'
import { planRowFields } from './plan-row-fields.ts'
import { planRows } from './plan-rows.ts'

/** From fields of some object to columns of a table of any source. */
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
  { as, args, selections, path }: SelectedField<unknown>,
  form: 'object' | 'array' | 'aggregate',
  { source, target, mapping }: KeyedRelationship,
): KeyedRows {
  const reached = useTable(context, target)
  const { table, filter } = reached.table
  const keys = mapping.map(({ column }, i): KeyList => {
    const type = reached.table.table.columnsByName.get(column)?.type
    if (!type) throw new Error(`table ${target} has no column ${column}`)
    const list = { kind: 'variable', variable: joinVariable(i), keys: [], type: { type, list: true } } as const
    return { name: `k${i}`, list: { ...list, path: path.keys } }
  })
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
    query: { kind: 'keyed', keys, fields: [field()] },
  }
}
