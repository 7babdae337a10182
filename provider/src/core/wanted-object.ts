import type { JsonObject, ObjectAddress } from '@svc/schema'
import { onceFor } from '../lazily.ts'
import { addressOf, type CommonKind, placeOf, type ResourceKind, storedValue, type Values } from '../resources/index.ts'
import { resourceTitle } from './object-title.ts'
import type { Tool } from './provider.ts'

/** A resource as the object it stands for. */
export interface WantedObject {
  readonly kind: ResourceKind
  /** Of a part its own, as document-objects.ts has it. */
  readonly address: ObjectAddress
  /** With what is written only. */
  readonly values: Values
  /** What the tool's users call it. */
  readonly title: () => string
  readonly place: JsonObject
  /** Its canonical value, with what no attribute speaks of as it is in the object that is there. Throws InvalidValue. */
  readonly valueOver: (live: JsonObject) => JsonObject
}

/** The values must be known and valid. Throws InvalidValue otherwise. */
export function wantedObject(
  kind: ResourceKind,
  values: Values,
  { json: spelling, typeName }: Pick<Tool, 'json' | 'typeName'>,
): WantedObject {
  // called four times for each object that is made
  const valueOver = onceFor((live: JsonObject) => storedValue(kind, values, spelling, live))
  return {
    values,
    kind,
    title: () => resourceTitle(kind, values, typeName),
    address: addressOf(kind, values, spelling),
    place: placeOf(kind, values, spelling),
    valueOver: (live) => valueOver(Object.keys(live).length === 0 ? nothing : live),
  }
}

const nothing: JsonObject = {}

/** What is written only is not in a plan: it comes from what the user wrote. */
export const withWriteOnly = (kind: CommonKind, planned: Values, config: Values | null): Values => ({
  ...planned,
  ...Object.fromEntries(
    kind.fields.filter(({ attribute }) => attribute.writeOnly).map(({ name }) => [name, config?.[name] ?? null]),
  ),
})
