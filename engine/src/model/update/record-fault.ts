import {
  addressText,
  equalJson,
  type JsonObject,
  type KeyedObject,
  keyedObject,
  type MetadataDocument,
  type MetadataObject,
  nameText,
  type ObjectAddress,
  typeText,
} from '@svc/schema'
import type { Fault, InconsistentObject } from '../fault.ts'
import type { ResolutionError } from '../resolve/resolution-error.ts'
import type { ModelDraft } from './model-draft.ts'

type Definition = InconsistentObject['definition']

/**
 * How an inconsistent object is shown (reference/metadata-document#inconsistent-objects). `above`: what it stands
 * below.
 */
export type DefinitionOf = (object: MetadataObject, above: KeyedObject | null) => Definition

/** The object is inconsistent; an entry that says the same already keeps its reference. */
export function recordFault(
  draft: ModelDraft,
  at: ObjectAddress,
  object: MetadataObject,
  error: ResolutionError,
  shown?: DefinitionOf,
): void {
  const key = addressText(at)
  const fault: Fault = {
    address: at,
    cause: error.detail.cause,
    needs: error.detail.needs ?? [],
    at: error.detail.at ?? [],
    names: error.detail.names ?? [],
    ...(error.detail.namesOf && { namesOf: error.detail.namesOf }),
    ...(error.detail.code && { code: error.detail.code }),
    ...(error.detail.refusal && { refusal: error.detail.refusal }),
    ...(error.detail.conflict && { conflict: error.detail.conflict }),
  }
  const entry = inconsistentObject(draft.input.document, at, object, error, shown)
  if (!equalJson(draft.inconsistencies.get(key), entry)) draft.inconsistencies.set(key, entry)
  if (!equalJson(draft.faults.get(key), fault)) draft.faults.set(key, fault)
}

export function clearFault(draft: ModelDraft, key: string): void {
  draft.inconsistencies.delete(key)
  draft.faults.delete(key)
}

const preamble = 'Inconsistent object'

/** The reason of an inconsistent object, or several of them, without what each begins with. */
export const plainReason = (reason: string): string => reason.replaceAll(`${preamble}: `, '')

/** The shapes of reference/metadata-document#inconsistent-objects. */
function inconsistentObject(
  document: MetadataDocument,
  at: ObjectAddress,
  object: MetadataObject,
  { message, detail }: ResolutionError,
  shown: DefinitionOf | undefined,
): InconsistentObject {
  return {
    reason: `${detail.prefix ?? preamble}: ${message}`,
    type: typeText(object.type),
    name: nameText(keyedObject(document, at)),
    definition: shown
      ? shown(object, at.parent && keyedObject(document, at.parent))
      : definitionOf(document, at, object),
    ...(detail.message === undefined ? {} : { message: detail.message }),
  }
}

/** Of a kind that has no other: its value, below a table with the names of what it stands below. */
function definitionOf(document: MetadataDocument, at: ObjectAddress, { type, value }: MetadataObject): Definition {
  if (type === 'source') return String(value.name)
  if (type === 'table') return value.table as JsonObject
  if (at.parent?.type !== 'table') return value
  const table = keyedObject(document, at.parent)
  const place = { source: table.parent?.key.name ?? null, table: table.key.table ?? null }
  const { comment = null, ...own } = value
  return { ...place, ...own, comment }
}
