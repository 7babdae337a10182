import { cascaded, dependents } from '../cascade.ts'
import { asItem, type Document, findSource, type Item, isItem, items, present, remove } from '../plain-document.ts'
import { usedSource, usedTable } from '../references.ts'
import { Refusal, type Rules } from '../rule.ts'
import { dropDependents } from './tables.ts'

/** As exports show it. */
function configurationOfSource(given: unknown): Item {
  const { connection_info, ...others } = asItem(given)
  const {
    database_url,
    isolation_level = 'read-committed',
    use_prepared_statements = false,
    ...rest
  } = asItem(connection_info)
  return { connection_info: { database_url, isolation_level, use_prepared_statements, ...rest }, ...others }
}

function customizationOf(given: unknown): Item | undefined {
  if (!isItem(given)) return undefined
  const parts = Object.entries(given).filter(([, part]) => !(isItem(part) && Object.keys(part).length === 0))
  return parts.length === 0 ? undefined : Object.fromEntries(parts)
}

function healthCheckOf(given: unknown): Item | undefined {
  return isItem(given) ? { retries: 3, retry_interval: 10, timeout: 10, ...given } : undefined
}

function need(document: Document, name: unknown): Item {
  const found = findSource(document, name)
  if (!found) throw new Refusal('not-exists')
  return found
}

/** Puts the keys of `parts` into an object; undefined takes one away. */
function put(item: Item, parts: Item): void {
  for (const [key, value] of Object.entries(parts))
    if (value === undefined) delete item[key]
    else item[key] = value
}

export const sourceRules: Rules = {
  add_source(document, args) {
    const configuration = configurationOfSource(args.configuration)
    const customization = customizationOf(args.customization)
    const known = findSource(document, args.name)
    if (known && args.replace_configuration !== true) throw new Refusal('already-exists')
    if (known) put(known, { configuration, customization })
    else
      items(document, 'sources').push({
        ...present({ name: args.name, kind: 'postgres', configuration, customization }),
        ...present({ health_check: healthCheckOf(args.health_check) }),
        tables: [],
      })
  },
  update_source(document, args) {
    const source = need(document, args.name)
    if (isItem(args.configuration)) source.configuration = configurationOfSource(args.configuration)
    // null says nothing, an empty one takes it away
    if (isItem(args.customization)) put(source, { customization: customizationOf(args.customization) })
    if (args.health_check !== undefined) put(source, { health_check: healthCheckOf(args.health_check) })
  },
  drop_source(document, args, context) {
    const source = need(document, args.name)
    const tables = items(source, 'tables').map(({ table }) => usedTable(source.name, table))
    const outside = dependents(document, tables, new Set([...tables, usedSource(source.name)]))
    dropDependents(outside, args.cascade, cascaded, context)
    remove(items(document, 'sources'), source)
  },
}

/** On sources of every kind. */
export const anySourceRules: Rules = {
  rename_source(document, args) {
    const source = need(document, args.name)
    if (args.name === args.new_name) return
    if (findSource(document, args.new_name)) throw new Refusal('already-exists')
    source.name = args.new_name
  },
  set_query_tags(document, args) {
    const source = need(document, args.source_name)
    const { disabled = false, format = 'standard', omit_request_id = true } = args
    source.query_tags = { disabled, format, omit_request_id }
  },
}
