import { cascaded, type Dependent, dependents } from '../cascade.ts'
import {
  asItem,
  type Document,
  findFunction,
  findSource,
  findTable,
  type Item,
  isItem,
  items,
  nameOf,
  nameText,
  present,
  remove,
} from '../plain-document.ts'
import { usedTable } from '../references.ts'
import { Refusal, type RuleContext, type Rules, Uncertain } from '../rule.ts'

export const sourceName = (args: Item): string => (typeof args.source === 'string' ? args.source : 'default')

export function needSource(document: Document, args: Item): Item {
  const found = findSource(document, sourceName(args))
  if (!found) throw new Refusal('not-exists')
  return found
}

export function needTable(document: Document, args: Item): Item {
  needSource(document, args)
  const found = findTable(document, sourceName(args), args.table)
  if (!found) throw new Refusal('not-exists')
  return found
}

/** As exports show it; undefined where it customises nothing. */
function configurationOf(given: unknown): Item | undefined {
  const { custom_name, comment, custom_column_names, column_config, custom_root_fields } = asItem(given)
  const names = asItem(custom_column_names)
  const config = asItem(column_config)
  const columns = [...new Set([...Object.keys(config), ...Object.keys(names)])]
  const own = (column: string) => asItem(config[column])
  const merged = Object.fromEntries(
    columns.map((column) => [
      column,
      present({ custom_name: own(column).custom_name ?? names[column], comment: own(column).comment }),
    ]),
  )
  const configuration = present({
    column_config: merged,
    comment,
    custom_column_names: Object.fromEntries(
      Object.entries(merged).flatMap(([column, one]) =>
        one.custom_name === undefined ? [] : [[column, one.custom_name]],
      ),
    ),
    custom_name,
    custom_root_fields: asItem(custom_root_fields),
  })
  const isDefault = Object.values(configuration).every((part) => isItem(part) && Object.keys(part).length === 0)
  return isDefault ? undefined : configuration
}

function track(document: Document, args: Item, { may }: RuleContext): void {
  const source = needSource(document, args)
  if (findTable(document, source.name, args.table)) throw new Refusal('already-tracked')
  if (findFunction(document, source.name, args.table)) throw new Refusal('not-supported')
  may('not-exists', 'already-exists', 'validation-failed')
  const table = { table: nameOf(args.table), ...present({ configuration: configurationOf(args.configuration) }) }
  items(source, 'tables').push(
    present({
      ...table,
      is_enum: args.is_enum === true ? true : undefined,
      apollo_federation_config: args.apollo_federation_config,
    }),
  )
}

/** Drops what depends on something, or refuses. */
export function dropDependents(
  found: readonly Dependent[],
  cascade: unknown,
  removes: ReadonlySet<string>,
  { atomic, inconsistent }: Pick<RuleContext, 'atomic' | 'inconsistent'>,
): void {
  if (found.length === 0 || (atomic && cascade !== true)) return
  if (inconsistent.length > 0) throw new Uncertain()
  if (cascade !== true) throw new Refusal('dependency-error')
  if (found.some(({ kind }) => !removes.has(kind))) throw new Refusal('unexpected')
  for (const one of found) one.drop()
}

function untrack(document: Document, args: Item, context: RuleContext): void {
  const source = needSource(document, args)
  const table = findTable(document, source.name, args.table)
  if (!table) throw new Refusal('already-untracked')
  const own = usedTable(source.name, args.table)
  dropDependents(dependents(document, [own], new Set([own])), args.cascade, cascaded, context)
  remove(items(source, 'tables'), table)
}

/** Each member by itself; which of them the engine took back is in the warnings of its answer. */
const each =
  (one: (document: Document, args: Item, context: RuleContext) => void, judged: boolean) =>
  (document: Document, args: Item, context: RuleContext): void => {
    const members = (args.tables as unknown[]).map((member) =>
      isItem(member) && member.table !== undefined ? member : ({ table: member } as Item),
    )
    const texts = members.map((member) => `${sourceName(member)} ${nameText(member.table)}`)
    if (new Set(texts).size < texts.length) throw new Refusal('bad-request')
    const warned = new Set(
      (Array.isArray(asItem(context.answer).warnings) ? (asItem(context.answer).warnings as Item[]) : []).map(
        ({ name }) => name,
      ),
    )
    context.may('metadata-warnings', 'invalid-configuration')
    let failed = 0
    for (const member of members) {
      const { schema, name } = nameOf(member.table)
      const text = `table ${schema === 'public' ? name : `${schema}.${name}`} in source ${sourceName(member)}`
      // what the database says of it is the engine's to know
      if (judged && warned.has(text)) continue
      try {
        one(document, member, context)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        failed++
        if (context.answer !== null && !warned.has(text) && Array.isArray(context.answer) === false)
          throw new Error(`no warning of ${text}: ${error.message}`)
      }
    }
    if (failed === members.length && failed > 0) throw new Refusal('invalid-configuration')
  }

function customize(document: Document, args: Item, { may }: RuleContext, given: unknown): void {
  const table = needTable(document, args)
  may('not-exists', 'already-exists')
  const configuration = configurationOf(given)
  if (configuration) table.configuration = configuration
  else delete table.configuration
}

export const tableRules: Rules = {
  track_table: track,
  untrack_table: untrack,
  track_tables: each(track, true),
  untrack_tables: each(untrack, false),
  set_table_customization: (document, args, context) => customize(document, args, context, args.configuration),
  set_table_custom_fields(document, args, context) {
    const { comment, custom_name } = asItem(needTable(document, args).configuration)
    const { custom_root_fields, custom_column_names } = args
    customize(document, args, context, { comment, custom_name, custom_root_fields, custom_column_names })
  },
  set_table_is_enum(document, args) {
    const table = needTable(document, args)
    if (args.is_enum === true) table.is_enum = true
    else delete table.is_enum
  },
  set_apollo_federation_config(document, args) {
    const table = needTable(document, args)
    if (isItem(args.apollo_federation_config)) table.apollo_federation_config = args.apollo_federation_config
    else delete table.apollo_federation_config
  },
}
