/** The whole document: replaced, cleared, rid of what is inconsistent. */
import { asItem, type Document, emptyDocument, findSource, type Item, items, named } from '../plain-document.ts'
import { Refusal, type RuleContext, type Rules } from '../rule.ts'

/** Cron triggers that are no part of the exported metadata stay. */
function keepHidden(before: Document, after: Document): void {
  const hidden = items(before, 'cron_triggers').filter((one) => one.include_in_metadata === false)
  for (const one of hidden) {
    const given = named(items(after, 'cron_triggers'), 'name', one.name)
    if (given?.include_in_metadata === false) continue
    if (given) throw new Refusal('already-exists')
    items(after, 'cron_triggers').push(one)
  }
}

function become(document: Document, now: Document): void {
  for (const key of Object.keys(document)) delete document[key]
  Object.assign(document, now)
}

export const wholeRules: Rules = {
  replace_metadata(document, args, context: RuleContext) {
    const given = structuredClone(asItem(args.metadata ?? args))
    keepHidden(document, given)
    context.may('unexpected')
    become(document, given)
  },
  clear_metadata(document) {
    const source = findSource(document, 'default')
    const { name, kind, configuration } = source ?? {}
    const cleared: Item = { ...emptyDocument(), sources: source ? [{ name, kind, configuration, tables: [] }] : [] }
    become(document, cleared)
  },
  reload_metadata(document, { reload_sources: given }) {
    if (Array.isArray(given) && given.some((name) => !findSource(document, name))) throw new Refusal('not-exists')
  },
}
