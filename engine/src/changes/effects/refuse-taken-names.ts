import { childrenOf, type MetadataObject, type ObjectType, tablesWith } from '@svc/schema'
import { ApiError, type Path } from '../../errors.ts'
import type { NewName } from './plan-effects.ts'
import { placeOf } from './run-effects.ts'
import type { MetadataSnapshot } from './transition.ts'

/**
 * Refuses new objects whose name another source over the same database has: what is made there under it is one thing
 * (reference/event-triggers#in-the-database). Throws already-exists. Databases are queried only where two sources share
 * a name.
 */
export async function refuseTakenNames(news: readonly NewName[], { document, states }: MetadataSnapshot, path: Path) {
  for (const { source, type, name, refusal } of news) {
    for (const object of childrenOf(document, 'source').values()) {
      const other = states.get(String(object.value.name))
      if (other?.status !== 'ready' || other.name === source.name || !hasNamed(object, type, name)) continue
      const [own, its] = [await placeOf(source, path), await placeOf(other, path)]
      if (own.database === its.database) throw new ApiError('already-exists', path, refusal(name))
    }
  }
}

function hasNamed(source: MetadataObject, type: ObjectType, name: string): boolean {
  for (const table of tablesWith(source, type).values())
    for (const object of childrenOf(table, type).values()) if (object.value.name === name) return true
  return false
}
