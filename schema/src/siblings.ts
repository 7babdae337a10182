import { Map as ImmutableMap } from 'immutable'
import type { MetadataObject } from './document.ts'

/** The objects of one list, by their own keys. */
export type Siblings = ImmutableMap<string, MetadataObject>

export const noSiblings: Siblings = ImmutableMap()

/** A map of these, made of the parts of another one as far as they are the same. */
export const changedTo = (known: Siblings, objects: ReadonlyMap<string, MetadataObject>): Siblings =>
  known.withMutations((map) => {
    let kept = 0
    for (const [own, object] of objects) {
      const before = known.get(own)
      if (before) kept++
      if (before !== object) map.set(own, object)
    }
    if (kept < known.size) for (const own of known.keys()) if (!objects.has(own)) map.delete(own)
  })
