import { isRecord, textsIn } from '@svc/schema'
import { walkObjects } from '../core/index.ts'
import { type AdvisedObject, permitsOf, type Rule, tableName } from './rule.ts'

/** A role that inherits reads columns of a table together that none of its parents reads together. */
export const inheritsMore: Rule = (object) => {
  const parents = textsIn(object.value.role_set)
  if (parents.length === 0) return []
  return [...readByTable(object, parents)].flatMap(([table, read]) => {
    const all = new Set(read.flatMap(({ columns }) => columns))
    if (read.length < 2 || read.some(({ columns }) => all.size === new Set(columns).size)) return []
    const each = read.map(({ role, columns }) => `${role} (${columns.join(', ')})`).join(' and ')
    return [
      {
        message: `of ${table} it reads together what only ${each} read one by one`,
        remedy: 'give it a permission of its own on the table, or one of the parents all of the columns',
      },
    ]
  })
}

interface Read {
  readonly role: string
  readonly columns: readonly string[]
}

function readByTable(
  { document, facts }: AdvisedObject,
  roles: readonly string[],
): ReadonlyMap<string, readonly Read[]> {
  const tables = new Map<string, readonly Read[]>()
  for (const { object, at, place } of walkObjects(document)) {
    const { role, permission } = object.value
    if (permitsOf(at.type, place) !== 'select' || !roles.includes(String(role)) || !isRecord(permission)) continue
    const table = tableName(place.table)
    const every = facts.get(String(place.source))?.get(table)?.types.keys() ?? []
    const columns = Array.isArray(permission.columns) ? permission.columns.map(String) : [...every]
    const key = place.source === 'default' ? table : `${String(place.source)}: ${table}`
    tables.set(key, [...(tables.get(key) ?? []), { role: String(role), columns }])
  }
  return tables
}
