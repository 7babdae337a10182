import type { Argument, Input } from './print-input.ts'
import type { Given, OrderKey, Rows } from './query.ts'
import type { ColumnType, Condition, Argument as Declared, Operator, Predicate, Table, Value, World } from './world.ts'
import { arrayText, computedOf, fieldOf, isArray, relationshipOf, rowsTarget, tableOf, typeOf } from './world-lookup.ts'

const scalars: Readonly<Record<ColumnType, string>> = {
  int2: 'smallint',
  float4: 'Float',
  timestamptz: 'timestamptz',
  mood: 'mood',
  interval: 'interval',
  time: 'time',
  bytea: 'bytea',
  int4range: 'int4range',
  bpchar: 'bpchar',
  int4: 'Int',
  int8: 'bigint',
  numeric: 'numeric',
  float8: 'float8',
  text: 'String',
  citext: 'citext',
  ltree: 'ltree',
  bool: 'Boolean',
  date: 'date',
  uuid: 'uuid',
  jsonb: 'jsonb',
  'int4[]': '[Int!]',
  'text[]': '[String!]',
  hue: 'hue_enum',
}

const object = (type: string, key: string, value: Input): Input => ({ kind: 'object', type, members: [[key, value]] })
const integer = (value: number): Input => ({ kind: 'scalar', type: 'Int', value })

/** The arguments of lists, each once. */
export function rowsArguments(
  world: World,
  table: Table,
  { columns, where, orderBy, distinctOn, limit, offset }: Rows,
): readonly Argument[] {
  const order = `${table.name}_order_by`
  const column = `${table.name}_select_column`
  return [
    ['where', where && whereInput(world, table, where), `${table.name}_bool_exp`],
    [
      'order_by',
      orderBy.length === 0
        ? null
        : { kind: 'list', element: order, of: inPairs(orderBy.map((key) => orderInput(world, table, key))) },
      columns ? `[${order}!]` : null,
    ],
    ['distinct_on', distinctOn.length === 0 ? null : columnsInput(table, distinctOn), columns ? `[${column}!]` : null],
    ['limit', limit === null ? null : integer(limit), 'Int'],
    ['offset', offset === null ? null : integer(offset), 'Int'],
  ]
}

/** Keys of an object count in their order, so that two objects may be one. */
function inPairs([first, second, ...rest]: readonly Input[]): readonly Input[] {
  if (!first) return []
  const together = second ? asOne([first, second]) : null
  return together ? [together, ...rest] : [first, ...inPairs(second ? [second, ...rest] : [])]
}

export function columnsInput(table: Table, names: readonly string[]): Input {
  const type = `${table.name}_select_column`
  return { kind: 'list', element: type, of: names.map((name) => ({ kind: 'enum', type, value: fieldOf(table, name) })) }
}

/** The `args` of a function; none where nothing is given. */
export function givenArguments(
  type: string,
  declared: readonly Declared[],
  given: Given,
  unnamed: boolean,
): readonly Argument[] {
  const members = declared.flatMap(({ name, type: of }, i) => {
    if (!Object.hasOwn(given, name)) return []
    const input: Input = { kind: 'scalar', type: of === 'int4' ? 'Int' : 'String', value: given[name] }
    return [[unnamed ? `arg_${i + 1}` : name, input] as const]
  })
  const required = declared.some(({ fallback }) => fallback === undefined)
  return members.length > 0 ? [['args', { kind: 'object', type, required, members }, null]] : []
}

function whereInput(world: World, table: Table, where: Condition): Input {
  const type = `${table.name}_bool_exp`
  const inner = (one: Condition) => whereInput(world, table, one)
  switch (where.kind) {
    case 'and': {
      const parts = where.of.map(inner)
      if (where.empty !== undefined) return nothing(world, table, where.empty)
      const together = asOne(parts)
      return together ?? object(type, '_and', { kind: 'list', element: type, of: parts })
    }
    case 'or':
      return object(type, `_${where.kind}`, { kind: 'list', element: type, of: where.of.map(inner) })
    case 'not':
      return object(type, '_not', inner(where.of))
    case 'compare': {
      const { column, operator, cast } = where
      const of = cast ? 'text' : typeOf(world, table, column)
      const comparison = object(comparisonType(of), `_${operator}`, operandInput(of, where))
      return object(
        type,
        fieldOf(table, column),
        cast ? object(comparisonType('jsonb'), '_cast', object('jsonb_cast_exp', 'String', comparison)) : comparison,
      )
    }
    case 'is-null': {
      const comparison = comparisonType(typeOf(world, table, where.column))
      return object(
        type,
        fieldOf(table, where.column),
        object(comparison, '_is_null', { kind: 'scalar', type: 'Boolean', value: where.is }),
      )
    }
    case 'related': {
      const { target } = relationshipOf(world, table.name, where.relationship)
      return object(type, where.relationship, whereInput(world, tableOf(world, target), where.of))
    }
    case 'computed': {
      const { body } = computedOf(world, table.name, where.field)
      return object(
        type,
        where.field,
        whereInput(world, tableOf(world, body.kind === 'rows' ? body.target : ''), where.of),
      )
    }
    case 'aggregate': {
      const target = tableOf(world, relationshipOf(world, table.name, where.relationship).target)
      return object(type, `${where.relationship}_aggregate`, predicateInput(world, target, where))
    }
    case 'exists':
    case 'columns':
      throw new Error(`${where.kind} is no part of GraphQL`)
  }
}

