import type { Random } from '../admin/random.ts'
import type { AggregateOperator, AggregateValue, Field, JsonPath, PageInfoName, PagePart, Part } from './query.ts'
import { randomGiven, randomNativeGiven, randomPage, type Sight, type Wish, waysOf } from './random-query.ts'
import { randomRows } from './random-rows.ts'
import type { ColumnType, Relationship } from './world.ts'
import { fieldOf, isName } from './world-lookup.ts'

export const operators: readonly AggregateOperator[] = [
  'sum',
  'avg',
  'min',
  'max',
  'stddev',
  'stddev_pop',
  'stddev_samp',
  'var_pop',
  'var_samp',
  'variance',
]

const paths: readonly JsonPath[] = [['a'], ['cc'], ['z'], [], ['l'], ['l', 0], ['l', 5], ['s'], ['n'], ['s', 'a']]

export function randomFields(wish: Wish, sight: Sight, depth: number): readonly Field[] {
  const { random } = wish
  const alias = (name: string) => (random.chance(0.8) ? responseKey(sight, name) : wish.alias())
  const path = (type: ColumnType) => (type === 'jsonb' && random.chance(0.3) ? { path: random.pick(paths) } : {})
  const isNode = wish.relay && sight.table.key.length > 0
  const fields: Field[] = sight.columns
    .filter(({ name }) => random.chance(0.6) && !(isNode && name === 'id'))
    .map(({ name, type }) => ({ as: alias(name), kind: 'column', column: name, ...path(type) }))
  if (isNode && random.chance(0.4)) fields.push({ as: 'id', kind: 'node-id' })
  for (const routine of sight.computed) {
    const { name, body } = routine
    if (!random.chance(0.5) || body.kind === 'rows') continue
    const given = randomGiven(wish, routine)
    fields.push({ as: alias(name), kind: 'computed', field: name, given, ...path(body.returns) })
  }
  const again = sight.columns.length > 0 && random.chance(0.06) ? random.pick(sight.columns) : null
  if (again && !(isNode && again.name === 'id'))
    fields.push({ as: wish.alias(), kind: 'column', column: again.name, ...path(again.type) })
  if (random.chance(0.04)) fields.push({ as: alias('__typename'), kind: 'column', column: '__typename' })
  if (depth <= 2) fields.push(...randomNested(wish, sight, depth))
  return fields.length > 0 ? named(random, fields) : [anyField(sight)]
}

/** Now and then a field has the name of another one, or one that SQL might have in mind for itself. */
function named(random: Random, fields: readonly Field[]): readonly Field[] {
  if (!random.chance(0.08)) return fields
  const [one, other] = [random.pick(fields), random.pick(fields)]
  const free = ['_e', 'root', 'row', 'data', 'nodes', 'value'].filter((name) => !fields.some(({ as }) => as === name))
  if (one === other) return fields.map((field) => (field === one ? { ...field, as: random.pick(free) } : field))
  return fields.map((field) =>
    field === one ? { ...field, as: other.as } : field === other ? { ...field, as: one.as } : field,
  )
}

function randomNested(wish: Wish, sight: Sight, depth: number): readonly Field[] {
  const { random } = wish
  const fields: Field[] = []
  for (const { way, target } of waysOf(wish, sight)) {
    if (!random.chance(0.35)) continue
    const field = randomRelated(wish, way, target, depth)
    fields.push(field)
    // the same relationship twice: other rows, or the same rows once more
    if (!random.chance(0.12)) continue
    const other = randomRelated(wish, way, target, depth)
    const isAlike = (field.kind === 'array' || field.kind === 'aggregate') && other.kind === field.kind
    fields.push(isAlike && random.chance(0.5) ? { ...other, rows: field.rows } : other)
  }
  for (const { routine, target } of sight.computedRows) {
    if (!random.chance(0.35)) continue
    const given = randomGiven(wish, routine)
    const rows = randomRows(wish, target)
    fields.push({
      as: wish.alias(),
      kind: 'rows',
      field: routine.name,
      given,
      rows,
      fields: randomFields(wish, target, depth + 1),
    })
  }
  return fields
}

/** A column's own name, if GraphQL has one. */
const responseKey = ({ table }: Sight, name: string): string => (isName(name) ? name : fieldOf(table, name))

