/** What objects of a document refer to, found by walking over the plain JSON (reference/metadata-document#dependencies). */
import { asItem, type Document, findTable, type Item, isItem, items, named, nameText, texts } from './plain-document.ts'
import { foreignKeys, returnedBy } from './world.ts'

/** Something that others may use: a table, or a column, relationship or computed field of one, by its text. */
export type Used = string

export const usedSource = (source: unknown): Used => `source ${source}`
export const usedTable = (source: unknown, table: unknown): Used => `table ${source} ${nameText(table)}`
export const usedColumn = (source: unknown, table: unknown, column: unknown): Used =>
  `column ${source} ${nameText(table)} ${column}`
export const usedField = (source: unknown, table: unknown, field: unknown): Used =>
  `field ${source} ${nameText(table)} ${field}`

/** Where a relationship leads, with the columns that join the two tables. */
export interface Joined {
  readonly table: unknown
  readonly columns: readonly Used[]
}

export function joinedBy(document: Document, source: unknown, table: unknown, relationship: Item): Joined {
  const { foreign_key_constraint_on: key, manual_configuration: manual } = asItem(relationship.using)
  if (isItem(manual)) {
    const mapping = asItem(manual.column_mapping)
    const columns = Object.entries(mapping).flatMap(([own, other]) => [
      usedColumn(source, table, own),
      usedColumn(source, manual.remote_table, other),
    ])
    return { table: manual.remote_table, columns }
  }
  if (isItem(key)) {
    const columns = typeof key.column === 'string' ? [key.column] : texts(key.columns)
    return { table: key.table, columns: columns.map((column) => usedColumn(source, key.table, column)) }
  }
  const own = typeof key === 'string' ? [key] : texts(key)
  const found = foreignKeys.find(
    (one) => one.source === source && one.table === nameText(table) && own.includes(one.column),
  )
  const [schema, name] = currentName(document, found?.target ?? 'nowhere.nowhere').split('.')
  return { table: { schema, name }, columns: own.map((column) => usedColumn(source, table, column)) }
}

/** A foreign key leads to the table by whatever name the database has it. */
const currentName = (document: Document, target: string): string =>
  target === 'public.playlist' && findTable(document, 'default', { schema: 'public', name: 'mixtape' })
    ? 'public.mixtape'
    : target

/** The relationship of that name. */
export function relationshipOf(table: Item, name: string): Item | undefined {
  return (
    named(items(table, 'object_relationships'), 'name', name) ??
    named(items(table, 'array_relationships'), 'name', name)
  )
}

/** How keys of a row condition are written anew; undefined: as they are. */
export interface Rewriting {
  column?(source: unknown, table: unknown, column: string): string
  relationship?(source: unknown, table: unknown, name: string): string
  table?(source: unknown, table: unknown): unknown
}

export interface Walked {
  readonly expression: unknown
  readonly uses: readonly Used[]
}

/** A row condition with what it uses, rewritten. Tables that are not tracked are walked over as far as they are known. */
export function walkExpression(
  document: Document,
  source: unknown,
  table: unknown,
  expression: unknown,
  rewriting: Rewriting = {},
): Walked {
  const uses: Used[] = []
  const walk = (value: unknown, at: unknown): unknown => {
    if (!isItem(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, part]): [string, unknown] => {
        if (/^[_$](and|or)$/.test(key) && Array.isArray(part)) return [key, part.map((one) => walk(one, at))]
        if (/^[_$]not$/.test(key)) return [key, walk(part, at)]
        if (/^[_$]exists$/.test(key)) {
          const { _table: other, _where: where } = asItem(part)
          uses.push(usedTable(source, other))
          return [key, { _table: rewriting.table?.(source, other) ?? other, _where: walk(where, other) }]
        }
        const found = findTable(document, source, at)
        const relationship = found && relationshipOf(found, key)
        if (relationship) {
          const joined = joinedBy(document, source, at, relationship)
          uses.push(usedField(source, at, key), usedTable(source, joined.table))
          return [rewriting.relationship?.(source, at, key) ?? key, walk(part, joined.table)]
        }
        if (found && named(items(found, 'computed_fields'), 'name', key)) {
          const field = named(items(found, 'computed_fields'), 'name', key)
          const returned = returnedBy[nameText(asItem(field?.definition).function)]
          uses.push(usedField(source, at, key))
          if (returned == null) return [key, part]
          const [schema, name] = returned.split('.')
          uses.push(usedTable(source, { schema, name }))
          return [key, walk(part, { schema, name })]
        }
        uses.push(usedColumn(source, at, key))
        return [rewriting.column?.(source, at, key) ?? key, part]
      }),
    )
  }
  return { expression: walk(expression, table), uses }
}

const permissionLists = [
  'insert_permissions',
  'select_permissions',
  'update_permissions',
  'delete_permissions',
] as const

export { permissionLists }

export function usesOfPermission(
  document: Document,
  source: unknown,
  table: unknown,
  permission: Item,
): readonly Used[] {
  const { columns, filter, check, set, computed_fields: computed } = asItem(permission.permission)
  return [
    ...texts(columns).map((column) => usedColumn(source, table, column)),
    ...Object.keys(asItem(set)).map((column) => usedColumn(source, table, column)),
    ...texts(computed).map((field) => usedField(source, table, field)),
    ...walkExpression(document, source, table, filter).uses,
    ...walkExpression(document, source, table, check).uses,
  ]
}

export function usesOfRelationship(
  document: Document,
  source: unknown,
  table: unknown,
  relationship: Item,
): readonly Used[] {
  const { table: remote, columns } = joinedBy(document, source, table, relationship)
  return [usedTable(source, remote), ...columns]
}

export function usesOfTarget(definition: Item): readonly Used[] {
  const to = asItem(definition.to_source)
  if (to.table === undefined) return []
  const columns = Object.values(asItem(to.field_mapping))
  return [usedTable(to.source, to.table), ...columns.map((column) => usedColumn(to.source, to.table, column))]
}

/** Fields of its own table that a remote relationship joins by: columns, or computed fields. */
function fieldsOfRemote(definition: Item): readonly string[] {
  if (isItem(definition.to_source)) return Object.keys(asItem(definition.to_source.field_mapping))
  if (isItem(definition.to_remote_schema)) return texts(definition.to_remote_schema.lhs_fields)
  return texts(definition.svc_fields)
}

export function usesOfRemote(source: unknown, table: unknown, definition: Item): readonly Used[] {
  const own = fieldsOfRemote(definition)
  return [
    ...own.flatMap((field) => [usedColumn(source, table, field), usedField(source, table, field)]),
    ...usesOfTarget(definition),
  ]
}

/** Columns that a trigger names, to listen to or to send. */
export function usesOfTrigger(source: unknown, table: unknown, trigger: Item): readonly Used[] {
  const { insert, update, delete: deleted } = asItem(trigger.definition)
  return [insert, update, deleted].flatMap((operation) =>
    [...texts(asItem(operation).columns), ...texts(asItem(operation).payload)].map((column) =>
      usedColumn(source, table, column),
    ),
  )
}

export function tableReturned(called: unknown): unknown {
  const returned = returnedBy[nameText(called)]
  if (returned == null) return null
  const [schema, name] = returned.split('.')
  return { schema, name }
}
