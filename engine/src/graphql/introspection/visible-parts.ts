import type { Masked, RoleTable } from '../types/role-table.ts'
import { isAlwaysThere } from '../types/row-type.ts'
import type { WriteTypes } from '../types/write-types.ts'

/** All of a table that shapes its types, in addition to what they share with those of every role. */
type Parts = Omit<
  RoleTable,
  'table' | 'role' | 'name' | 'types' | 'filter' | 'limit' | 'queryRootFields' | 'subscriptionRootFields' | 'inherited'
>

/**
 * What a role sees of a table and of the tables that its fields lead to: where two roles have the same, the types of the
 * table are the same.
 */
export function visibleParts(table: RoleTable, targets: ReadonlyMap<string, RoleTable>): string {
  const parts: Readonly<Record<keyof Parts, unknown>> = {
    columns: table.columns.map(seen),
    nested: table.nested.map((rows) => {
      const target = targets.get(rows.name)
      return [rows.name, target !== undefined && isAlwaysThere(rows, target)]
    }),
    computedFields: table.computedFields.map(seen),
    allowAggregations: table.allowAggregations,
  }
  const led = [...targets].map(([name, target]) => [name, target.allowAggregations, target.columns.length > 0])
  return JSON.stringify([Object.values(parts), led])
}

const seen = ({ name, mask }: { readonly name: string } & Masked) => (mask ? [name] : name)

/** The same of what it writes. */
export function writtenParts(types: WriteTypes | undefined): string {
  if (!types) return ''
  const { table, targets } = types
  const { insert, update, delete: remove, selects } = table
  const names = (columns: readonly { readonly name: string }[] | undefined) => columns?.map(({ name }) => name)
  // what rows of other tables may come along with depends on their keys and columns, which their references stand for
  return JSON.stringify([selects, names(insert?.columns), names(update?.columns), remove !== null, [...targets.keys()]])
}
