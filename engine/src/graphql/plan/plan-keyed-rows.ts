import { always, type DatabaseType, type Join, type RootQuery, type RowField, type Value } from '../../ir/index.ts'
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
  /** The fields that hold the keys: of the n-th, the variable `joinVariable(n)` is the list. */
  readonly keys: readonly string[]
  /** Gives a list with `{"v": …}` for each key. */
  readonly query: Q
}

/** No variable of a request has such a name. */
export const joinVariable = (index: number): string => `:join:${index}`

const position: DatabaseType = { schema: 'pg_catalog', name: 'int8', kind: 'base', array: false }

/** The keys as rows of their own, and what they lead to as a relationship of these rows. */
export function planKeyedRows(
  context: Context,
  { as, args, selections, path }: SelectedField<unknown>,
  form: 'object' | 'array' | 'aggregate',
  { source, target, mapping }: KeyedRelationship,
): KeyedRows {
  const reached = useTable(context, target)
  const { table, filter } = reached.table
  const keys = mapping.map(({ column }, i): Key => {
    const type = reached.table.table.columnsByName.get(column)?.type
    if (!type) throw new Error(`table ${target} has no column ${column}`)
    const list = { kind: 'variable', variable: joinVariable(i), keys: [], type: { type, list: true } } as const
    return { name: `k${i}`, list: { ...list, path: path.keys }, isArray: type.array }
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
    query: {
      kind: 'rows',
      from: { schema: '', name: 'join_keys' },
      query: { parts: keysQuery(keys), readsOnly: true },
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

interface Key {
  readonly name: string
  readonly list: Value
  readonly isArray: boolean
}

/** Rows of keys with their position. `unnest` would take arrays inside a list apart, so that these are joined by position. */
function keysQuery(keys: readonly Key[]): readonly (string | Value)[] {
  const scalars = keys.filter(({ isArray }) => !isArray)
  const lists = scalars.flatMap(({ list }, i) => (i === 0 ? [list] : [', ', list]))
  const names = [...scalars.map(({ name }) => name), 'position'].join(', ')
  const tables: (string | Value)[][] = keys
    .filter(({ isArray }) => isArray)
    .map(({ name, list }) => [
      `(SELECT "q"."v" AS ${name}, row_number() OVER () AS position FROM (`,
      list,
      `) AS "q" ("v")) AS ${name}s`,
    ])
  if (scalars.length > 0) tables.unshift(['unnest(', ...lists, `) WITH ORDINALITY AS k(${names})`])
  return [
    'SELECT * FROM ',
    ...tables.flatMap((table, i) => (i === 0 ? table : [' JOIN ', ...table, ' USING (position)'])),
  ]
}
