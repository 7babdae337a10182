import {
  type InsertList,
  type InsertRow,
  type InsertTarget,
  isNested,
  type QualifiedName,
  type Reference,
} from '../../../ir/index.ts'
import type { Link } from './insert-clause.ts'

/** Rows of one table that are written together. */
export interface InsertGroup {
  readonly insert: InsertList
  readonly rows: readonly InsertRow[]
  /** To rows of groups before it, by their places in the list of all groups. */
  readonly links: readonly WrittenLink[]
}

type WrittenLink = Link & { readonly kind: 'written' }

/** A key is searched for in a list of as many. */
const MOST_ROWS = 2_000

/**
 * Returns the rows of an insert with all rows inside them as one group a table, those first that others refer to;
 * `root`: the group of its own rows. Null where rows written together would show that they were not written one by
 * one: where one of them may refer to another by more than nesting, where a table comes twice, or where some rows are
 * nested in another and some are not.
 */
export function insertGroups(
  insert: InsertList,
): { readonly groups: readonly InsertGroup[]; readonly root: number } | null {
  const groups: InsertGroup[] = []
  const root = addGroup(groups, insert, insert.rows, [])
  return root !== null && groups.every((group) => suits(group, groups)) ? { groups, root } : null
}

/** Whether grouping saves anything: there are several rows with rows inside them. */
export const hasGroups = ({ rows }: InsertList): boolean =>
  (rows.length > 1 && rows.some(isNested)) ||
  rows.some(({ before, after }) => [...before, ...after].some((nested) => hasGroups(nested.rows)))

function addGroup(
  groups: InsertGroup[],
  insert: InsertList,
  rows: readonly InsertRow[],
  links: readonly WrittenLink[],
): number | null {
  const own = [...links]
  for (const { relationship } of rows[0]?.before ?? []) {
    const nested = rows.flatMap(({ before }) => before.find((one) => one.relationship === relationship) ?? [])
    const inner = nested.flatMap((one) => one.rows.rows)
    const [first] = nested
    if (!first || inner.length !== rows.length) return null
    const by = addGroup(groups, first.rows, inner, [])
    if (by === null) return null
    const at = inner.length > 1 ? { at: inner.map((_, i) => i + 1) } : {}
    own.push(
      ...first.columns.map(({ from, to }) => ({ kind: 'written', column: from, by, source: to, ...at }) as const),
    )
  }
  if (rows.some(({ before }) => before.length !== (rows[0]?.before.length ?? 0))) return null
  const by = groups.push({ insert, rows, links: own }) - 1
  for (const relationship of new Set(rows.flatMap(({ after }) => after.map((one) => one.relationship)))) {
    const inner: InsertRow[] = []
    const at: number[] = []
    const found = rows.map(({ after }) => after.find((one) => one.relationship === relationship))
    for (const [i, nested] of found.entries())
      for (const row of nested?.rows.rows ?? []) {
        inner.push(row)
        at.push(i + 1)
      }
    const first = found.find((nested) => nested !== undefined)
    if (!first || inner.length === 0) continue
    const place = rows.length > 1 ? { at } : {}
    const inherited = first.columns.map(
      ({ from, to }) => ({ kind: 'written', column: to, by, source: from, ...place }) as const,
    )
    if (addGroup(groups, first.rows, inner, inherited) === null) return null
  }
  return by
}

function suits({ insert: { into }, rows, links }: InsertGroup, groups: readonly InsertGroup[]): boolean {
  if (rows.length > MOST_ROWS || groups.filter((other) => isSameTable(other.insert.into.table, into.table)).length > 1)
    return false
  // of lists the database makes one list of more dimensions
  if (links.some(({ column, at }) => at && typeOf(into, column)?.array !== false)) return false
  if (rows.some(({ values }) => links.some(({ column }) => values.has(column)))) return false
  return into.refersTo.every((key) => {
    const leadsTo = groups.findIndex((other) => isSameTable(other.insert.into.table, key.target))
    if (
      leadsTo < 0 ||
      key.columns.every(({ from }) => links.some((link) => link.column === from && link.by === leadsTo))
    )
      return true
    return !mayRefer({ into, rows, links }, key)
  })
}

/** Rows of one table that are written together, with the columns that they take from other rows. */
export interface WrittenRows {
  readonly into: InsertTarget
  readonly rows: readonly InsertRow[]
  readonly links: readonly Link[]
}

/** Whether one of the rows may refer to something by a foreign key: it does not where one of the columns is null. */
export const mayRefer = ({ into, rows, links }: WrittenRows, { columns }: Reference): boolean =>
  rows.some(({ values }) =>
    columns.every(({ from, isFilled }) => {
      const value = values.get(from)
      if (value?.kind === 'constant') return value.text !== null
      const isGiven = value !== undefined || links.some(({ column }) => column === from)
      return isGiven || isFilled || into.presets.some(({ column }) => column === from)
    }),
  )

const typeOf = (into: InsertTarget, column: string) => into.columns.find(({ name }) => name === column)?.type

export const isSameTable = (a: QualifiedName, b: QualifiedName): boolean => a.name === b.name && a.schema === b.schema
