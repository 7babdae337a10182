import type { JsonObject } from '@svc/schema'

export interface TableInfo {
  readonly name: JsonObject
  readonly type: string
  readonly columns: readonly string[]
  readonly primaryKey: readonly string[]
  readonly foreignKeys: readonly { readonly target: JsonObject; readonly columns: readonly string[] }[]
}

/** `public.artist` */
export const tableName = ({ schema, dataset, name }: JsonObject): string =>
  `${String(schema ?? dataset)}.${String(name)}`

/** Metadata of tables, with both directions of each foreign key between two of them. Names are unique within a table. */
export function suggestTables(tables: readonly TableInfo[]): readonly JsonObject[] {
  const found = new Map(tables.map((table) => [tableName(table.name), { taken: new Set(table.columns), objects: [] as JsonObject[], arrays: [] as JsonObject[] }])) // biome-ignore format: one line
  for (const { name, foreignKeys, primaryKey } of tables)
    for (const { target, columns } of foreignKeys) {
      const [from, to] = [found.get(tableName(name)), found.get(tableName(target))]
      if (!from || !to) continue
      const key = columns.length === 1 ? { column: columns[0] ?? '' } : { columns }
      const [column = ''] = columns
      const other = String(target.name)
      const short = columns.length === 1 ? column.replace(/_?id$/i, '') : ''
      const forward = free(from.taken, short, other, `${other}_by_${columns.join('_')}`)
      const on = columns.length === 1 ? column : columns
      from.objects.push({ name: forward, using: { foreign_key_constraint_on: on } })
      const backward = free(to.taken, String(name.name), `${String(name.name)}_by_${columns.join('_')}`)
      const isOne = primaryKey.length > 0 && primaryKey.every((one) => columns.includes(one))
      const list = isOne ? to.objects : to.arrays
      list.push({ name: backward, using: { foreign_key_constraint_on: { table: name, ...key } } })
    }
  return tables.map(({ name }) => {
    const { objects = [], arrays = [] } = found.get(tableName(name)) ?? {}
    return {
      table: name,
      ...(objects.length > 0 ? { object_relationships: objects } : {}),
      ...(arrays.length > 0 ? { array_relationships: arrays } : {}),
    }
  })
}

/** The first name that no column and no other relationship has; the last with a number behind it where all are taken. */
function free(taken: Set<string>, ...names: readonly string[]): string {
  const wanted = names.filter((name) => /^[_A-Za-z]\w*$/.test(name))
  const last = wanted.at(-1) ?? 'related'
  let name = wanted.find((one) => !taken.has(one))
  for (let i = 2; name === undefined; i++) if (!taken.has(`${last}_${i}`)) name = `${last}_${i}`
  taken.add(name)
  return name
}
