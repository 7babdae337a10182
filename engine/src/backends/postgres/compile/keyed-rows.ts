import { always, type KeyList, type RootQuery, type Rows, type Value } from '../../../ir/index.ts'

type RootRows = Extract<RootQuery, { readonly kind: 'rows' }>

/** The keys as rows of their own, in their order: what they lead to are relationships of these rows. */
export const keyedRows = ({ keys, fields }: Extract<RootQuery, { readonly kind: 'keyed' }>): RootRows => ({
  kind: 'rows',
  from: { schema: '', name: 'join_keys' },
  query: { parts: keysQuery(keys) },
  rows: inTheirOrder,
  fields,
})

const position = { schema: 'pg_catalog', name: 'int8', kind: 'base', array: false } as const

const inTheirOrder: Rows = {
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
}

/**
 * Rows of keys with their position. `unnest` would flatten arrays inside a list, so that these are joined by position.
 */
function keysQuery(keys: readonly KeyList[]): readonly (string | Value)[] {
  const scalars = keys.filter(({ list }) => !list.type.type.array)
  const lists = scalars.flatMap(({ list }, i) => (i === 0 ? [list] : [', ', list]))
  const names = [...scalars.map(({ name }) => name), 'position'].join(', ')
  const tables: (string | Value)[][] = keys
    .filter(({ list }) => list.type.type.array)
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
