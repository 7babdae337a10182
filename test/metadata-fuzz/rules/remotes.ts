import { asItem, type Document, type Item, isItem, items, named, present, remove } from '../plain-document.ts'
import { Refusal, type Rules } from '../rule.ts'
import { remoteDefinition } from './fields.ts'

const filled = (value: unknown): unknown => (isItem(value) && Object.keys(value).length === 0 ? undefined : value)

const definitionOf = (given: Item): Item =>
  present({
    timeout_seconds: 60,
    ...given,
    customization: filled(given.customization),
    headers: Array.isArray(given.headers) && given.headers.length === 0 ? undefined : given.headers,
    forward_client_headers: given.forward_client_headers === true ? true : undefined,
  })

function need(document: Document, name: unknown): Item {
  const found = named(items(document, 'remote_schemas'), 'name', name)
  if (!found) throw new Refusal('not-exists')
  return found
}

/** Relationships of tables and of types of other remote schemas that lead to it. */
function leadsTo(document: Document, name: unknown): boolean {
  const leads = (definition: unknown) =>
    asItem(asItem(definition).to_remote_schema).remote_schema === name || asItem(definition).remote_schema === name
  const ofTables = items(document, 'sources').some((source) =>
    items(source, 'tables').some((table) => items(table, 'remote_relationships').some((one) => leads(one.definition))),
  )
  const ofTypes = items(document, 'remote_schemas').some(
    (remote) =>
      remote.name !== name &&
      items(remote, 'remote_relationships').some((type) =>
        items(type, 'relationships').some((one) => leads(one.definition)),
      ),
  )
  return ofTables || ofTypes
}

function relationshipsOf(document: Document, args: Item): Item[] {
  const types = items(need(document, args.remote_schema), 'remote_relationships')
  const type = named(types, 'type_name', args.type_name)
  if (type) return items(type, 'relationships')
  const relationships: Item[] = []
  types.push({ type_name: args.type_name, relationships })
  return relationships
}

const put = (isUpdate: boolean) => (document: Document, args: Item) => {
  const list = relationshipsOf(document, args)
  const known = named(list, 'name', args.name)
  if (isUpdate && !known) throw new Refusal('not-exists')
  remove(list, known)
  list.push({ name: args.name, definition: remoteDefinition(document, args) })
}

export const remoteRules: Rules = {
  add_remote_schema(document, args, { may }) {
    const list = items(document, 'remote_schemas')
    if (named(list, 'name', args.name)) throw new Refusal('already-exists')
    may('invalid-params')
    list.push(present({ name: args.name, definition: definitionOf(asItem(args.definition)), comment: args.comment }))
  },
  update_remote_schema(document, args, { may }) {
    const known = need(document, args.name)
    may('invalid-params')
    known.definition = definitionOf(asItem(args.definition))
    if (args.comment === undefined) delete known.comment
    else known.comment = args.comment
  },
  remove_remote_schema(document, args, { atomic }) {
    const known = need(document, args.name)
    if (leadsTo(document, args.name) && !atomic) throw new Refusal('dependency-error')
    remove(items(document, 'remote_schemas'), known)
  },
  add_remote_schema_permissions(document, args, { may }) {
    const known = need(document, args.remote_schema)
    if (args.role === 'admin') throw new Refusal('constraint-violation')
    const list = items(known, 'permissions')
    if (named(list, 'role', args.role)) throw new Refusal('already-exists')
    may('validation-failed')
    list.push(present({ role: args.role, definition: args.definition, comment: args.comment }))
  },
  drop_remote_schema_permissions(document, args) {
    const list = items(need(document, args.remote_schema), 'permissions')
    if (!remove(list, named(list, 'role', args.role))) throw new Refusal('not-exists')
  },
  create_remote_schema_remote_relationship: put(false),
  update_remote_schema_remote_relationship: put(true),
  delete_remote_schema_remote_relationship(document, args) {
    const list = relationshipsOf(document, args)
    if (!remove(list, named(list, 'name', args.name))) throw new Refusal('not-exists')
  },
  reload_remote_schema(document, args) {
    need(document, args.name)
  },
}
