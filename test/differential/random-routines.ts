import type { Random } from '../admin/random.ts'
import type { Argument, ColumnType, NativeQuery, Relationship, Routine, ScalarBody, Table } from './world.ts'
import { isName } from './world-lookup.ts'

/** Computed fields of tables and views, and tracked functions. */
export function randomRoutines(random: Random, tables: ReadonlyMap<string, Table>): readonly Routine[] {
  const targets = [...tables.values()].filter(({ kind }) => kind !== 'enum')
  const computed = targets.flatMap((table) => [
    ...scalarBodies(table)
      .filter(() => random.chance(0.5))
      .map((body) => scalarRoutine(random, table, body)),
    ...targets.filter(() => random.chance(0.3)).map((target) => rowsRoutine(random, table, target)),
  ])
  return [...computed, ...targets.filter(() => random.chance(0.5)).map((target) => rowsRoutine(random, null, target))]
}

/** One of each kind that the table's columns allow. */
function scalarBodies({ columns }: Table): readonly ScalarBody[] {
  const over = (kind: ScalarBody['kind'], type: ColumnType, returns: ColumnType): readonly ScalarBody[] => {
    const column = columns.find((one) => one.type === type)
    return column ? [{ kind, returns, column: column.name }] : []
  }
  return [
    ...over('plus', 'int4', 'int8'),
    ...over('joined', 'text', 'text'),
    ...over('double', 'float8', 'float8'),
    ...over('json', 'jsonb', 'jsonb'),
    { kind: 'word', returns: 'text', column: 'id' },
  ]
}

function scalarRoutine(random: Random, table: Table, body: ScalarBody): Routine {
  const type = body.kind === 'plus' ? 'int4' : 'text'
  const takes = (body.kind === 'plus' || body.kind === 'joined') && random.chance(0.5)
  const fallback = body.kind === 'plus' ? 10 : '?'
  return {
    name: `${body.kind}_${table.name}`,
    table: table.name,
    rowLast: random.chance(0.3),
    session: body.kind === 'word',
    arguments: takes ? [{ name: 'more', type, ...(random.chance(0.5) && { fallback }) }] : [],
    unnamed: random.chance(0.2),
    body,
  }
}

function rowsRoutine(random: Random, table: Table | null, target: Table): Routine {
  const from = table
    ? random.pick(['row', 'row', 'session'] as const)
    : random.pick(['argument', 'argument', 'session'] as const)
  const low: Argument = { name: 'low', type: 'int4', ...(random.chance(0.5) && { fallback: 1 }) }
  const span: Argument = { name: 'span', type: 'int4', fallback: 4 }
  const hasSpan = random.chance(table ? 0.35 : 0.8)
  return {
    name: table ? `${target.name}_from_${table.name}` : `find_${target.name}`,
    table: table?.name ?? null,
    rowLast: random.chance(0.3),
    session: from === 'session',
    arguments: [...(from === 'argument' ? [low] : []), ...(hasSpan ? [span] : [])],
    unnamed: random.chance(0.15),
    body: { kind: 'rows', target: target.name, from, single: random.chance(0.25) },
  }
}

export interface Natives {
  readonly models: readonly Table[]
  readonly queries: readonly NativeQuery[]
  readonly relationships: readonly Relationship[]
}

/** Logical models of some columns of tables, the native queries that give such rows, and where these lead. */
export function randomNatives(random: Random, tables: ReadonlyMap<string, Table>): Natives {
  const plain = [...tables.values()].filter(({ kind }) => kind === 'table')
  const chosen = plain.filter(() => random.chance(0.5)).slice(0, 2)
  const models = chosen.map(
    ({ name, columns }): Table => ({
      name: `model_${name}`,
      kind: 'model',
      // of the text that refers to an enum only the text is left
      columns: columns
        .filter((column) => column.name === 'id' || (isName(column.name) && random.chance(0.7)))
        .map(({ name, type, nullable }) => ({ name, type: type === 'hue' ? 'text' : type, nullable })),
      key: [],
      rows: [],
    }),
  )
  const queries = models.flatMap(({ name: model }, i): readonly NativeQuery[] => {
    const of = chosen[i]?.name ?? ''
    const names = random.chance(0.3) ? [`first_${of}`, `second_${of}`] : [`first_${of}`]
    return names.map((name) => ({ name, model, of }))
  })
  const relationships = models.flatMap(({ name: table }): readonly Relationship[] => {
    const target = random.pick(plain)
    const query = random.pick(queries)
    const columns = [['id', 'id']] as const
    return [
      { table, name: 'one', kind: 'object', target: target.name, columns, foreignKey: null },
      { table, name: 'some', kind: 'array', target: random.pick(plain).name, columns, foreignKey: null },
      {
        table,
        name: 'queried',
        kind: random.pick(['array', 'object']),
        target: query.model,
        columns,
        foreignKey: null,
        query: query.name,
      },
    ]
  })
  return { models, queries, relationships: relationships.filter(() => random.chance(0.7)) }
}
