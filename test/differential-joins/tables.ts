import type { Random } from './random.ts'

export const databases = ['default', 'other'] as const
export type Database = (typeof databases)[number]
/** The remote schema, whose types are tables too, and an action, whose output is a row. */
export type Source = Database | 'remote' | 'action'
export const columns = ['id', 'a', 'b', 't'] as const
export type Column = (typeof columns)[number]

export interface Table {
  readonly name: string
  readonly source: Source
  readonly relationships: Relationship[]
  /** What the role may see; null: nothing. Of rows of servers it sees all. */
  permission: Permission | null
  /** Of a server. */
  readonly rows: readonly Row[]
}

export interface Relationship {
  readonly name: string
  readonly target: Table
  readonly form: 'object' | 'array'
  readonly mapping: Readonly<Partial<Record<Column, Column>>>
}

export interface Permission {
  readonly columns: readonly Column[]
  /** As metadata and as SQL, whose $1 is the session variable. */
  readonly filter: object
  readonly sql: string
  readonly aggregates: boolean
  readonly limit: number | null
}

export const session = 'p'

function randomPermission(random: Random): Permission | null {
  if (random(6) === 0) return null
  const filters: readonly (readonly [object, string])[] = [
    [{}, 'true'],
    [{ a: { _gt: 1 } }, 'a > 1'],
    [{ t: { _eq: 'X-Svc-T' } }, `t = '${session}'`],
    [
      { _or: [{ b: { _is_null: true } }, { t: { _neq: 'X-Svc-T' } }] },
      `(b IS NULL OR t IS DISTINCT FROM '${session}')`,
    ],
    [{ _not: { b: { _in: [0, 2] } } }, 'NOT (b IN (0, 2))'],
  ]
  const [filter, sql] = filters[random(filters.length)] ?? [{}, 'true']
  const shown = columns.filter((column) => column === 'id' || random(3) > 0)
  return { columns: shown, filter, sql, aggregates: random(2) === 0, limit: random(4) === 0 ? 3 : null }
}

const seesAll: Permission = { columns, filter: {}, sql: 'true', aggregates: false, limit: null }

export const isDatabase = (source: Source): source is Database => source === 'default' || source === 'other'

/** Where relationships from one source may lead. */
function canReach(from: Source, to: Source): boolean {
  // relationships of an output lead to one source
  if (from === 'action') return to === 'default'
  return to !== 'action' && (from === 'remote' || from !== to)
}

export function randomTables(random: Random): readonly Table[] {
  const tables = [
    ...databases.flatMap((source) =>
      [0, 1].map(
        (i): Table => ({
          name: `${source[0]}${i}`,
          source,
          relationships: [],
          permission: randomPermission(random),
          rows: [],
        }),
      ),
    ),
    ...(['X0', 'X1', 'Y0'] as const).map(
      (name): Table => ({
        name,
        source: name === 'Y0' ? 'action' : 'remote',
        relationships: [],
        permission: seesAll,
        rows: randomRows(random),
      }),
    ),
  ]
  for (const table of tables) {
    const others = tables.filter((other) => other !== table && canReach(table.source, other.source))
    for (let i = 0; i < 1 + random(3); i++) {
      const target = others[random(others.length)]
      if (!target) continue
      const form = random(2) === 0 ? 'object' : 'array'
      const from = (['a', 'b', 'id'] as const)[random(3)] ?? 'a'
      // one row at most: an object would be any of several
      const to = form === 'object' ? 'id' : ((['a', 'b', 'id'] as const)[random(3)] ?? 'a')
      const more = form === 'array' && random(3) === 0 ? { t: 't' as const } : {}
      table.relationships.push({ name: `r${i}`, target, form, mapping: { [from]: to, ...more } })
    }
  }
  return tables
}

export const literal = (value: number | string | null): string => (value === null ? 'NULL' : typeof value === 'number' ? `${value}` : `'${value}'`) // biome-ignore format: one line

const randomRows = (random: Random): readonly Row[] =>
  Array.from({ length: 2 + random(7) }, (_, id) => {
    const number = () => (random(5) === 0 ? null : random(5))
    const text = random(6) === 0 ? null : (['p', 'q', 'ä"', '😀', ''][random(5)] ?? 'p')
    return { id, a: number(), b: number(), t: text }
  })

export function rowsSql(random: Random, name: string): string {
  const values = randomRows(random).map((row) => `(${columns.map((column) => literal(row[column])).join()})`)
  return `DROP TABLE IF EXISTS ${name}; CREATE TABLE ${name} (id int PRIMARY KEY, a int, b int, t text); INSERT INTO ${name} VALUES ${values.join()};`
}

export type Row = Readonly<Record<Column, number | string | null>>
