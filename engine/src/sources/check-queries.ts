import { equalJson } from '@svc/schema'
import type { Backend, SourceConnection } from '../backends/index.ts'
import type { CheckedQuery, DeclaredQueries, SourceQueries } from './source-state.ts'

/** What checks them: a database, or, where that lacks the part, what its backend knows by itself. */
export interface Checking {
  readonly backend: Pick<Backend, 'types'>
  readonly connection: Pick<SourceConnection, 'readTypes' | 'checkQueries'>
}

/**
 * Returns what the database says of the declared queries and types; the same reference when nothing is new. `again`:
 * all are checked, else those that are new.
 */
export async function checkQueries(
  known: SourceQueries,
  declared: DeclaredQueries,
  fresh: boolean,
  { backend, connection }: Checking,
): Promise<SourceQueries> {
  const readTypes = async (of: readonly string[]) =>
    (await connection.readTypes?.(of)) ?? of.map((name) => backend.types.typeOfScalar(name))
  const names = [...declared.types]
  const asked = names.filter((name) => fresh || !known.types.has(name))
  const found = asked.length === 0 ? [] : await readTypes(asked)
  const types = new Map(names.map((name) => [name, known.types.get(name) ?? null]))
  asked.forEach((name, i) => {
    types.set(name, found[i] ?? null)
  })
  const wanted = [...declared.queries].filter(([own, definition]) => {
    const before = known.checked.get(own)
    return fresh || !before || !equalJson(before.definition, definition)
  })
  const verdicts =
    wanted.length === 0
      ? []
      : ((await connection.checkQueries?.(
          wanted.map(([, definition]) => definition),
          (name) => types.get(name) ?? null,
        )) ?? [])
  const news = new Map(
    wanted.map(([own, definition], i): [string, CheckedQuery] => [
      own,
      { definition, verdict: verdicts[i] ?? { status: 'unchecked' } },
    ]),
  )
  const checked = new Map(
    [...declared.queries].flatMap(([own, definition]): [string, CheckedQuery][] => {
      const now = news.get(own)
      const before = known.checked.get(own)
      if (now && before && equalJson(now, before)) return [[own, before]]
      return [[own, now ?? before ?? { definition, verdict: { status: 'unchecked' } }]]
    }),
  )
  const isSame =
    types.size === known.types.size &&
    [...types].every(([name, type]) => known.types.has(name) && equalJson(type, known.types.get(name))) &&
    checked.size === known.checked.size &&
    [...checked].every(([own, one]) => known.checked.get(own) === one)
  return isSame ? known : { checked, types }
}

/** What metadata declares, of a source that cannot be reached. */
export const unchecked = ({ queries, types }: DeclaredQueries): SourceQueries => ({
  checked: new Map([...queries].map(([own, definition]) => [own, { definition, verdict: { status: 'unchecked' } }])),
  types: new Map([...types].map((name) => [name, null])),
})

/** What a state has checked. */
export const declaredIn = ({ checked, types }: SourceQueries): DeclaredQueries => ({
  queries: new Map([...checked].map(([own, { definition }]) => [own, definition])),
  types: new Set(types.keys()),
})
