/**
 * What of the catalogue has been written since a check of it: row versions carry the transaction that wrote them, and what is
 * gone changes a count. Each part of the catalogue is read once from end to end: at 5,000 tables all fingerprints take 200 ms,
 * this 25, and 15 where rows are only counted. New rows have oids above all that there were, so the counts add up unless
 * something is gone.
 */
import type { DatabaseTable } from '../../backend.ts'
import type { Ask } from './ask.ts'
import { onlyCounted } from './catalogue-parts.ts'
import {
  type CatalogueMark,
  type KeyedTotal,
  type Look,
  type Part,
  readTotals,
  type Total,
} from './catalogue-totals.ts'

export interface CatalogueChanges {
  readonly mark: CatalogueMark
  /** Oids of relations of which something was written; `all`: it cannot be said. */
  readonly relations: ReadonlySet<string> | 'all'
  /** Nothing at all was written: not even what no table shows, as functions and types. */
  readonly isNothing: boolean
}

/** What has been written since `mark`, in relations that `known` is about; null: since ever. */
export async function changesSince(
  ask: Ask,
  mark: CatalogueMark | null,
  known: ReadonlyMap<string, DatabaseTable>,
): Promise<CatalogueChanges> {
  const counts = mark && !mark.countsFail ? await readTotals(ask, mark, true, 'svc_counts_since') : null
  const counted = mark && counts && addedUp(mark, counts, known)
  const { now, parts } = counted ?? (await readTotals(ask, mark, false, mark ? 'svc_changes_since' : undefined))
  const next: CatalogueMark = { ...now, countsFail: counts !== null && !counted }
  const isOther = mark === null || mark.place !== now.place || mark.oldest > now.oldest
  const isSame = ({ name, all, written, relations }: Part) =>
    relations.length === 0 && explained(mark?.totals.get(name), all, written)
  const isGone = ({ name, all, written }: Part) => !explained(mark?.totals.get(name), all, written)
  const ofTables = parts.filter(({ name }) => !sharedParts.has(name))
  if (isOther || ofTables.some(isGone) || concernsOthers(parts, known))
    return { mark: next, relations: 'all', isNothing: false }
  const relations = new Set(ofTables.flatMap((part) => part.relations))
  return { mark: next, relations: withViews(relations, parts, known), isNothing: parts.every(isSame) }
}

/** A check of which rows were only counted, with its totals; null where some may be gone. */
function addedUp(mark: CatalogueMark, { now, parts }: Look, known: ReadonlyMap<string, DatabaseTable>): Look | null {
  const whole: Part[] = []
  for (const part of parts) {
    const before = mark.totals.get(part.name)
    const isCounted = onlyCounted.has(part.name)
    if (!before || (isCounted && !isAddition(before, part, known))) return null
    whole.push(isCounted ? { ...part, all: totalWith(before, part) } : part)
  }
  return { now: { ...now, totals: new Map(whole.map(({ name, all }) => [name, all])) }, parts: whole }
}

/**
 * Once oids have begun again, a new row may have a smaller one: what is written and does not have a greater one is to be a
 * table that was known.
 */
function isAddition(
  before: Total,
  { name, all, news, olds }: Part,
  known: ReadonlyMap<string, DatabaseTable>,
): boolean {
  if (all.rows !== before.rows + news) return false
  if (olds.length === 0) return true
  if (name !== 'relation') return false
  const oids = new Set([...known.values()].map(({ oid }) => oid))
  return olds.every((oid) => oids.has(oid))
}

const totalWith = (before: Total, { all, written }: Part): Total => ({
  rows: all.rows,
  most: all.most > before.most ? all.most : before.most,
  count: before.count + written.count,
  sum: before.sum + written.sum,
})

/** Parts that no table's description is made of; tables are of types, and are read where one changes. */
const sharedParts: ReadonlySet<string> = new Set(['type', 'routine', 'operator'])

/** Rows are as many as before, or all that were written are new. Else some may be gone. */
const explained = (before: KeyedTotal | undefined, all: KeyedTotal, written: KeyedTotal): boolean =>
  sameTotal(before, all) ||
  (before !== undefined && before.count + written.count === all.count && before.sum + written.sum === all.sum)

const sameTotal = (before: KeyedTotal | undefined, all: KeyedTotal): boolean =>
  before !== undefined && before.count === all.count && before.sum === all.sum

/** A type that may have another name now: tables are of it that were not written themselves. That of a new table has no users. */
function concernsOthers(parts: readonly Part[], known: ReadonlyMap<string, DatabaseTable>): boolean {
  const types = parts.find(({ name }) => name === 'type')?.relations ?? []
  if (types.length === 0) return false
  const oids = new Set([...known.values()].map(({ oid }) => oid))
  return types.some((relation) => relation === '0' || oids.has(relation))
}

/** What may be written through a view is decided by what it shows: all are read where one of them changed. */
function withViews(
  relations: ReadonlySet<string>,
  parts: readonly Part[],
  known: ReadonlyMap<string, DatabaseTable>,
): ReadonlySet<string> {
  return withAllViews(
    relations,
    known,
    parts.some(({ name, relations: of }) => name === 'foreign' && of.length > 0),
  )
}

/** The relations, and all views where one of them is of these or `isForeign`. */
export function withAllViews(
  relations: ReadonlySet<string>,
  known: ReadonlyMap<string, DatabaseTable>,
  isForeign: boolean,
): ReadonlySet<string> {
  const views = [...known.values()].filter(({ kind }) => kind === 'view' || kind === 'foreign-table')
  const isConcerned = isForeign || views.some(({ oid }) => relations.has(oid))
  return isConcerned ? new Set([...relations, ...views.map(({ oid }) => oid)]) : relations
}
