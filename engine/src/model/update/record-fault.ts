import {
  addressText,
  equalJson,
  type JsonObject,
  keyedObject,
  type MetadataDocument,
  type MetadataObject,
  nameText,
  type ObjectAddress,
} from '@svc/schema'
import type { Fault, InconsistentObject } from '../model.ts'
import type { Flaw } from '../resolve/flaw.ts'
import type { Draft } from './draft.ts'

/** The object is inconsistent; an entry that says the same already keeps its reference. */
export function recordFault(draft: Draft, at: ObjectAddress, object: MetadataObject, flaw: Flaw): void {
  const key = addressText(at)
  const fault: Fault = {
    address: at,
    cause: flaw.detail.cause,
    needs: flaw.detail.needs ?? [],
    at: flaw.detail.at ?? [],
    names: flaw.detail.names ?? [],
    ...(flaw.detail.code && { code: flaw.detail.code }),
  }
  const shown = inconsistentObject(draft.input.document, at, object, flaw)
  if (!equalJson(draft.inconsistencies.get(key), shown)) draft.inconsistencies.set(key, shown)
  if (!equalJson(draft.faults.get(key), fault)) draft.faults.set(key, fault)
}

export function clearFault(draft: Draft, key: string): void {
  draft.inconsistencies.delete(key)
  draft.faults.delete(key)
}

/** The shapes of spec 01 §5. */
function inconsistentObject(
  document: MetadataDocument,
  at: ObjectAddress,
  object: MetadataObject,
  { message, detail }: Flaw,
): InconsistentObject {
  return {
    reason: `${detail.prefix ?? 'Inconsistent object'}: ${message}`,
    type: object.type,
    name: nameText(keyedObject(document, at)),
    definition: definitionOf(document, at, object),
    ...(detail.message === undefined ? {} : { message: detail.message }),
  }
}

function definitionOf(document: MetadataDocument, at: ObjectAddress, { type, value }: MetadataObject) {
  if (type === 'source') return String(value.name)
  if (type === 'table') return value.table as JsonObject
  if (type === 'function') return value.function as JsonObject
  if (type === 'native_query' || type === 'logical_model') return value
  if (type === 'logical_model_select_permission') {
    const above = at.parent && keyedObject(document, at.parent)
    return { source: above?.parent?.key.name ?? null, logical_model: above?.key.name ?? null, ...value }
  }
  if (type === 'inherited_role' || type === 'custom_types') return value
  if (type === 'action') return { ...value, comment: value.comment ?? null }
  if (type === 'function_permission') {
    const above = at.parent && keyedObject(document, at.parent)
    return { source: above?.parent?.key.name ?? null, function: above?.key.function ?? null, ...value }
  }
  const table = at.parent && keyedObject(document, at.parent)
  const place = { source: table?.parent?.key.name ?? null, table: table?.key.table ?? null }
  const { comment = null, ...own } = value
  return { ...place, ...own, comment }
}
