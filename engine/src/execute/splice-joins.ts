import type { Statement } from '../backends/index.ts'
import { isRawNumber } from '../exact-json/index.ts'
import type { PlannedJoin } from '../graphql/index.ts'

/** A place of an answer, with the joins of the objects that stand there. */
export interface JoinTree {
  readonly joins: readonly PlannedJoin<Statement>[]
  /** By response key. */
  readonly below: ReadonlyMap<string, JoinTree>
}

/** Null: there are none. */
export function joinTree(joins: readonly PlannedJoin<Statement>[], depth = 0): JoinTree | null {
  if (joins.length === 0) return null
  const here = joins.filter(({ place }) => place.length === depth + 1)
  const below = Map.groupBy(
    joins.filter(({ place }) => place.length > depth + 1),
    ({ place }) => place[depth] ?? '',
  )
  return {
    joins: here,
    below: new Map(
      [...below].flatMap(([key, inner]) => {
        const tree = joinTree(inner, depth + 1)
        return tree ? [[key, tree] as const] : []
      }),
    ),
  }
}

/** Asks for the value of each tuple of keys. */
export type AskJoin = (
  join: PlannedJoin<Statement>,
  tuples: readonly (readonly unknown[])[],
) => Promise<readonly unknown[]>

type Row = Record<string, unknown>

/**
 * Puts the values of joins into an answer: each join once for all objects of its place, then those inside what was put
 * there. Equal keys are asked once; a key that is null leads nowhere (spec 04 §8.7). Changes `json`.
 */
export async function spliceJoins(tree: JoinTree, json: unknown, ask: AskJoin): Promise<void> {
  const rows: Row[] = []
  collect(json, rows)
  await spliceLevel(tree, rows, ask)
}

async function spliceLevel({ joins, below }: JoinTree, rows: readonly Row[], ask: AskJoin): Promise<void> {
  await Promise.all(joins.map((join) => splice(join, rows, ask)))
  for (const [key, inner] of below) {
    const next: Row[] = []
    for (const row of rows) if (Object.hasOwn(row, key)) collect(row[key], next)
    if (next.length > 0) await spliceLevel(inner, next, ask)
  }
}

/** The objects of lists, however nested. */
function collect(json: unknown, into: Row[]): void {
  if (Array.isArray(json)) for (const item of json) collect(item, into)
  else if (typeof json === 'object' && json !== null && !isRawNumber(json)) into.push(json as Row)
}

async function splice(join: PlannedJoin<Statement>, rows: readonly Row[], ask: AskJoin): Promise<void> {
  const as = join.place.at(-1) ?? ''
  const places = new Map<string, number>()
  const tuples: (readonly unknown[])[] = []
  const wanted: { readonly row: Row; readonly at: number | null }[] = []
  for (const row of rows) {
    // rows of another type may stand at the same place
    if (!Object.hasOwn(row, as) || (join.mark !== null && row[as] !== join.mark)) continue
    if (!join.keys.every((key) => Object.hasOwn(row, key))) continue
    const tuple = join.keys.map((key) => row[key])
    for (const key of join.keys) delete row[key]
    if (tuple.includes(null)) {
      wanted.push({ row, at: null })
      continue
    }
    const text = JSON.stringify(tuple)
    const at = places.get(text) ?? tuples.push(tuple) - 1
    places.set(text, at)
    wanted.push({ row, at })
  }
  const values = tuples.length > 0 ? await ask(join, tuples) : []
  const used = new Set<number>()
  for (const { row, at } of wanted) {
    const value = at === null ? null : (values[at] ?? null)
    // each row has its own, since what is inside is changed again
    const isShared = at !== null && used.size === used.add(at).size
    row[as] = isShared ? copy(value) : value
  }
}

function copy(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(copy)
  if (typeof json !== 'object' || json === null || isRawNumber(json)) return json
  const result: Row = {}
  for (const [key, value] of Object.entries(json))
    Object.defineProperty(result, key, { value: copy(value), enumerable: true, configurable: true, writable: true })
  return result
}
