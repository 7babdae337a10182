import type { Random } from '../admin/random.ts'
import { hues, randomValue } from './random-values.ts'
import type { Column, ColumnType, Relationship, Row, Table, Value } from './world.ts'
import { isArray } from './world-lookup.ts'

/** Other spellings of types; install-world.ts makes the domains. */
const spellings: Readonly<Partial<Record<ColumnType, readonly string[]>>> = {
  int4: ['whole'],
  numeric: ['numeric(9,3)'],
  text: ['varchar', 'varchar(30)', 'phrase'],
  bpchar: ['char(4)'],
  'int4[]': ['whole[]', 'wholes'],
  'text[]': ['phrase[]', 'varchar(30)[]'],
}

interface Sketch {
  readonly name: string
  readonly columns: readonly Column[]
  readonly composite: boolean
}

export interface Tables {
  readonly tables: ReadonlyMap<string, Table>
  readonly relationships: readonly Relationship[]
}

/** Tables with foreign keys and rows, views of some, and the table that is an enum. */
export function randomTables(random: Random): Tables {
  const names = ['alpha', 'beta', 'gamma', 'delta'].slice(0, 2 + random.below(3))
  const sketches = names.map((name) => ({ name, columns: randomColumns(random), composite: random.chance(0.2) }))
  const relationships = names.flatMap((name) => randomRelationships(random, name, sketches))
  const tables = new Map<string, Table>([['hue', hueTable]])
  // a foreign key's target comes first: each table refers to those before it, or to itself
  for (const sketch of sketches) tables.set(sketch.name, randomTable(random, sketch, relationships, tables))
  for (const { name } of sketches) {
    const table = tables.get(name)
    if (!table || !random.chance(0.3)) continue
    const view = viewOf(table, random.chance(0.4))
    tables.set(view.name, view)
    relationships.push(...viewRelationships(random, table, view))
  }
  for (const { name, columns } of sketches)
    for (const { name: column, field = column, type } of columns)
      if (type === 'hue' && random.chance(0.5))
        relationships.push(
          {
            table: name,
            name: `hue_of_${field}`,
            kind: 'object',
            target: 'hue',
            columns: [[column, 'value']],
            foreignKey: null,
          },
          {
            table: 'hue',
            name: `${name}_by_${field}`,
            kind: 'array',
            target: name,
            columns: [['value', column]],
            foreignKey: null,
          },
        )
  return { tables, relationships }
}

const hueTable: Table = {
  name: 'hue',
  kind: 'enum',
  columns: [
    { name: 'value', type: 'text', nullable: false },
    { name: 'comment', type: 'text', nullable: true },
  ],
  key: ['value'],
  rows: hues.map((value, i) => ({ value, comment: i === 1 ? null : `like ${value}` })),
}

function randomTable(
  random: Random,
  { name, columns, composite }: Sketch,
  relationships: readonly Relationship[],
  tables: ReadonlyMap<string, Table>,
): Table {
  const keys = relationships.filter(({ table, foreignKey }) => table === name && foreignKey === 'own')
  const links = keys.map(
    (one): Column => ({ name: `${one.name}_id`, type: 'int4', nullable: random.chance(0.6) || one.target === name }),
  )
  const key = composite ? ['id', 'part'] : ['id']
  const all: readonly Column[] = [
    ...key.map((column): Column => ({ name: column, type: 'int4', nullable: false })),
    ...links,
    ...columns,
  ]
  const rows: Row[] = []
  // many rows of few others, so that there is something to aggregate
  const isCrowded = random.chance(0.5)
  const count = random.chance(0.08) ? 0 : 1 + random.below(9)
  for (let i = 0; i < count; i++) {
    const row = Object.fromEntries(all.map((column) => [column.name, randomCell(random, column)]))
    row.id = composite ? Math.floor(i / 2) : i
    if (composite) row.part = i % 2
    let isWhole = true
    for (const one of keys) {
      const targets = one.target === name ? rows : (tables.get(one.target)?.rows ?? [])
      const link = all.find((column) => column.name === `${one.name}_id`)
      isWhole &&= targets.length > 0 || link?.nullable === true
      row[`${one.name}_id`] =
        targets.length === 0 || (link?.nullable && random.chance(0.25))
          ? null
          : (random.pick(isCrowded ? targets.slice(0, 2) : targets).id ?? null)
    }
    if (isWhole) rows.push(row)
  }
  const built = random.chance(0.3) ? { built: random.pick(['with a gap', 'of partitions'] as const) } : {}
  return { name, kind: 'table', columns: all, key, rows, ...built }
}

function randomCell(random: Random, { type, nullable }: Column): Value {
  if (nullable && random.chance(0.3)) return null
  const value = randomValue(random, type)
  return isArray(value) ? value.map((item) => (random.chance(0.1) ? null : item)) : value
}

