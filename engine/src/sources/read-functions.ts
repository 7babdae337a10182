import { equalJson } from '@svc/schema'
import type { SourceConnection } from '../backends/index.ts'
import type { NamedFunctions, SourceFunctions } from './source-state.ts'

/** The same names with some of them (by own key) read again; the same reference when all is as it was. */
export async function readFunctions(
  functions: SourceFunctions,
  keys: Iterable<string>,
  connection: Pick<SourceConnection, 'readFunctions'>,
): Promise<SourceFunctions> {
  const wanted = [...keys].flatMap((key) => {
    const named = functions.get(key)
    return named ? [{ key, named }] : []
  })
  if (wanted.length === 0) return functions
  const found = (await connection.readFunctions?.(wanted.map(({ named }) => named.name))) ?? []
  const changed = wanted.flatMap(({ key, named }, i): readonly (readonly [string, NamedFunctions])[] => {
    const overloads = found[i] ?? []
    return equalJson(named.overloads, overloads) ? [] : [[key, { ...named, overloads }]]
  })
  return changed.length === 0 ? functions : new Map([...functions, ...changed])
}

/** Only names, of functions that were not read yet. */
export const unreadFunctions = (functions: SourceFunctions): SourceFunctions =>
  new Map([...functions].map(([key, { name }]) => [key, { name, overloads: [] }]))
