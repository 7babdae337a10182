import type { Statement } from '../backends/index.ts'
import { isRawNumber } from '../exact-json/index.ts'
import type { ActionOutput, KeyedRows } from '../graphql/index.ts'

/** Fetches a join's values for these keys: `keys[i]` are those of the i-th field of the join. */
export type RunJoin = (join: KeyedRows<Statement>, keys: readonly (readonly unknown[])[]) => Promise<readonly unknown[]>

type Fields = readonly ActionOutput<Statement>[]
type JsonObject = Readonly<Record<string, unknown>>

/**
 * A handler's answer with the fields that were selected (reference/actions#shape-of-an-answer), and rows of tables
 * joined to it: one statement for each relationship and level, for all objects that stand there. Null for what is
 * absent.
 */
export async function shapeOutput(fields: Fields | null, json: unknown, runJoin: RunJoin): Promise<unknown> {
  if (fields === null) return json ?? null
  const level: Shaped[] = []
  const shaped = collect(json, level)
  await fill(fields, level, runJoin)
  return shaped
}

/** An object of the answer, and what it becomes. */
interface Shaped {
  readonly from: JsonObject
  readonly to: Record<string, unknown>
}

/** Lists keep their nesting; what is neither object nor list is nothing that could be selected from. */
function collect(json: unknown, level: Shaped[]): unknown {
  if (Array.isArray(json)) return json.map((entry: unknown) => collect(entry, level))
  if (typeof json !== 'object' || json === null || isRawNumber(json)) return null
  const to: Record<string, unknown> = {}
  level.push({ from: json as JsonObject, to })
  return to
}

async function fill(fields: Fields, level: readonly Shaped[], runJoin: RunJoin): Promise<void> {
  for (const field of fields) {
    switch (field.kind) {
      case 'typename':
        for (const { to } of level) set(to, field.as, field.name)
        break
      case 'value':
        for (const { from, to } of level) set(to, field.as, member(from, field.name))
        break
      case 'object': {
        const inner: Shaped[] = []
        for (const { from, to } of level) set(to, field.as, collect(member(from, field.name), inner))
        await fill(field.fields, inner, runJoin)
        break
      }
      case 'join':
        await join(field, level, runJoin)
        break
      case 'own':
      case 'output':
        throw new Error(`${field.kind} is no field of an answer`)
    }
  }
}

/** The same keys are sent once; a key that is null leads nowhere. */
async function join(field: KeyedRows<Statement>, level: readonly Shaped[], runJoin: RunJoin): Promise<void> {
  const places = new Map<string, number>()
  const tuples: (readonly unknown[])[] = []
  const placeOf = (from: JsonObject): number | null => {
    const tuple = field.keys.map((name) => member(from, name))
    if (tuple.includes(null)) return null
    const key = JSON.stringify(tuple)
    const known = places.get(key)
    if (known !== undefined) return known
    places.set(key, tuples.length)
    return tuples.push(tuple) - 1
  }
  const wanted = level.map(({ from }) => placeOf(from))
  const values =
    tuples.length === 0
      ? []
      : await runJoin(
          field,
          field.keys.map((_, i) => tuples.map((tuple) => tuple[i])),
        )
  for (const [i, { to }] of level.entries()) {
    const place = wanted[i] ?? null
    set(to, field.as, place === null ? null : (values[place] ?? null))
  }
}

const member = (from: JsonObject, name: string): unknown => (Object.hasOwn(from, name) ? (from[name] ?? null) : null)

/** Keys in the order of the selection, which joins inside it do not wait for; `__proto__` is a key like any other. */
function set(to: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(to, key, { value, enumerable: true, configurable: true, writable: true })
}
