import { hash } from 'node:crypto'
import { addressText, childrenOf, equalJson, type MetadataDocument, type ObjectChange } from '@svc/schema'
import type { ObjectValue } from '../metadata/index.ts'

/** What a draft stores of its changes: JSON of the addresses of objects and their new values. */
export const changesText = (changes: readonly ObjectChange[]): string =>
  JSON.stringify(changes.map(({ address, new: now }): ObjectValue => [addressText(address), now?.value ?? null]))

/** What is approved and applied: these changes, of this version of this catalogue. */
export const draftHash = (catalogId: string, resourceVersion: number, changes: string): string =>
  hash('sha256', `${catalogId} ${resourceVersion} ${changes}`)

/** Sources that would be connected to another database than now, or are new. */
export function reconnected(document: MetadataDocument, changes: readonly ObjectValue[]): readonly string[] {
  const sources = childrenOf(document, 'source')
  return changes.flatMap(([address, value]) => {
    if (value === null || !/^source:[^/]*$/.test(address)) return []
    const now = sources.get(address.slice('source:'.length))?.value
    const isSame = now && now.kind === value.kind && equalJson(now.configuration ?? null, value.configuration ?? null)
    return isSame ? [] : [String(value.name)]
  })
}
