/**
 * What a query must answer, computed over rows in memory and written from the specification (spec 02) alone: nothing of
 * the engine is imported, and what PostgreSQL says of NULL, order and aggregates is said again by hand.
 */
import type { Expected } from './expected.ts'
import { canonical, countOf, evaluate, joined, order } from './oracle-condition.ts'
import type { Session, View } from './oracle-view.ts'
import type { AggregateOperator, AggregateValue, Direction, Field, OrderKey, Part, Root, Rows } from './query.ts'
import { columnOf, type Row, relationshipOf, type Table, tableOf, type Value, type World } from './world.ts'

/** Thrown where the answer hangs on which of several equal rows the database takes: such a query shows nothing. */
export class Ambiguous extends Error {}

export class Oracle {
  readonly #world: World
  readonly #view: View
  readonly #session: Session

  constructor(world: World, view: View, session: Session) {
    this.#world = world
    this.#view = view
    this.#session = session
  }

  answer(roots: readonly Root[]): Expected {
    return object(roots.map((root) => [root.as, this.#root(root)]))
  }

  #root(root: Root): Expected {
    const table = tableOf(this.#world, root.table)
    const rows = this.#view.rows(table.name)
    switch (root.kind) {
      case 'list':
        return this.#list(table, rows, root.rows, root.fields)
      case 'aggregate':
        return this.#aggregate(table, rows, root.rows, root.parts)
      case 'by_pk': {
        const row = rows.find((one) =>
          Object.entries(root.key).every(([column, value]) => this.#cell(table, one, column) === value),
        )
        return row ? this.#object(table, row, root.fields) : null
      }
    }
  }

  #cell(table: Table, row: Row, column: string): Value {
    return this.#view.cell(table.name, row, column)
  }

  #list(table: Table, candidates: readonly Row[], rows: Rows, fields: readonly Field[]): Expected {
    const limit = lower(rows.limit, this.#view.grant(table.name)?.limit ?? null)
    const groups = this.#select(table, candidates, { ...rows, limit })
    return { kind: 'list', groups: groups.map((group) => group.map((row) => this.#object(table, row, fields))) }
  }

  /** Aggregates see past the permission's limit, nodes do not (spec 02 §3.3). */
  #aggregate(table: Table, candidates: readonly Row[], rows: Rows, parts: readonly Part[]): Expected {
    return object(
      parts.map((part) => {
        if (part.kind === 'nodes') return [part.as, this.#list(table, candidates, rows, part.fields)]
        const selected = this.#select(table, candidates, rows).flat()
        return [part.as, object(part.values.map((value) => [value.as, this.#aggregateValue(table, selected, value)]))]
      }),
    )
  }

  #object(table: Table, row: Row, fields: readonly Field[]): Expected {
    return object(fields.map((field) => [field.as, this.#field(table, row, field)]))
  }

  #field(table: Table, row: Row, field: Field): Expected {
    if (field.kind === 'column' && field.column === '__typename') return table.name
    if (field.kind === 'column') return shown(this.#cell(table, row, field.column))
    const { target, rows } = this.#related(table, row, field.relationship)
    switch (field.kind) {
      case 'object': {
        if (rows.length > 1) return { kind: 'one-of', of: rows.map((one) => this.#object(target, one, field.fields)) }
        const [only] = rows
        return only ? this.#object(target, only, field.fields) : null
      }
      case 'array':
        return this.#list(target, rows, field.rows, field.fields)
      case 'aggregate':
        return this.#aggregate(target, rows, field.rows, field.parts)
    }
  }

  /** The rows that a relationship leads to and the role sees. */
  #related(table: Table, row: Row, name: string): { readonly target: Table; readonly rows: readonly Row[] } {
    const way = relationshipOf(this.#world, table.name, name)
    return { target: tableOf(this.#world, way.target), rows: joined(way.columns, row, this.#view.rows(way.target)) }
  }

  /** Filtered, ordered, made distinct and cut, in groups of rows whose order nothing says. */
  #select(table: Table, candidates: readonly Row[], { where, orderBy, distinctOn, limit, offset }: Rows): Row[][] {
    const found = candidates.filter(
      (row) => where === null || evaluate(this.#world, where, { table, row }, this.#session, this.#view) === true,
    )
    const keyed = found.map((row) => ({ row, keys: orderBy.map((key) => this.#orderValue(table, row, key)) }))
    const compare = (a: (typeof keyed)[number], b: (typeof keyed)[number]): number => {
      for (const [i, { direction }] of orderBy.entries()) {
        const sign = compareValues(a.keys[i] ?? null, b.keys[i] ?? null, direction)
        if (sign !== 0) return sign
      }
      return 0
    }
    const sorted = keyed.toSorted(compare)
    let groups: (typeof keyed)[] = []
    for (const one of sorted) {
      const last = groups.at(-1)
      if (last?.[0] && compare(last[0], one) === 0) last.push(one)
      else groups.push([one])
    }
    if (distinctOn.length > 0) {
      const keyOf = ({ row }: { row: Row }) =>
        distinctOn.map((column) => canonical(this.#cell(table, row, column))).join()
      const taken = new Set<string>()
      groups = groups.flatMap((group) => {
        const fresh = group.filter((one) => !taken.has(keyOf(one)))
        if (new Set(fresh.map(keyOf)).size < fresh.length) throw new Ambiguous()
        for (const one of fresh) taken.add(keyOf(one))
        return fresh.length > 0 ? [fresh] : []
      })
    }
    return cut(groups, offset ?? 0, limit).map((group) => group.map(({ row }) => row))
  }

  /** What lies beyond an object relationship that leads nowhere is NULL. */
  #orderValue(table: Table, row: Row, { through, of, direction }: OrderKey): Value {
    const [next, ...rest] = through
    if (next !== undefined) {
      const { target, rows } = this.#related(table, row, next)
      const values = rows.map((one) => this.#orderValue(target, one, { through: rest, of, direction }))
      if (new Set(values.map(canonical)).size > 1) throw new Ambiguous()
      return values[0] ?? null
    }
    if (of.kind === 'column') return this.#cell(table, row, of.column)
    const { target, rows } = this.#related(table, row, of.relationship)
    return of.kind === 'count' ? rows.length : this.#computed(target, rows, of.operator, of.column)
  }

  #aggregateValue(table: Table, rows: readonly Row[], value: AggregateValue): Expected {
    switch (value.kind) {
      case 'count': {
        const tuples = rows.map((row) => value.columns.map((column) => this.#cell(table, row, column)))
        return countOf(tuples, value.columns.length, value.distinct)
      }
      case 'operator':
        return object(
          value.columns.map(({ as, column }) => {
            const result = this.#computed(table, rows, value.operator, column)
            const isDivided = ['avg', 'variance', 'stddev_pop'].includes(value.operator)
            return [as, isDivided && typeof result === 'number' ? { kind: 'about', number: result } : shown(result)]
          }),
        )
    }
  }

  #computed(table: Table, rows: readonly Row[], operator: AggregateOperator, column: string): Value {
    columnOf(table, column)
    return aggregate(
      operator,
      rows.map((row) => this.#cell(table, row, column)).filter((value) => value !== null),
    )
  }
}

/** Over the values that are not NULL. */
function aggregate(operator: AggregateOperator, values: readonly Exclude<Value, null>[]): Value {
  if (values.length === 0) return null
  if (operator === 'min' || operator === 'max') {
    const sorted = values.toSorted(order)
    return (operator === 'min' ? sorted[0] : sorted.at(-1)) ?? null
  }
  const numbers = values.map(Number)
  const sum = numbers.reduce((a, b) => a + b, 0)
  const mean = sum / numbers.length
  const squares = numbers.reduce((total, number) => total + (number - mean) ** 2, 0)
  switch (operator) {
    case 'sum':
      return sum
    case 'avg':
      return mean
    case 'variance':
      return numbers.length < 2 ? null : squares / (numbers.length - 1)
    case 'stddev_pop':
      return Math.sqrt(squares / numbers.length)
  }
}

/** `asc` puts NULLs last, `desc` first (spec 02 §1.5). */
function compareValues(a: Value, b: Value, direction: Direction): number {
  const isDescending = direction.startsWith('desc')
  const nullsFirst = direction.endsWith('nulls_first') || direction === 'desc'
  if (a === null || b === null) {
    if (a === b) return 0
    return (a === null) === nullsFirst ? -1 : 1
  }
  // computed by dividing: what is this close is the same
  if (typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) < 1e-9) return 0
  return isDescending ? order(b, a) : order(a, b)
}

function cut<T>(groups: readonly T[][], offset: number, limit: number | null): T[][] {
  const total = groups.reduce((sum, group) => sum + group.length, 0)
  const end = limit === null ? total : Math.min(total, offset + limit)
  const kept: T[][] = []
  let start = 0
  for (const group of groups) {
    const [from, to] = [Math.max(offset, start), Math.min(end, start + group.length)]
    if (from < to) {
      if (to - from < group.length) throw new Ambiguous()
      kept.push(group)
    }
    start += group.length
  }
  return kept
}

const lower = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.min(a, b))

const object = (members: readonly (readonly [string, Expected])[]): Expected => ({ kind: 'object', members })

const shown = (value: Value): Expected =>
  typeof value === 'object' && value !== null ? { kind: 'json', text: canonical(value) } : value