/** Names of columns that GraphQL has no name for. */
const odd: readonly ((i: number) => string)[] = [
  (i) => `a"b'${i}`,
  (i) => `select ${i}`,
  (i) => `{{x${i}}} $1 %s`,
  (i) => `\u00e4.\u00f6\\${i}`,
  // as long as names may be, and alike up to the end
  (i) => `${'x'.repeat(62)}${i}`,
]

function randomColumns(random: Random): readonly Column[] {
  const types: readonly ColumnType[] = [
    'int2',
    'float4',
    'timestamptz',
    'mood',
    ...(random.chance(0.5) ? (['interval', 'time', 'bytea', 'int4range', 'bpchar'] as const) : []),
    'int4',
    'int8',
    'numeric',
    'float8',
    'float8',
    'text',
    'text',
    'citext',
    'ltree',
    'bool',
    'bool',
    'float8',
    'date',
    'uuid',
    'jsonb',
    'int4[]',
    'text[]',
    'hue',
  ]
  // what aggregates as conditions are about, often
  const wanted = [
    ...(random.chance(0.5) ? (['float8'] as const) : []),
    ...(random.chance(0.2) ? (['bool'] as const) : []),
  ]
  return Array.from({ length: wanted.length + 2 + random.below(4) }, (_, i): Column => {
    const type = wanted[i] ?? random.pick(types)
    const plainName = `${type.replace('[]', 's')}${i}`
    const isOdd = random.chance(0.06)
    const name = isOdd ? random.pick(odd)(i) : plainName
    const others = spellings[type]
    const spelled = others && (type === 'bpchar' || random.chance(0.3)) ? { spelled: random.pick(others) } : {}
    return {
      name,
      type,
      nullable: random.chance(0.6),
      ...((isOdd || random.chance(0.2)) && { field: `own_${plainName}` }),
      ...spelled,
    }
  })
}

function viewOf(of: Table, materialised: boolean): Table {
  return {
    name: `${of.name}_view`,
    kind: { view: of.name, materialised },
    // nothing says of a view's columns that they are never NULL
    columns: of.columns.map((column) => ({
      ...column,
      nullable: true,
      type: column.type === 'hue' ? 'text' : column.type,
    })),
    key: [],
    rows: of.rows.filter(({ id }) => Number(id) % 2 === 0).map((row) => ({ ...row })),
  }
}

const viewRelationships = (random: Random, table: Table, view: Table): readonly Relationship[] => [
  {
    table: view.name,
    name: 'base',
    kind: random.pick(['object', 'array']),
    target: table.name,
    columns: [['id', 'id']],
    foreignKey: null,
  },
  {
    table: table.name,
    name: 'viewed',
    kind: random.pick(['object', 'array']),
    target: view.name,
    columns: [['id', 'id']],
    foreignKey: null,
  },
]

function randomRelationships(random: Random, name: string, sketches: readonly Sketch[]): readonly Relationship[] {
  const own = sketches.findIndex((one) => one.name === name)
  const found: Relationship[] = []
  for (const target of sketches.slice(0, own + 1)) {
    if (target.composite || !random.chance(target.name === name ? 0.3 : 0.8)) continue
    const link = `to_${target.name}`
    found.push(
      {
        table: name,
        name: link,
        kind: 'object',
        target: target.name,
        columns: [[`${link}_id`, 'id']],
        foreignKey: 'own',
      },
      {
        table: target.name,
        name: `${name}_of`,
        kind: 'array',
        target: name,
        columns: [['id', `${link}_id`]],
        foreignKey: 'other',
      },
    )
  }
  const other = random.pick(sketches)
  const kind = random.pick(['object', 'array'] as const)
  if (random.chance(0.5))
    found.push({
      table: name,
      name: `by_hand_${other.name}`,
      kind,
      target: other.name,
      columns: [['id', 'id']],
      foreignKey: null,
    })
  found.push(...byValue(random, name, sketches))
  return found
}

/** Rows that have the same value somewhere: any number of them, and none where it is NULL. */
function byValue(random: Random, name: string, sketches: readonly Sketch[]): readonly Relationship[] {
  const target = random.pick(sketches)
  const own = sketches.find((one) => one.name === name)?.columns ?? []
  const pairs = own.flatMap(({ name: from, type }) =>
    target.columns
      .filter((column) => column.type === type && joinable.includes(type))
      .map(({ name: to }) => [from, to] as const),
  )
  if (pairs.length === 0 || random.chance(0.4)) return []
  const columns = random.chance(0.3) ? pairs.slice(0, 2) : [random.pick(pairs)]
  const kind = random.pick(['object', 'array', 'array'] as const)
  // a column may be mapped once
  const isOnce = new Set(columns.map(([from]) => from)).size === columns.length
  return isOnce
    ? [{ table: name, name: `alike_${target.name}`, kind, target: target.name, columns, foreignKey: null }]
    : []
}

const joinable: readonly ColumnType[] = ['int4', 'int8', 'numeric', 'text', 'bool', 'date', 'uuid', 'mood', 'hue']
