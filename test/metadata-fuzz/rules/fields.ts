/** Relationships, computed fields and remote relationships of tables. */
import { dependents, permissionsOnly } from '../cascade.ts'
import {
  asItem,
  type Document,
  type Item,
  isItem,
  items,
  named,
  nameOf,
  present,
  remove,
  texts,
} from '../plain-document.ts'
import { permissionLists, relationshipOf, usedField, walkExpression } from '../references.ts'
import { Refusal, type Rules } from '../rule.ts'
import { dropDependents, needSource, needTable, sourceName } from './tables.ts'

const fieldLists = ['object_relationships', 'array_relationships', 'computed_fields', 'remote_relationships'] as const

const hasField = (table: Item, name: unknown, lists: readonly string[] = fieldLists): boolean =>
  lists.some((list) => named(items(table, list), 'name', name))

/** As exports show it. */
function usingOf(using: unknown): Item {
  const { foreign_key_constraint_on: key, manual_configuration: manual } = asItem(using)
  if (isItem(manual))
    return {
      manual_configuration: {
        remote_table: nameOf(manual.remote_table),
        column_mapping: asItem(manual.column_mapping),
        insertion_order: manual.insertion_order ?? null,
      },
    }
  if (!isItem(key)) {
    const own = texts(key)
    return { foreign_key_constraint_on: own.length === 1 ? own[0] : key }
  }
  const columns = typeof key.column === 'string' ? [key.column] : texts(key.columns)
  const table = nameOf(key.table)
  return { foreign_key_constraint_on: columns.length === 1 ? { table, column: columns[0] } : { table, columns } }
}

const create = (list: string) => (document: Document, args: Item) => {
  const table = needTable(document, args)
  if (hasField(table, args.name)) throw new Refusal('already-exists')
  items(table, list).push(present({ name: args.name, using: usingOf(args.using), comment: args.comment ?? undefined }))
}

function needRelationship(document: Document, args: Item, name: unknown): Item {
  const found = relationshipOf(needTable(document, args), String(name))
  if (!found) throw new Refusal('not-exists')
  return found
}

function putRemote(document: Document, args: Item, isUpdate: boolean): void {
  const table = needTable(document, args)
  const list = items(table, 'remote_relationships')
  const known = named(list, 'name', args.name)
  if (isUpdate && !known) throw new Refusal(hasField(table, args.name) ? 'unexpected-payload' : 'not-exists')
  if (!isUpdate && !known && hasField(table, args.name)) throw new Refusal('already-exists')
  remove(list, known)
  list.push({ name: args.name, definition: remoteDefinition(document, args) })
}

export function remoteDefinition(_: Document, args: Item): Item {
  const given = isItem(args.definition)
    ? args.definition
    : { remote_schema: args.remote_schema, svc_fields: args.svc_fields, remote_field: args.remote_field }
  if (!isItem(given.to_source)) return given
  return { to_source: { ...given.to_source, table: nameOf(given.to_source.table) } }
}

export const fieldRules: Rules = {
  create_object_relationship: create('object_relationships'),
  create_array_relationship: create('array_relationships'),
  drop_relationship(document, args, context) {
    const table = needTable(document, args)
    const found = needRelationship(document, args, args.relationship)
    const used = usedField(sourceName(args), args.table, args.relationship)
    dropDependents(dependents(document, [used]), args.cascade, permissionsOnly, context)
    for (const list of ['object_relationships', 'array_relationships']) remove(items(table, list), found)
  },
  rename_relationship(document, args, { may }) {
    const table = needTable(document, args)
    const found = needRelationship(document, args, args.name)
    if (args.new_name === args.name) return
    if (hasField(table, args.new_name)) throw new Refusal('already-exists')
    may('already-exists')
    renameRelationship(document, args)
    found.name = args.new_name
  },
  set_relationship_comment(document, args) {
    const found = needRelationship(document, args, args.relationship)
    if (typeof args.comment === 'string') found.comment = args.comment
    else delete found.comment
  },
  add_computed_field(document, args) {
    const table = needTable(document, args)
    if (hasField(table, args.name)) throw new Refusal('already-exists')
    const definition = { ...asItem(args.definition), function: nameOf(asItem(args.definition).function) }
    items(table, 'computed_fields').push(present({ name: args.name, definition, comment: args.comment }))
  },
  drop_computed_field(document, args, context) {
    const table = needTable(document, args)
    const found = named(items(table, 'computed_fields'), 'name', args.name)
    if (!found) throw new Refusal('not-exists')
    const used = usedField(sourceName(args), args.table, args.name)
    dropDependents(dependents(document, [used]), args.cascade, permissionsOnly, context)
    remove(items(table, 'computed_fields'), found)
  },
  create_remote_relationship: (document, args) => putRemote(document, args, false),
  update_remote_relationship: (document, args) => putRemote(document, args, true),
  delete_remote_relationship(document, args) {
    needSource(document, args)
    const table = needTable(document, args)
    const found = named(items(table, 'remote_relationships'), 'name', args.name)
    if (!found) throw new Refusal(hasField(table, args.name) ? 'unexpected-payload' : 'not-exists')
    remove(items(table, 'remote_relationships'), found)
  },
}

/** Every condition of the source that leads over it. */
function renameRelationship(document: Document, args: Item): void {
  const source = sourceName(args)
  const target = nameOf(args.table)
  const relationship = (at: unknown, table: unknown, name: string) => {
    const { schema, name: called } = nameOf(table)
    return at === source && schema === target.schema && called === target.name && name === args.name
      ? String(args.new_name)
      : name
  }
  for (const table of items(needSource(document, args), 'tables'))
    for (const list of permissionLists)
      for (const { permission } of items(table, list)) {
        const body = asItem(permission)
        for (const key of ['filter', 'check'])
          if (isItem(body[key]))
            body[key] = walkExpression(document, source, table.table, body[key], { relationship }).expression
      }
}
