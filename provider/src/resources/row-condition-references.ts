import { type Json, type JsonObject, recordOf } from '@svc/schema'
import type { Reference } from './define-resource.ts'
import { referencesOfFilter } from './filter-references.ts'
import { tableReference } from './in-table.ts'

/** What the row conditions of a permission name, `filter` and `check`: relationships and other tables of its source. */
export function referencesOfConditions(source: Json, table: Json, { permission }: JsonObject): readonly Reference[] {
  const body = recordOf(permission)
  return ['filter', 'check'].flatMap((attribute) => {
    const { relationships, elsewhere, tables } = referencesOfFilter(body[attribute])
    const through = (name: string, of: Json) =>
      ({ to: 'relationship', source, table: of, name, attribute: [attribute] }) as const
    return [
      ...relationships.map((name) => through(name, table)),
      ...elsewhere.map((name) => through(name, null)),
      ...tables.flatMap((one) => tableReference(source, one, attribute)),
    ]
  })
}
