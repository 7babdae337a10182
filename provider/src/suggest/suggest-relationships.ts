import { type JsonObject, recordsIn } from '@svc/schema'
import { type DatabaseTable, type ForeignKey, nameOf } from './database.ts'
import { freeName, graphqlName } from './free-name.ts'

/** A table whose relationships are searched for. */
export interface Related {
  readonly table: DatabaseTable
  /** Its metadata as far as there is some. */
  readonly tracked: JsonObject | null
}

export interface Relationships {
  readonly objects: readonly JsonObject[]
  readonly arrays: readonly JsonObject[]
}

/**
 * Both directions of each foreign key between two of the tables, by the table's name: all but those between two that
 * are tracked already, whose metadata someone chose. Names are unique within a table, among its columns and existing
 * relationships too.
 */
export function suggestRelationships(tables: readonly Related[]): ReadonlyMap<string, Relationships> {
  const found = new Map(tables.map((one) => [nameOf(one.table.name), begin(one)]))
  for (const { table } of tables)
    for (const key of table.foreignKeys) {
      const [from, to] = [found.get(nameOf(table.name)), found.get(nameOf(key.target))]
      if (!from || !to || (from.isTracked && to.isTracked)) continue
      const own = key.columns.map(([column]) => column)
      const [column = ''] = own
      const isAlone = own.length === 1
      const other = graphqlName(String(key.target.name))
      from.objects.push({
        name: freeName(from.taken, isAlone ? column.replace(/_?id$/i, '') : '', other, `${other}_by_${own.join('_')}`),
        using: using(table, key, null),
      })
      const holder = graphqlName(String(table.name.name))
      const isOne = table.keys.some((unique) => unique.every((one) => own.includes(one)))
      const list = isOne ? to.objects : to.arrays
      list.push({
        name: freeName(to.taken, holder, `${holder}_by_${own.join('_')}`),
        using: using(table, key, table),
      })
    }
  return found
}

interface Found extends Relationships {
  readonly isTracked: boolean
  readonly taken: Set<string>
  readonly objects: JsonObject[]
  readonly arrays: JsonObject[]
}

const begin = ({ table, tracked }: Related): Found => ({
  isTracked: tracked !== null,
  taken: new Set([...table.columns, ...fieldsOf(tracked)]),
  objects: [],
  arrays: [],
})

/** Names of relationships and computed fields that a table has. */
const fieldsOf = (tracked: JsonObject | null): readonly string[] =>
  ['object_relationships', 'array_relationships', 'computed_fields', 'remote_relationships'].flatMap((key) =>
    recordsIn(tracked?.[key]).map(({ name }) => String(name)),
  )

/** `holder`: of the relationship that leads to the table with the foreign key. Of two keys with the same columns each says its columns itself. */
function using(table: DatabaseTable, key: ForeignKey, holder: DatabaseTable | null): JsonObject {
  const columns = key.columns.map(([column]) => column)
  const isDouble = table.foreignKeys.some(
    (other) => other !== key && other.columns.map(([column]) => column).join('\n') === columns.join('\n'),
  )
  if (isDouble)
    return {
      manual_configuration: {
        remote_table: holder ? holder.name : key.target,
        column_mapping: Object.fromEntries(key.columns.map(([from, to]) => (holder ? [to, from] : [from, to]))),
        insertion_order: null,
      },
    }
  const [column = ''] = columns
  if (holder)
    return {
      foreign_key_constraint_on: { table: holder.name, ...(columns.length === 1 ? { column } : { columns }) },
    }
  return { foreign_key_constraint_on: columns.length === 1 ? column : columns }
}
