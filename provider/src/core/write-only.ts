import { isRecord, type Json, type JsonObject } from '@svc/schema'
import {
  type Attributes,
  type CommonKind,
  declaredValue,
  type Field,
  type JsonSpelling,
  type Values,
} from '../resources/index.ts'
import { errorAt } from './diagnostic.ts'
import type { Diagnostic } from './provider.ts'

/**
 * Attributes in the same place as a write-only one, one of which must be set, while none of them is: then the live
 * value there was written by the write-only one and is no drift.
 */
export function writtenOnly(kind: CommonKind, state: Values): readonly WrittenOnly[] {
  const { fields } = kind
  return fields
    .filter((field) => field.attribute.writeOnly && isChosen(kind, field))
    .map((field) => ({ field, siblings: fields.filter((other) => other !== field && standsAt(other, field)) }))
    .filter(({ siblings }) => siblings.every(({ name }) => (state[name] ?? null) === null))
}

export interface WrittenOnly {
  readonly field: Field
  readonly siblings: readonly Field[]
}

const standsAt = (field: Field, place: Field): boolean =>
  place.at !== null && field.at !== null && place.at.every((key, i) => field.at?.[i] === key)

const isChosen = ({ exactlyOne = [] }: CommonKind, { name }: Field): boolean =>
  exactlyOne.some((names) => names.includes(name))

/** Those that add to what other attributes set; the version next to one records in a state that it was set. */
const joining = (kind: CommonKind): readonly Field[] =>
  kind.fields.filter((field) => field.attribute.writeOnly && !isChosen(kind, field))

const versionOf = (name: string): string => `${name}_version`

const isGiven = (values: Values, name: string): boolean => (values[name] ?? null) !== null

/** A live value without the entries that only a write-only attribute of the state's resource can have written. */
export function withoutWritten(kind: CommonKind, value: JsonObject, state: Values, spelling: JsonSpelling): JsonObject {
  const written = joining(kind).filter(({ name }) => isGiven(state, versionOf(name)))
  if (written.length === 0) return value
  const declared = declaredValue(kind, withoutWriteOnly(kind, state), spelling)
  return written.reduce((rest, { at }) => withoutAt(rest, at ?? [], declared), value)
}

function withoutAt(value: JsonObject, [head = '', ...rest]: readonly string[], declared: Json | undefined): JsonObject {
  if (!Object.hasOwn(value, head)) return value
  const { [head]: part = null, ...others } = value
  const said = isRecord(declared) ? declared[head] : undefined
  if (rest.length > 0) return isRecord(part) ? { ...value, [head]: withoutAt(part, rest, said) } : value
  return said === undefined ? others : { ...value, [head]: onlySaid(part, said) }
}

/** Of a list of headers or a map those entries that another one has by name. */
function onlySaid(part: Json, said: Json): Json {
  if (Array.isArray(part) && Array.isArray(said)) {
    const names = new Set(said.map(nameOf))
    return part.filter((item: Json) => names.has(nameOf(item)))
  }
  if (!isRecord(part) || !isRecord(said)) return part
  return Object.fromEntries(Object.entries(part).filter(([name]) => Object.hasOwn(said, name)))
}

const nameOf = (item: Json): Json | undefined => (isRecord(item) ? item.name : undefined)

/** What is wrong with those that add to others: each has its version, and what it belongs to. */
export function checkWriteOnly(kind: CommonKind, values: Values): readonly Diagnostic[] {
  const { attributes } = kind
  return joining(kind).flatMap((field): readonly Diagnostic[] => {
    const { name } = field
    const version = versionOf(name)
    if (isGiven(values, name) !== isGiven(values, version))
      return [isGiven(values, name) ? missing(attributes, version, name) : missing(attributes, name, version)]
    const around = kind.fields.find((other) => standsAt(field, other) && other.at?.length !== field.at?.length)
    return isGiven(values, name) && around && !isGiven(values, around.name)
      ? [missing(attributes, around.name, name)]
      : []
  })
}

const missing = (attributes: Attributes, name: string, base: string): Diagnostic =>
  errorAt(attributes, [name], `is required where \`${base}\` is given`)

/** Values without those that no state may store. */
export const withoutWriteOnly = (kind: CommonKind, values: Values): Values => ({
  ...values,
  ...Object.fromEntries(kind.fields.filter(({ attribute }) => attribute.writeOnly).map(({ name }) => [name, null])),
})
