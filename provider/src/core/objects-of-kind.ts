import { type JsonObject, keyedObject, type MetadataDocument, meantWord, objectName } from '@svc/schema'
import {
  identityOf,
  importId,
  type JsonSpelling,
  parseImportId,
  type ResourceKind,
  type Values,
  valuesOf,
} from '../resources/index.ts'
import { findDeclared } from './document-objects.ts'
import { fillDefaults } from './fill-defaults.ts'
import { redactFields } from './redact.ts'
import { respelledStub, variantIn } from './source-kinds.ts'
import { walkObjects } from './walk-objects.ts'

/** Most ids that an error lists. */
const most = 10

export interface ObjectOfKind {
  /** The id it is imported by. */
  readonly id: string
  readonly name: string
  /** What its resource would have, `***` for secrets. */
  readonly values: Values
}

/** Returns the objects of a kind in the order of the export. */
export const objectsOfKind = (
  document: MetadataDocument,
  kind: ResourceKind,
  spelling: JsonSpelling,
): readonly ObjectOfKind[] =>
  [...walkObjects(document)].flatMap(({ object, at, place, sourceKind }) => {
    const own = sourceKind === null ? kind : kind.inKind(sourceKind)
    if (at.type !== kind.type || !own) return []
    const { name } = objectName(keyedObject(document, at))
    const parts = own.part ? own.part.parts(object.value) : [object.value]
    return parts.flatMap((value) => {
      const identity = identityOf(own, valuesOf(own, value, place, 'value'))
      const values = valuesOf(own, redactFields(own.fields, value), place, spelling)
      return identity ? [{ id: importId(identity), name, values }] : []
    })
  })

/** Returns the ids by which the objects of a kind are imported, in the order of the export. */
export const idsOfKind = (document: MetadataDocument, kind: ResourceKind): readonly string[] =>
  objectsOfKind(document, kind, 'value').map(({ id }) => id)

/** Returns a hint for an unknown id: the one that was probably meant, and some that exist. */
export function otherIds(id: string, ids: readonly string[]): string {
  const meant = meantWord(id, ids)
  const listed = [...ids.slice(0, most), ...(ids.length > most ? [`… (${ids.length} in all)`] : [])].join(', ')
  return [
    ...(meant === null ? [] : [`Did you mean ${meant}?`]),
    ids.length === 0 ? 'It has none at all.' : `It has ${listed}.`,
  ].join(' ')
}

export type FoundById =
  | { readonly kind: 'found'; readonly value: JsonObject }
  | { readonly kind: 'missing'; readonly hint: string }
  /** No id of such an object. */
  | { readonly kind: 'invalid'; readonly message: string }

/** Returns an object's own value in the metadata, by the id it is imported by, with `***` for secrets. */
export function objectById(document: MetadataDocument, kind: ResourceKind, id: string): FoundById {
  const parsed = parseImportId(kind, id)
  if (!parsed.ok) return { kind: 'invalid', message: parsed.message }
  const own = variantIn(document, kind, parsed.values)
  const values = fillDefaults(own.attributes, respelledStub(kind, own, parsed.values))
  const live = findDeclared(document, own, values, 'value')
  return live
    ? { kind: 'found', value: redactFields(kind.fields, live.value) }
    : { kind: 'missing', hint: otherIds(id, idsOfKind(document, kind)) }
}