type Related = Field & { readonly kind: 'object' | 'array' | 'aggregate' | 'connection' }

function randomRelated(wish: Wish, way: Relationship, target: Sight, depth: number): Related {
  const { random } = wish
  const to = { as: wish.alias(), relationship: way.name }
  const given = way.query === undefined ? {} : randomNativeGiven(wish)
  const inner = () => randomFields(wish, target, depth + 1)
  if (way.kind === 'object') return { ...to, kind: 'object', given, fields: inner() }
  if (wish.relay && target.table.key.length > 0 && random.chance(0.6))
    return { ...to, kind: 'connection', page: randomPage(wish, target, depth + 1) }
  if (target.grant.aggregations && random.chance(0.4))
    return { ...to, kind: 'aggregate', rows: randomRows(wish, target), parts: randomParts(wish, target, depth + 1) }
  return { ...to, kind: 'array', given, rows: randomRows(wish, target), fields: inner() }
}

/** Some field there must be; a role may see no column. */
function anyField(sight: Sight): Field {
  const column = sight.columns.find(({ name }) => name !== 'id')
  if (column) return { as: responseKey(sight, column.name), kind: 'column', column: column.name }
  return { as: '__typename', kind: 'column', column: '__typename' }
}

export function randomParts(wish: Wish, sight: Sight, depth: number): readonly Part[] {
  const aggregate = (): Part => ({ as: wish.alias(), kind: 'aggregate', values: randomValues(wish, sight) })
  const nodes = (): Part => ({ as: wish.alias(), kind: 'nodes', fields: randomFields(wish, sight, depth + 1) })
  return wish.random.pick([
    () => [aggregate()],
    () => [nodes()],
    () => [nodes(), aggregate()],
    () => [aggregate(), nodes()],
    () => [aggregate(), aggregate()],
    () => [nodes(), aggregate(), nodes()],
  ])()
}

function randomValues(wish: Wish, sight: Sight): readonly AggregateValue[] {
  const { random } = wish
  const values = Array.from({ length: 1 + random.below(3) }, (): AggregateValue | null => {
    if (random.chance(0.4)) {
      const columns = sight.columns.filter(() => random.chance(0.3)).map(({ name }) => name)
      return { as: wish.alias(), kind: 'count', columns: columns.slice(0, 2), distinct: random.chance(0.4) }
    }
    const operator = random.pick(operators)
    const columns = [
      ...sight.columns
        .filter(({ type }) => takes(operator, type) && random.chance(0.7))
        .map(({ name }) => ({ as: responseKey(sight, name), column: name, given: {} })),
      ...sight.computed
        .filter(({ body }) => body.kind !== 'rows' && takes(operator, body.returns) && random.chance(0.7))
        .map((routine) => ({ as: routine.name, column: routine.name, given: randomGiven(wish, routine) })),
    ]
    return columns.length > 0 ? { as: wish.alias(), kind: 'operator', operator, columns } : null
  }).filter((value) => value !== null)
  return values.length > 0 ? values : [{ as: wish.alias(), kind: 'count', columns: [], distinct: false }]
}

export function takes(operator: AggregateOperator, type: ColumnType): boolean {
  if (operator === 'min' || operator === 'max')
    return !['bool', 'jsonb', 'hue', 'interval', 'time', 'bytea', 'int4range'].includes(type)
  return ['int2', 'int4', 'int8', 'numeric', 'float4', 'float8'].includes(type)
}

export function randomEdges(wish: Wish, sight: Sight, depth: number): PagePart {
  const cursor = { as: wish.alias(), kind: 'cursor' } as const
  const node = { as: wish.alias(), kind: 'node', fields: randomFields(wish, sight, depth + 1) } as const
  return {
    as: wish.alias(),
    kind: 'edges',
    fields: wish.random.pick([[node], [cursor], [cursor, node], [node, cursor]]),
  }
}

const infos: readonly PageInfoName[] = ['startCursor', 'endCursor', 'hasNextPage', 'hasPreviousPage']

export function randomPageInfo(wish: Wish): PagePart {
  const chosen = infos.filter(() => wish.random.chance(0.7))
  const names = chosen.length > 0 ? chosen : infos
  return { as: wish.alias(), kind: 'page-info', fields: names.map((name) => ({ as: name, name })) }
}
