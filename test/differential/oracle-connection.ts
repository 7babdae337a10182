/** Relay's connections: pages of rows, forwards and backwards, between cursors (docs/relay.md). */
import type { Expected, Packed } from './expected.ts'
import { answerObject, lower } from './oracle.ts'
import { comparison, cut, groupRows, type Keyed, keyOf, orderValue } from './oracle-rows.ts'
import { object } from './oracle-shown.ts'
import { Ambiguous, canonical } from './oracle-values.ts'
import type { Asker } from './oracle-view.ts'
import type { EdgeField, OrderKey, Page, PageInfoName, Rows } from './query.ts'
import type { Row, Table, Value, World } from './world.ts'
import { arrayText, fieldOf, isArray, relationshipOf, rowsTarget, tableOf } from './world-lookup.ts'

/** The page is a stretch of all rows, which have one order: what lies before and behind it is another page. */
export function answerConnection(asker: Asker, table: Table, candidates: readonly Row[], page: Page): Expected {
  const { rows, count, cursor, parts } = page
  const orderBy = connectionOrder(table, rows)
  const groups = groupRows(asker, table, candidates, { ...rows, orderBy })
  const compare = comparison(asker, table, orderBy)
  const isInside = ({ keys }: Keyed): boolean => {
    if (!cursor) return true
    const sign = compare(keys, cursor.values)
    return cursor.side === 'after' ? sign > 0 : sign < 0
  }
  const sizes = groups.map((group) => group.length)
  const inside = groups.filter((group) => group[0] !== undefined && isInside(group[0]))
  const total = sum(sizes)
  const left = sum(inside.map((group) => group.length))
  const limit = lower(count?.of ?? null, asker.view.grant(table.name)?.limit ?? null) ?? left
  const size = Math.min(limit, left)
  // where the stretch of the rows on the right side of the cursor begins
  const start = cursor?.side === 'after' ? total - left : 0
  const from = count?.from === 'last' ? left - size : 0
  const shownGroups = cut(inside, from, size)
  const [begin, end] = [start + from, start + from + size]
  const ends = { hasPreviousPage: begin > 0, hasNextPage: end < total }
  const edgesOf = (fields: readonly EdgeField[]): Expected => ({
    kind: 'list',
    groups: shownGroups.map((group) => group.map((one) => answerEdge(asker, table, one, orderBy, fields))),
  })
  return object(
    parts.map((part) => {
      if (part.kind === 'edges') return [part.as, edgesOf(part.fields)]
      return [
        part.as,
        object(part.fields.map(({ as, name }) => [as, pageInfo(asker, table, shownGroups, orderBy, name, ends)])),
      ]
    }),
  )
}

function pageInfo(
  asker: Asker,
  table: Table,
  groups: readonly (readonly Keyed[])[],
  orderBy: readonly OrderKey[],
  name: PageInfoName,
  ends: { readonly hasPreviousPage: boolean; readonly hasNextPage: boolean },
): Expected {
  if (name === 'hasNextPage' || name === 'hasPreviousPage') return ends[name]
  // where a key is masked rows may be equal
  const equal = (name === 'startCursor' ? groups[0] : groups.at(-1)) ?? []
  return equal.length > 0 ? { kind: 'one-of', of: equal.map((one) => cursorOf(asker, table, orderBy, one.keys)) } : ''
}

function answerEdge(
  asker: Asker,
  table: Table,
  { row, keys }: Keyed,
  orderBy: readonly OrderKey[],
  fields: readonly EdgeField[],
): Expected {
  return object(
    fields.map((field) => [
      field.as,
      field.kind === 'cursor' ? cursorOf(asker, table, orderBy, keys) : answerObject(asker, table, row, field.fields),
    ]),
  )
}

/** The order ends with the key, so that no two rows are equal; without one, distinct columns are the order. */
export function connectionOrder(table: Table, { orderBy, distinctOn }: Rows): readonly OrderKey[] {
  const byColumn = (column: string): OrderKey => ({ through: [], of: { kind: 'column', column }, direction: 'asc' })
  const given = orderBy.length > 0 ? orderBy : distinctOn.map(byColumn)
  const has = (column: string) =>
    given.some(({ through, of }) => through.length === 0 && of.kind === 'column' && of.column === column)
  return [...given, ...table.key.filter((column) => !has(column)).map(byColumn)]
}

/** Where a value stands in a cursor. */
function keyNames(world: World, table: Table, { through, of, direction }: OrderKey): readonly string[] {
  const [next, ...rest] = through
  if (next !== undefined) {
    const target = tableOf(world, relationshipOf(world, table.name, next).target)
    return [next, ...keyNames(world, target, { through: rest, of, direction })]
  }
  if (of.kind === 'column') return [fieldOf(table, of.column)]
  const target = tableOf(world, rowsTarget(world, table, of.rows))
  return [`${of.rows}_aggregate`, ...(of.kind === 'count' ? ['count'] : [of.operator, fieldOf(target, of.column)])]
}

/** The values by their names, which are put together where they begin alike. */
export function cursorTree<T>(
  world: World,
  table: Table,
  orderBy: readonly OrderKey[],
  values: readonly T[],
): ReadonlyMap<string, T | ReadonlyMap<string, unknown>> {
  const tree = new Map<string, T | Map<string, unknown>>()
  for (const [i, key] of orderBy.entries()) {
    const names = keyNames(world, table, key)
    const inner = names.slice(0, -1).reduce<Map<string, unknown>>((at, name) => {
      const next = (at.get(name) as Map<string, unknown> | undefined) ?? new Map<string, unknown>()
      at.set(name, next)
      return next
    }, tree)
    const last = names.at(-1) ?? ''
    if (!inner.has(last)) inner.set(last, values[i])
  }
  return tree
}

function cursorOf({ world }: Asker, table: Table, orderBy: readonly OrderKey[], keys: readonly Value[]): Expected {
  return { kind: 'base64', of: cursorTree(world, table, orderBy, keys.map(packed)) as Packed }
}

function packed(value: Value): Expected {
  if (typeof value === 'number') return { kind: 'number', number: value, text: false }
  // lists as their text, since their JSON would not show where they begin
  if (isArray(value)) return arrayText(value)
  return typeof value === 'object' && value !== null ? { kind: 'json', text: canonical(value) } : value
}

/** What finds the row again: its table, and its key as far as the role sees it. */
export function nodeId(asker: Asker, table: Table, row: Row): Expected {
  return {
    kind: 'base64',
    of: [1, 'public', table.name, ...table.key.map((column) => packed(keyOf(asker, table, row, column)))],
  }
}

/** The values of a row in the order of a connection; throws Ambiguous where they are not known. */
export function cursorValues(asker: Asker, table: Table, row: Row, rows: Rows): readonly Value[] {
  return connectionOrder(table, rows).map((key) => {
    const { of } = key
    if (of.kind === 'aggregate' && !['min', 'max', 'sum'].includes(of.operator)) throw new Ambiguous()
    return orderValue(asker, table, row, key)
  })
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
