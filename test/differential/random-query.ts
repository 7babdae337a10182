import type { Random } from '../admin/random.ts'
import { cursorValues } from './oracle-connection.ts'
import { Ambiguous } from './oracle-values.ts'
import type { Asker, Grant } from './oracle-view.ts'
import type { Given, OrderKey, Page, Root } from './query.ts'
import { randomEdges, randomFields, randomPageInfo, randomParts } from './random-fields.ts'
import { randomRows } from './random-rows.ts'
import type { Column, Relationship, RootField, Routine, Row, Table } from './world.ts'
import { tableOf } from './world-lookup.ts'

/** Who asks a random query, in which dialect. */
export interface Wish {
  readonly asker: Asker
  readonly random: Random
  /** Relay's schema: rows are nodes with a global id, lists are connections. */
  readonly relay: boolean
  alias(): string
}

/** What a table offers to a role. */
export interface Sight {
  readonly table: Table
  readonly grant: Grant
  readonly columns: readonly Column[]
  /** Scalar ones. */
  readonly computed: readonly Routine[]
  /** Those that give rows which the role may select. */
  readonly computedRows: readonly { readonly routine: Routine; readonly target: Sight }[]
}

/** Root fields that a role may ask; null: there is nothing that it sees. */
export function randomQuery(asker: Asker, random: Random, relay: boolean): readonly Root[] | null {
  let aliases = 0
  // longer than PostgreSQL's names, and alike as far as these go
  const alias = () => (random.chance(0.03) ? `${'long_'.repeat(13)}${aliases++}` : `a${aliases++}`)
  const wish: Wish = { asker, random, relay, alias }
  const seen = [...asker.world.tables.keys()]
    .flatMap((name) => see(wish, name) ?? [])
    .filter(({ table }) => !relay || table.key.length > 0)
  if (seen.length === 0) return null
  const roots = Array.from({ length: random.chance(0.25) ? 2 + random.below(2) : 1 }, () =>
    randomRoot(wish, random.pick(seen)),
  )
  const given = roots.filter((root) => root !== null)
  return given.length > 0 ? given : null
}

/** The same root fields with other arguments. */
export function withOtherArguments(
  asker: Asker,
  random: Random,
  relay: boolean,
  roots: readonly Root[],
): readonly Root[] {
  const wish: Wish = { asker, random, relay, alias: () => 'none' }
  return roots.map((root): Root => {
    const sight = see(wish, root.table)
    if (!sight) return root
    if (root.kind === 'connection' || root.kind === 'function-connection') {
      const { rows, count, cursor } = randomPage(wish, sight, 3)
      return { ...root, page: { ...root.page, rows, count, cursor } }
    }
    if (!('rows' in root)) return root
    // a plan rests on directions, too
    if (random.chance(0.4)) return { ...root, rows: { ...root.rows, orderBy: root.rows.orderBy.map(reversed) } }
    return { ...root, rows: randomRows(wish, sight) }
  })
}

const reversed = (key: OrderKey): OrderKey => ({ ...key, direction: key.direction.startsWith('asc') ? 'desc' : 'asc' })

/** Null: the role may not select from the table. */
function see(wish: Wish, name: string, deep = true): Sight | null {
  const { world, view } = wish.asker
  const grant = view.grant(name)
  if (!grant) return null
  const table = tableOf(world, name)
  const own = world.routines.filter((one) => one.table === name)
  return {
    table,
    grant,
    columns: table.columns.filter((column) => grant.columns.includes(column.name)),
    computed: own.filter((one) => grant.computed.includes(one.name)),
    computedRows: deep
      ? own.flatMap((routine) => {
          const target = routine.body.kind === 'rows' ? see(wish, routine.body.target, false) : null
          return target ? [{ routine, target: target }] : []
        })
      : [],
  }
}

/** The relationships whose rows the role may select. */
export function waysOf(
  wish: Wish,
  { table }: Pick<Sight, 'table'>,
  kind?: Relationship['kind'],
): readonly { readonly way: Relationship; readonly target: Sight }[] {
  return wish.asker.world.relationships.flatMap((way) => {
    if (way.table !== table.name || (kind && way.kind !== kind)) return []
    const target = see(wish, way.target)
    return target ? [{ way, target }] : []
  })
}

const keyValue = (row: Row, column: string): number | string => {
  const value = row[column]
  return typeof value === 'number' ? value : String(value)
}