/**
 * Two or more objects whose keys differ say together what the one of all their keys says; so do comparisons of one
 * column, and orders. Rows behind a relationship are others each time.
 */
function asOne(parts: readonly Input[]): Input | null {
  const [first] = parts
  if (parts.length < 2 || first?.kind !== 'object') return null
  const together = new Map<string, Input>()
  for (const [key, value] of parts.flatMap((part) => (part.kind === 'object' ? part.members : []))) {
    const other = together.get(key)
    const both = other ? (isMerged(other) && isMerged(value) ? asOne([other, value]) : null) : value
    if (!both) return null
    together.set(key, both)
  }
  return { ...first, members: [...together] }
}

/** Comparisons of one column, or orders by what is behind one relationship. */
const isMerged = (input: Input): boolean => input.kind === 'object' && /_(comparison_exp|order_by)$/.test(input.type)

/** An object without members, or a column that is compared with nothing. */
function nothing(world: World, table: Table, column: string): Input {
  const type = `${table.name}_bool_exp`
  if (column === '') return { kind: 'object', type, members: [] }
  const comparison: Input = { kind: 'object', type: comparisonType(typeOf(world, table, column)), members: [] }
  return object(type, fieldOf(table, column), comparison)
}

function predicateInput(world: World, target: Table, predicate: Predicate): Input {
  const { function: name, columns, distinct, filter, operator, value } = predicate
  const type = `${target.name}_aggregate_bool_exp`
  const result: ColumnType = name === 'count' ? 'int4' : typeof value === 'boolean' ? 'bool' : 'float8'
  const members: readonly (readonly [string, Input])[] = [
    ...(columns.length > 0 ? [['arguments', predicateColumns(target, predicate)] as const] : []),
    ...(distinct ? [['distinct', { kind: 'scalar', type: 'Boolean', value: true }] as const] : []),
    ...(filter ? [['filter', whereInput(world, target, filter)] as const] : []),
    [
      'predicate',
      {
        kind: 'object',
        type: comparisonType(result),
        required: true,
        members: [[`_${operator}`, scalarInput(result, value)]],
      },
    ],
  ]
  return object(type, name, { kind: 'object', type: `${type}_${name}`, members })
}

function predicateColumns(target: Table, { function: name, columns }: Predicate): Input {
  const [x = '', y] = columns
  if (name === 'count') return columnsInput(target, columns)
  const type = `${target.name}_select_column_${target.name}_aggregate_bool_exp_${name}_arguments_columns`
  const column = (value: string): Input => ({ kind: 'enum', type, required: true, value: fieldOf(target, value) })
  if (y === undefined) return column(x)
  return {
    kind: 'object',
    type: `${target.name}_aggregate_bool_exp_${name}_arguments`,
    required: true,
    members: [
      ['X', column(x)],
      ['Y', column(y)],
    ],
  }
}

function comparisonType(type: ColumnType): string {
  if (type.endsWith('[]')) return `${scalars[type].slice(1, -2)}_array_comparison_exp`
  return `${scalars[type]}_comparison_exp`
}

const listOperators: readonly Operator[] = [
  'in',
  'nin',
  'has_keys_any',
  'has_keys_all',
  'ancestor_any',
  'descendant_any',
]

function operandInput(type: ColumnType, { operator, operand }: Condition & { kind: 'compare' }): Input {
  if (operand.kind === 'session') throw new Error('session variables are no part of GraphQL')
  const of: ColumnType = operator.startsWith('has_key') ? 'text' : type
  if (operator === 'matches') return { kind: 'scalar', type: 'lquery', value: operand.value }
  if (!listOperators.includes(operator)) return scalarInput(of, operand.value as Value)
  return {
    kind: 'list',
    element: scalars[of],
    of: (operand.value as readonly Value[]).map((one) => scalarInput(of, one)),
  }
}

/** Numbers may be given as text, arrays as PostgreSQL writes them. */
function scalarInput(type: ColumnType, value: Value): Input {
  if (type === 'hue') return { kind: 'enum', type: scalars.hue, value: String(value) }
  const text = isArray(value) ? arrayText(value) : `${value}`
  return {
    kind: 'scalar',
    type: scalars[type],
    value,
    ...(typeof value === 'number' && { wide: text }),
    ...(type.endsWith('[]') && { wide: text }),
  }
}

function orderInput(world: World, table: Table, { through, of, direction }: OrderKey): Input {
  const [next, ...rest] = through
  const type = `${table.name}_order_by`
  if (next !== undefined) {
    const target = tableOf(world, relationshipOf(world, table.name, next).target)
    return object(type, next, orderInput(world, target, { through: rest, of, direction }))
  }
  const by: Input = { kind: 'enum', type: 'order_by', value: direction }
  if (of.kind === 'column') return object(type, fieldOf(table, of.column), by)
  const target = tableOf(world, rowsTarget(world, table, of.rows))
  const aggregate = `${target.name}_aggregate_order_by`
  if (of.kind === 'count') return object(type, `${of.rows}_aggregate`, object(aggregate, 'count', by))
  return object(
    type,
    `${of.rows}_aggregate`,
    object(aggregate, of.operator, object(`${target.name}_${of.operator}_order_by`, fieldOf(target, of.column), by)),
  )
}
