import { equalJson, type JsonObject } from '@svc/schema'
import {
  type CommonKind,
  declaredValue,
  type Field,
  InvalidValue,
  type JsonSpelling,
  placeOf,
  type Value,
  type Values,
  valuesOf,
} from '../resources/index.ts'
import { withoutWritten, writtenOnly } from './write-only.ts'

/**
 * Returns attributes as the engine would return them: values of equal meaning are equal in it. An attribute that the
 * object's value does not have is unchanged; of values that no object could have, all are.
 */
export function normalForm(kind: CommonKind, values: Values, spelling: JsonSpelling): Values {
  try {
    const canonical = kind.canonical(declaredValue(kind, withPlaceholders(kind, values), spelling))
    if (!canonical.ok) return values
    return meantForm(kind, canonical.value, placeOf(kind, values, spelling), values, spelling)
  } catch (error) {
    if (error instanceof InvalidValue) return values
    throw error
  }
}

/** What is written only is not there to be compared, but an object without it would be none. */
const withPlaceholders = (kind: CommonKind, values: Values): Values => ({
  ...values,
  ...Object.fromEntries(
    writtenOnly(kind, values).map(({ field }) => [field.name, field.attribute.type.kind === 'json' ? '""' : '']),
  ),
})

/** Returns the same for an existing object. */
export const meantForm = (
  kind: CommonKind,
  value: JsonObject,
  place: JsonObject,
  values: Values,
  spelling: JsonSpelling,
): Values => liveForm(kind, meaningOf(kind, value), place, values, spelling)

const meaningOf = ({ meaning }: CommonKind, value: JsonObject): JsonObject => (meaning ? meaning(value) : value)

/** Whether two canonical values mean the same. */
export const equalMeaning = (kind: CommonKind, a: JsonObject, b: JsonObject): boolean =>
  equalJson(a, b) || (kind.meaning !== undefined && equalJson(kind.meaning(a), kind.meaning(b)))

/** Returns attributes of an object as it spells them; what its value does not have is as in `values`. */
export function liveForm(
  kind: CommonKind,
  value: JsonObject,
  place: JsonObject,
  values: Values,
  spelling: JsonSpelling,
): Values {
  const live = valuesOf(kind, withoutWritten(kind, value, values, spelling), place, spelling)
  const others = kind.fields.filter((field) => !isStored(field, place)).map(({ name }) => [name, values[name] ?? null])
  return { ...live, ...Object.fromEntries(others) }
}

const isStored = ({ name, at, attribute }: Field, place: JsonObject) =>
  !attribute.writeOnly && (at !== null || Object.hasOwn(place, name))

/** Whether two values in normal form are equal. */
export const equalValues = (a: Value | undefined, b: Value | undefined): boolean => equalJson(a ?? null, b ?? null)