function randomRoot(wish: Wish, sight: Sight): Root | null {
  const { random, asker } = wish
  const { table, grant } = sight
  const to = { as: wish.alias(), table: table.name }
  if (table.kind === 'model') return randomNativeRoot(wish, sight)
  const randomKey = () => {
    // a row that there is, mostly
    const row = table.rows.length > 0 && random.chance(0.75) ? random.pick(table.rows) : null
    return Object.fromEntries(
      table.key.map((column) => [
        column,
        row ? keyValue(row, column) : table.kind === 'enum' ? 'black' : random.below(column === 'part' ? 2 : 8),
      ]),
    )
  }
  // now and then what the role may not ask
  const isBold = random.chance(0.05)
  const has = (field: RootField) => isBold || (grant.roots?.includes(field) ?? true)
  const functions = asker.world.routines.filter(
    ({ table: of, body }) => of === null && body.kind === 'rows' && body.target === table.name,
  )
  if (wish.relay) {
    const lists = functions.filter(({ body }) => body.kind === 'rows' && !body.single)
    if (lists.length > 0 && random.chance(0.3)) {
      const routine = random.pick(lists)
      const given = randomGiven(wish, routine)
      return { ...to, kind: 'function-connection', name: routine.name, given, page: randomPage(wish, sight, 0) }
    }
    if (random.chance(0.3) || !has('select'))
      return { ...to, kind: 'node', key: randomKey(), fields: randomFields(wish, sight, 0) }
    return { ...to, kind: 'connection', page: randomPage(wish, sight, 0) }
  }
  const hasKey =
    has('select_by_pk') && table.key.length > 0 && table.key.every((column) => grant.columns.includes(column))
  if (hasKey && random.chance(0.12))
    return { ...to, kind: 'by_pk', key: randomKey(), fields: randomFields(wish, sight, 0) }
  if (functions.length > 0 && random.chance(0.35)) {
    const routine = random.pick(functions)
    const { name, body } = routine
    const call = { name, given: randomGiven(wish, routine), rows: randomRows(wish, sight) }
    // a function of one row has no aggregates
    if (grant.aggregations && random.chance(0.3) && body.kind === 'rows' && !body.single)
      return { ...to, kind: 'function-aggregate', ...call, parts: randomParts(wish, sight, 0) }
    return { ...to, kind: 'function', ...call, fields: randomFields(wish, sight, 0) }
  }
  if ((grant.aggregations || isBold) && has('select_aggregate') && random.chance(0.3))
    return { ...to, kind: 'aggregate', rows: randomRows(wish, sight), parts: randomParts(wish, sight, 0) }
  if (!has('select')) return null
  return { ...to, kind: 'list', rows: randomRows(wish, sight), fields: randomFields(wish, sight, 0) }
}

function randomNativeRoot(wish: Wish, sight: Sight): Root | null {
  const { table } = sight
  const queries = wish.asker.world.queries.filter(({ model }) => model === table.name)
  if (queries.length === 0) return null
  const { name } = wish.random.pick(queries)
  return {
    as: wish.alias(),
    table: table.name,
    kind: 'native',
    name,
    given: randomNativeGiven(wish),
    rows: randomRows(wish, sight),
    fields: randomFields(wish, sight, 0),
  }
}

export function randomNativeGiven({ random }: Wish): Given {
  const high = random.chance(0.5) ? { high: random.chance(0.2) ? null : random.below(8) } : {}
  return { low: random.below(4), ...high }
}

/** What has a default may be left out, the last ones where they have no names. */
export function randomGiven({ random }: Wish, { arguments: declared, unnamed }: Routine): Given {
  const given: [string, number | string | null][] = []
  for (const { name, type, fallback } of declared) {
    if (fallback !== undefined && random.chance(0.4)) {
      if (unnamed) break
      continue
    }
    given.push([name, random.chance(0.08) ? null : type === 'int4' ? random.below(5) : random.pick(['?', '', 'x"\\y'])])
  }
  return Object.fromEntries(given)
}

export function randomPage(wish: Wish, sight: Sight, depth: number): Page {
  const { asker, random } = wish
  const { table } = sight
  const rows = { ...randomRows(wish, sight), limit: null, offset: null }
  const count = random.chance(0.6) ? { from: random.pick(['first', 'last'] as const), of: random.below(5) } : null
  const cursor = () => {
    try {
      const values = cursorValues(asker, table, random.pick(table.rows), rows)
      return { side: random.pick(['after', 'before'] as const), values }
    } catch (error) {
      if (error instanceof Ambiguous) return null
      throw error
    }
  }
  const edges = () => randomEdges(wish, sight, depth)
  const info = () => randomPageInfo(wish)
  return {
    rows,
    count,
    cursor: table.rows.length > 0 && random.chance(0.5) ? cursor() : null,
    parts: random.pick([() => [edges()], () => [info(), edges()], () => [edges(), info()], () => [info()]])(),
  }
}
