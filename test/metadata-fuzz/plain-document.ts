/**
 * Metadata as plain JSON, in the form of its export (reference/metadata-document#objects): what the oracle of the fuzz
 * works on. Nothing of the engine is imported here.
 */

/** An object of the document. */
export type Item = { [key: string]: unknown }
export type Document = Item

export interface Name {
  readonly schema: string
  readonly name: string
}

export const emptyDocument = (): Document => ({ version: 3, sources: [] })

/** A list of an object; made when it is not there, and left out again by `tidy` when it stays empty. */
export function items(owner: Item, key: string): Item[] {
  const list = owner[key]
  if (Array.isArray(list)) return list as Item[]
  const made: Item[] = []
  owner[key] = made
  return made
}

export const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const asItem = (value: unknown): Item => (isItem(value) ? value : {})

export const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []

export function nameOf(value: unknown): Name {
  if (!isItem(value)) return { schema: 'public', name: String(value) }
  return { schema: typeof value.schema === 'string' ? value.schema : 'public', name: String(value.name) }
}

export const nameText = (value: unknown): string => {
  const { schema, name } = nameOf(value)
  return `${schema}.${name}`
}

export const sameName = (a: unknown, b: unknown): boolean => nameText(a) === nameText(b)

export const findSource = (document: Document, name: unknown): Item | undefined =>
  items(document, 'sources').find((source) => source.name === name)

export function findTable(document: Document, source: unknown, table: unknown): Item | undefined {
  const found = findSource(document, source)
  return found && items(found, 'tables').find((one) => sameName(one.table, table))
}

export function findFunction(document: Document, source: unknown, called: unknown): Item | undefined {
  const found = findSource(document, source)
  return found && items(found, 'functions').find((one) => sameName(one.function, called))
}

export const named = (list: readonly Item[], key: string, value: unknown): Item | undefined =>
  list.find((one) => one[key] === value)

/** Takes one out of its list; whether it was there. */
export function remove(list: Item[], item: Item | undefined): boolean {
  const at = item ? list.indexOf(item) : -1
  if (at < 0) return false
  list.splice(at, 1)
  return true
}

/** An object without the keys that are undefined. */
export const present = (entries: Item): Item =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined))

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const by =
  (...keys: readonly ((item: Item) => string)[]) =>
  (a: Item, b: Item): number => {
    for (const key of keys) {
      const [one, other] = [key(a), key(b)]
      if (one !== other) return one < other ? -1 : 1
    }
    return 0
  }
const byName = by(({ name }) => text(name))
const byRole = by(({ role }) => text(role))

/** The lists of each kind of object, and how an export sorts them (reference/metadata-document#order-of-an-export). */
const sorts: Readonly<Record<string, (a: Item, b: Item) => number>> = {
  sources: by(
    ({ name }) => (name === 'default' ? '0' : '1'),
    ({ name }) => text(name),
  ),
  tables: by(
    ({ table }) => nameOf(table).schema,
    ({ table }) => nameOf(table).name,
  ),
  functions: by(
    (one) => nameOf(one.function).schema,
    (one) => nameOf(one.function).name,
  ),
  object_relationships: byName,
  array_relationships: byName,
  computed_fields: byName,
  insert_permissions: byRole,
  select_permissions: byRole,
  update_permissions: byRole,
  delete_permissions: byRole,
  event_triggers: byName,
  permissions: byRole,
  native_queries: by(({ root_field_name }) => text(root_field_name)),
  logical_models: byName,
  remote_schemas: byName,
  query_collections: byName,
  allowlist: by(({ collection }) => text(collection)),
  actions: byName,
  cron_triggers: byName,
  rest_endpoints: by(({ url }) => text(url), byNameText),
  inherited_roles: by(({ role_name }) => text(role_name)),
}

function byNameText({ name }: Item): string {
  return text(name)
}

/** Sorted as exports are, without empty lists. Changes the document. */
export function tidy(document: Document): Document {
  tidyItem(document)
  for (const source of items(document, 'sources')) {
    tidyItem(source)
    for (const table of items(source, 'tables')) {
      tidyItem(table)
      if (Array.isArray(table.remote_relationships)) (table.remote_relationships as Item[]).sort(byName)
    }
    for (const called of (source.functions ?? []) as Item[]) tidyItem(called)
    for (const model of (source.logical_models ?? []) as Item[]) tidyItem(model)
  }
  for (const action of (document.actions ?? []) as Item[]) tidyItem(action)
  for (const remote of (document.remote_schemas ?? []) as Item[]) {
    tidyItem(remote)
    if (!Array.isArray(remote.remote_relationships)) continue
    const types = (remote.remote_relationships as Item[]).filter(
      ({ relationships }) => (relationships as Item[]).length,
    )
    for (const { relationships } of types) (relationships as Item[]).sort(byName)
    types.sort(by(({ type_name }) => text(type_name)))
    if (types.length > 0) remote.remote_relationships = types
    else delete remote.remote_relationships
  }
  return document
}

const alwaysThere = new Set(['sources', 'tables'])
/** Lists that are part of a value, which are exported as they were given. */
const ofValues = new Set(['object_relationships', 'array_relationships'])

function tidyItem(item: Item): void {
  for (const [key, value] of Object.entries(item)) {
    if (!Array.isArray(value)) continue
    const sort = sorts[key] ?? (key === 'remote_relationships' ? () => 0 : undefined)
    if (!sort || (ofValues.has(key) && item.root_field_name !== undefined)) continue
    if (value.length === 0 && !alwaysThere.has(key)) delete item[key]
    else (value as Item[]).sort(sort)
  }
}
