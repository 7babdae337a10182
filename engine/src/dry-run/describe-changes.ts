import { diffDocuments, findObject, type Json, type MetadataDocument, type ObjectChange } from '@svc/schema'
import { newlyInconsistent, objectsOf } from '../changes/index.ts'
import { redactValue } from '../metadata/index.ts'
import { type Model, permissionConflicts } from '../model/index.ts'
import { objectNameAt } from '../requests/index.ts'
import { isImplicit } from './implicit-table.ts'

/** What a dry run would change, parents first, and what that would break and mend (docs/dry-run.md). */
export function describeChanges(before: Model, after: Model): Record<string, Json> {
  const documents = { before: before.input.document, after: after.input.document }
  return {
    changes: declaredChanges(documents).map((change) => describe(change, documents)),
    inconsistent_objects: [...declaredObjects(after, newlyInconsistent(before, after)), ...newConflicts(before, after)],
    consistent_objects: [...declaredObjects(before, newlyInconsistent(after, before)), ...newConflicts(after, before)],
  }
}

interface Documents {
  readonly before: MetadataDocument
  readonly after: MetadataDocument
}

/** Differences, where a table that no one has declared counts as not being there. */
export function declaredChanges({ before, after }: Documents): readonly ObjectChange[] {
  return diffDocuments(before, after).flatMap((change): ObjectChange[] => {
    const old = isImplicit(change.old) ? null : change.old
    const now = isImplicit(change.new) ? null : change.new
    if (old && now) return [change]
    if (now) return [{ ...change, change: 'create', old: null }]
    return old ? [{ ...change, change: 'delete', new: null }] : []
  })
}

const describe = ({ change, address, old, new: now }: ObjectChange, { before, after }: Documents): Json => ({
  change,
  object: { ...objectNameAt(change === 'delete' ? before : after, address) },
  old: redactValue(address.type, old?.value ?? null),
  new: redactValue(address.type, now?.value ?? null),
})

function declaredObjects(model: Model, keys: readonly string[]): readonly Json[] {
  const declared = keys.filter((key) => {
    const address = model.faults.get(key)?.address
    return !address || !isImplicit(findObject(model.input.document, address))
  })
  return objectsOf(model, declared) as unknown as readonly Json[]
}

function newConflicts(before: Model, after: Model): readonly Json[] {
  const known = permissionConflicts(before)
  return [...permissionConflicts(after)].filter(([key]) => !known.has(key)).map(([, conflict]) => ({ ...conflict }))
}
