/** What goes with an object that is dropped: whatever uses it, and what uses that (reference/metadata-document#dependencies). */
import { asItem, type Document, type Item, items, remove } from './plain-document.ts'
import {
  permissionLists,
  tableReturned,
  type Used,
  usedField,
  usedSource,
  usedTable,
  usesOfPermission,
  usesOfRelationship,
  usesOfRemote,
  usesOfTarget,
  usesOfTrigger,
} from './references.ts'

export interface Dependent {
  /** Which kind of object it is, as the list is called that holds it. */
  readonly kind: string
  readonly uses: readonly Used[]
  /** What others may use of it. */
  readonly gives: Used | null
  /** The table or source it stands in; null: none. */
  readonly within: Used | null
  drop(): void
}

/** Everything in a document that uses tables, columns or fields. */
function usersIn(document: Document): readonly Dependent[] {
  const found: Dependent[] = []
  const add = (kind: string, list: Item[], item: Item, uses: readonly Used[], more: Partial<Dependent> = {}) =>
    void found.push({ kind, uses, gives: null, within: null, drop: () => void remove(list, item), ...more })
  for (const source of items(document, 'sources')) {
    for (const table of items(source, 'tables')) {
      const within = usedTable(source.name, table.table)
      const own = (field: unknown) => usedField(source.name, table.table, field)
      for (const kind of ['object_relationships', 'array_relationships']) {
        const list = items(table, kind)
        for (const one of list)
          add(kind, list, one, usesOfRelationship(document, source.name, table.table, one), {
            within,
            gives: own(one.name),
          })
      }
      for (const kind of permissionLists) {
        const list = items(table, kind)
        for (const one of list)
          add(kind, list, one, usesOfPermission(document, source.name, table.table, one), { within })
      }
      const computed = items(table, 'computed_fields')
      for (const one of computed) {
        const returned = tableReturned(asItem(one.definition).function)
        const uses = returned === null ? [] : [usedTable(source.name, returned)]
        add('computed_fields', computed, one, uses, { within, gives: own(one.name) })
      }
      const remotes = items(table, 'remote_relationships')
      for (const one of remotes)
        add('remote_relationships', remotes, one, usesOfRemote(source.name, table.table, asItem(one.definition)), {
          within,
          gives: own(one.name),
        })
      const triggers = items(table, 'event_triggers')
      for (const one of triggers)
        add('event_triggers', triggers, one, usesOfTrigger(source.name, table.table, one), { within })
    }
    const functions = items(source, 'functions')
    for (const one of functions) {
      const returned = tableReturned(one.function)
      const uses = returned === null ? [] : [usedTable(source.name, returned)]
      add('functions', functions, one, uses, { within: usedSource(source.name) })
    }
    for (const query of items(source, 'native_queries'))
      for (const key of ['object_relationships', 'array_relationships'])
        for (const one of (query[key] ?? []) as Item[])
          add(
            'native_queries',
            items(source, 'native_queries'),
            query,
            [usedTable(source.name, asItem(asItem(one.using).manual_configuration).remote_table)],
            { within: usedSource(source.name) },
          )
  }
  for (const remote of items(document, 'remote_schemas'))
    for (const type of items(remote, 'remote_relationships')) {
      const list = items(type, 'relationships')
      for (const one of list) add('type_relationships', list, one, usesOfTarget(asItem(one.definition)))
    }
  for (const type of (asItem(document.custom_types).objects ?? []) as Item[])
    for (const one of (type.relationships ?? []) as Item[])
      add('custom_types', [], one, [usedTable(one.source ?? 'default', one.remote_table)])
  return found
}

/**
 * What depends on any of `dropped`, directly or over others, and stands outside of `inside`. What is found is dropped where
 * `cascade`; a kind that no cascade removes is left, and reported.
 */
export function dependents(
  document: Document,
  dropped: readonly Used[],
  inside: ReadonlySet<Used> = new Set(),
): readonly Dependent[] {
  const gone = new Set(dropped)
  const users = usersIn(document)
  const found = new Set<Dependent>()
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const user of users) {
      if (found.has(user) || (user.within !== null && inside.has(user.within))) continue
      if (!user.uses.some((used) => gone.has(used))) continue
      found.add(user)
      if (user.gives !== null) gone.add(user.gives)
    }
  }
  return [...found]
}

export const cascaded: ReadonlySet<string> = new Set([
  'object_relationships',
  'array_relationships',
  'insert_permissions',
  'select_permissions',
  'update_permissions',
  'delete_permissions',
  'computed_fields',
  'remote_relationships',
  'event_triggers',
  'functions',
  'type_relationships',
])
export const permissionsOnly: ReadonlySet<string> = new Set([
  'insert_permissions',
  'select_permissions',
  'update_permissions',
  'delete_permissions',
])
