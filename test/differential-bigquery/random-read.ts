import type { Random } from '../admin/random.ts'
import { type Column, columnNames, randomValue, type Table, tableBeyond, tables } from './tables.ts'

/** Where a read begins, and whether its first relationships lead to the other database. */
export interface Way {
  readonly root: 'postgres' | 'bigquery'
  readonly far: boolean
}

/** A read as the text of a query; it orders rows by a key wherever order matters. */
export type Read = (way: Way) => string

export interface Visible {
  /** Columns of a table that a role may select. */
  columns(table: Table): readonly Column[]
}

/** `far`: remote relationships have to be selected by rows, and their columns with them. */
export function randomRead(random: Random, visible: Visible): Read {
  const table = random.pick(tables)
  const isAggregate = random.chance(0.3)
  const args = randomArguments(random, visible, table)
  const selection = isAggregate ? randomAggregate(random, visible, table, 2) : randomFields(random, visible, table, 2)
  return ({ root, far }) => {
    const name = root === 'postgres' ? table : `shop_${table}`
    return `{ rows: ${name}${isAggregate ? '_aggregate' : ''}${args} { ${selection(far)} } }`
  }
}

/** What is selected, the first relationships of it local or not. */
type Selection = (far: boolean) => string

function randomFields(random: Random, visible: Visible, table: Table, depth: number): Selection {
  const plain = visible.columns(table).filter(() => random.chance(0.5))
  const parts: Selection[] = [...(random.chance(0.2) ? ['__typename_'] : []), 'id', ...plain].map(
    (name) => () => (name === '__typename_' ? 'same: id' : name),
  )
  if (depth > 0)
    for (let i = random.below(3); i > 0; i--) {
      const kind = random.pick(['to', 'from', 'from', 'from_aggregate'] as const)
      const of = kind === 'to' ? 'to' : 'from'
      const target = tableBeyond(table, of)
      const args = kind === 'to' ? '' : randomArguments(random, visible, target)
      const inner =
        kind === 'from_aggregate'
          ? randomAggregate(random, visible, target, depth - 1)
          : randomFields(random, visible, target, depth - 1)
      parts.push((far) => `r${i}: ${far ? 'far_' : ''}${kind}${args} { ${inner(false)} }`)
    }
  return (far) => parts.map((part) => part(far)).join(' ')
}

const numeric: readonly Column[] = ['n', 'x', 'p']
const comparable: readonly Column[] = ['n', 'x', 'p', 's', 'd', 't']

function randomAggregate(random: Random, visible: Visible, table: Table, depth: number): Selection {
  const parts: string[] = ['count']
  const some = (of: readonly Column[]) => of.filter((name) => visible.columns(table).includes(name))
  if (random.chance(0.4)) parts.push(`c: count(columns: [${random.pick(visible.columns(table))}])`)
  if (random.chance(0.4)) parts.push(`u: count(columns: [${random.pick(visible.columns(table))}], distinct: true)`)
  const operators = [
    'sum',
    'avg',
    'max',
    'min',
    'stddev',
    'stddev_pop',
    'stddev_samp',
    'var_pop',
    'var_samp',
    'variance',
  ]
  for (const operator of operators.filter(() => random.chance(0.25))) {
    const of = some(operator === 'max' || operator === 'min' ? comparable : numeric)
    if (of.length > 0) parts.push(`${operator} { ${random.pick(of)} ${random.pick(of)} }`)
  }
  const values = `aggregate { ${parts.join(' ')} }`
  if (random.chance(0.4)) return () => values
  const nodes = randomFields(random, visible, table, depth - 1)
  return (far) => `${values} nodes { ${nodes(far)} }`
}

function randomArguments(random: Random, visible: Visible, table: Table): string {
  const parts: string[] = []
  const order = ['asc', 'desc'].flatMap((way) => [`${way}_nulls_first`, `${way}_nulls_last`])
  const keys: string[] = []
  if (random.chance(0.15)) {
    const distinct = random.pick(visible.columns(table))
    parts.push(`distinct_on: [${distinct}]`)
    keys.push(`{ ${distinct}: ${random.pick(order)} }`)
  }
  if (random.chance(0.4)) keys.push(`{ ${random.pick(visible.columns(table))}: ${random.pick(order)} }`)
  if (random.chance(0.2))
    keys.push(`{ to: { ${random.pick(visible.columns(tableBeyond(table, 'to')))}: ${random.pick(order)} } }`)
  if (random.chance(0.2)) keys.push(`{ from_aggregate: { count: ${random.pick(order)} } }`)
  if (random.chance(0.1)) keys.push(`{ from_aggregate: { max: { id: ${random.pick(order)} } } }`)
  keys.push(`{ id: ${random.pick(['asc_nulls_first', 'desc_nulls_first'])} }`)
  parts.push(`order_by: [${keys.join(', ')}]`)
  if (random.chance(0.5)) parts.push(`where: ${randomWhere(random, visible, table, 2)}`)
  if (random.chance(0.4)) parts.push(`limit: ${random.below(5)}`)
  if (random.chance(0.3)) parts.push(`offset: ${random.below(3)}`)
  return `(${parts.join(', ')})`
}

function randomWhere(random: Random, visible: Visible, table: Table, depth: number): string {
  const inner = () => randomWhere(random, visible, table, depth - 1)
  const kind = depth > 0 ? random.below(7) : 0
  if (kind === 1) return `{ _and: [${inner()}, ${inner()}] }`
  if (kind === 2) return `{ _or: [${inner()}, ${inner()}] }`
  if (kind === 3) return `{ _not: ${inner()} }`
  if (kind === 4) return `{ _or: [] }`
  if (kind >= 5) {
    const relationship = random.pick(['to', 'from'] as const)
    return `{ ${relationship}: ${randomWhere(random, visible, tableBeyond(table, relationship), depth - 1)} }`
  }
  const column = random.pick(visible.columns(table))
  if (random.chance(0.15)) return `{ ${column}: { _is_null: ${random.chance(0.5)} } }`
  const value = () => JSON.stringify(randomValue(random, column))
  if (column === 's' && random.chance(0.5)) {
    // none with `_`, which the emulator takes for itself, and ASCII, of which alone PostgreSQL's collation C knows the case
    const pattern = random.pick(['%e%', 'B%', 'c%t', '%', '%t', 'é'])
    return `{ s: { ${random.pick(['_like', '_nlike', '_ilike', '_nilike'])}: "${pattern}" } }`
  }
  if (random.chance(0.3)) {
    const list = Array.from({ length: random.below(4) }, value)
    return `{ ${column}: { ${random.pick(['_in', '_nin'])}: [${list.join(', ')}] } }`
  }
  return `{ ${column}: { ${random.pick(['_eq', '_neq', '_gt', '_lt', '_gte', '_lte'])}: ${value()} } }`
}

export const everyColumn: Visible = { columns: () => columnNames }
