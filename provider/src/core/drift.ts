import { equalJson, type Json, type MetadataDocument, sortKeys } from '@svc/schema'
import type { LiveMetadata, MetadataClient } from '../client/index.ts'
import { type ChangeLog, type LoggedChange, readChanges } from '../client/index.ts'
import { type Difference, differences } from './differences.ts'
import { planChanges } from './plan.ts'
import { redactDifferences } from './redact.ts'

/** An object that is not as it was declared or accepted; `change` is what happened to it since. */
export interface DriftedObject {
  readonly change: 'create' | 'update' | 'delete'
  readonly name: { readonly type: string; readonly name: string; readonly key: Json }
  readonly differences: readonly Difference[]
  /** Its changes with author and time, oldest first, as far as the engine's log knows. */
  readonly log: readonly LoggedChange[]
}

/** Returns what the live metadata has that the directory lacks, and the reverse. */
export function driftFromDirectory(
  declared: MetadataDocument,
  live: Pick<LiveMetadata, 'document'>,
): readonly DriftedObject[] {
  const { changes } = planChanges(declared, live.document)
  return changes.map(({ change, name, differences: differ }) => ({ change, name, differences: differ, log: [] }))
}

/** Returns net changes by object: what was changed and changed back is no drift. */
export function driftFromLog(changes: readonly LoggedChange[]): readonly DriftedObject[] {
  const byObject = new Map<string, LoggedChange[]>()
  for (const change of changes)
    byObject.set(keyOf(change.object), [...(byObject.get(keyOf(change.object)) ?? []), change])
  return [...byObject.values()].flatMap((log) => {
    const [first, last] = [log[0], log.at(-1)]
    if (!first || !last || equalJson(first.old, last.new)) return []
    const change = first.old === null ? 'create' : last.new === null ? 'delete' : 'update'
    const differ = change === 'update' ? differences(first.old, last.new) : []
    return [{ change, name: last.object, differences: redactDifferences(last.object.type, differ), log }]
  })
}

/** The same key written in any order of its own keys is the same object. */
const keyOf = ({ type, key }: { readonly type: string; readonly key: Json }) =>
  `${type} ${JSON.stringify(sortKeys(key))}`

/**
 * Adds author and time to objects that drifted. The log may be long and its beginning gone: it is read backwards in
 * growing windows until every object was found. Throws ClientError.
 */
export async function attribute<T extends DriftedObject>(
  client: MetadataClient,
  objects: readonly T[],
  live: LiveMetadata,
): Promise<readonly T[]> {
  if (objects.length === 0 || live.catalogId === null) return objects
  let found = objects
  for (const window of [100, 1_000, 10_000, Number.POSITIVE_INFINITY]) {
    const since = Math.max(1, live.resourceVersion - window)
    const log: ChangeLog = await readChanges(client, since, live.catalogId)
    if (!log.complete) return found
    found = objects.map((object) => ({ ...object, log: lastChange(object, log.changes) }))
    if (since === 1 || found.every((object) => object.log.length > 0)) return found
  }
  return found
}

function lastChange(object: DriftedObject, changes: readonly LoggedChange[]): readonly LoggedChange[] {
  const key = keyOf(object.name)
  const last = changes.findLast((change) => keyOf(change.object) === key)
  return last ? [last] : []
}
