import { addressText, type ObjectAddress } from '@svc/schema'
import { Map as ImmutableMap } from 'immutable'
import type { ReadKey } from '../graph.ts'
import type { ModelDraft } from './model-draft.ts'

/**
 * Remembers what an object read, in both directions. Most permissions read nothing but their own table. `key`: another
 * than its address, where it is resolved in two steps that read separately.
 */
export function recordReads(
  draft: ModelDraft,
  address: ObjectAddress,
  now: ReadonlySet<ReadKey>,
  key: string = addressText(address),
): void {
  const { reads, readers } = draft.graph
  const before = reads.get(key) ?? nothing
  if (before.length === now.size && before.every((read) => now.has(read))) return
  if (before.length === 0) {
    for (const read of now) readers.set(read, (readers.get(read) ?? noReaders).set(key, address))
    reads.set(key, [...now])
    return
  }
  for (const read of before) {
    if (now.has(read)) continue
    const others = (readers.get(read) ?? noReaders).delete(key)
    if (others.isEmpty()) readers.delete(read)
    else readers.set(read, others)
  }
  const known = new Set(before)
  for (const read of now) if (!known.has(read)) readers.set(read, (readers.get(read) ?? noReaders).set(key, address))
  if (now.size === 0) reads.delete(key)
  else reads.set(key, [...now])
}

const nothing: readonly ReadKey[] = []
const noReaders: ImmutableMap<string, ObjectAddress> = ImmutableMap()

export const noReads: ReadonlySet<ReadKey> = new Set()
