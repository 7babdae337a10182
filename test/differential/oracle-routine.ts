/** What functions of a world and its native queries give. */
import type { Session } from './oracle-view.ts'
import type { NativeQuery, Routine, Row, Value, World } from './world.ts'
import { columnOf, tableOf } from './world-lookup.ts'

/** By name; what is left out takes its default. */
export type Given = Readonly<Record<string, Value>>

/** The last argument's value; `otherwise` where the function has none. */
function lastArgument({ arguments: declared }: Routine, given: Given, otherwise: number): Value {
  const last = declared.at(-1)
  if (!last) return otherwise
  return argumentValue(last.name, last.fallback, given)
}

const argumentValue = (name: string, fallback: Value | undefined, given: Given): Value =>
  Object.hasOwn(given, name) ? (given[name] ?? null) : (fallback ?? null)

/** Of a computed field that is a scalar. */
export function scalarOf(
  { name, arguments: declared, body }: Routine,
  row: Row,
  given: Given,
  session: Session,
): Value {
  if (body.kind === 'rows') throw new Error(`${name} gives rows`)
  const value = row[body.column] ?? null
  const [only] = declared
  const argument = only ? argumentValue(only.name, only.fallback, given) : null
  switch (body.kind) {
    case 'json':
      return value
    case 'double':
      return value === null ? null : Number(value) * 2
    case 'word':
      return `${session['x-svc-word']}/${row.id}`
    case 'plus': {
      const more = only ? argument : 1
      return value === null || more === null ? null : Number(value) + Number(more)
    }
    case 'joined': {
      const more = only ? argument : '!'
      return value === null || more === null ? null : `${value}${more}`
    }
  }
}

/** Of a computed field of the row, or of a tracked function. */
export function rowsOf(
  world: World,
  routine: Routine,
  row: Row | null,
  given: Given,
  session: Session,
): readonly Row[] {
  const { name, body, arguments: declared } = routine
  if (body.kind !== 'rows') throw new Error(`${name} gives no rows`)
  const [first] = declared
  const low = {
    row: () => row?.id ?? null,
    argument: () => (first ? argumentValue(first.name, first.fallback, given) : null),
    session: () => Number(session['x-svc-user-id']),
  }[body.from]()
  const own = body.from === 'argument' ? declared.slice(1) : declared
  const span = lastArgument({ ...routine, arguments: own }, given, 3)
  if (low === null || span === null) return []
  const end = Number(low) + Number(span)
  const found = tableOf(world, body.target).rows.filter(({ id }) => Number(id) >= Number(low) && Number(id) < end)
  return body.single ? found.slice(0, 1) : found
}

/** Rows of the native query's model, made anew. */
export function nativeRows(world: World, { of, model }: NativeQuery, given: Given): readonly Row[] {
  const { low = null, high = null } = given
  const { columns } = tableOf(world, model)
  return tableOf(world, of)
    .rows.filter(({ id }) => low !== null && Number(id) >= Number(low) && (high === null || Number(id) <= Number(high)))
    .map((row) =>
      Object.fromEntries(columns.map(({ name }) => [name, row[columnOf(tableOf(world, of), name).name] ?? null])),
    )
}
