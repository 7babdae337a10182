import { isRecord, type Json, type JsonObject } from '@svc/schema'
import { fromJson, InvalidValue, type JsonSpelling, toJson } from './attribute-json.ts'
import type { CommonKind, Field } from './define-resource.ts'
import type { Path, Values } from './value.ts'

/** Keys of the objects above one, as operations name them: `{ source, table }`. Throws InvalidValue. */
export function placeOf({ fields, parents }: CommonKind, values: Values, spelling: JsonSpelling): JsonObject {
  return Object.fromEntries(
    fields.flatMap(({ name, attribute, at }) =>
      at === null && parents.includes(name)
        ? [[name, toJson(attribute.type, values[name] ?? null, spelling, [name]) ?? null]]
        : [],
    ),
  )
}

/**
 * The object's value as the attributes say it, not yet canonical; what no attribute mentions is copied from `base`.
 * Throws InvalidValue.
 */
export function declaredValue(
  kind: CommonKind,
  values: Values,
  spelling: JsonSpelling,
  base: JsonObject = {},
): JsonObject {
  const value: DraftValue = { ...copied(base), ...kind.fixed }
  const placed = kind.fields.filter(isPlaced)
  for (const { at } of placed) remove(value, at)
  for (const path of kind.derived ?? []) remove(value, path.split('.'))
  for (const { name, attribute, at, encode } of placed) {
    const json = encode(toJson(attribute.type, values[name] ?? null, spelling, [name]))
    if (json !== undefined)
      put(value, at, attribute.writeOnly ? joined(at.reduce<Json | undefined>(below, value), json) : json)
  }
  return value
}

/** What is written only adds to what is there: entries to a list or a map. */
function joined(there: Json | undefined, json: Json): Json {
  if (Array.isArray(there) && Array.isArray(json)) return [...there, ...json]
  return isRecord(there) && isRecord(json) ? { ...there, ...json } : json
}

type DraftValue = { [key: string]: Json }

/** Only objects are changed. structuredClone refuses numbers that keep their digits. */
const copied = (json: JsonObject): DraftValue =>
  Object.fromEntries(Object.entries(json).map(([key, part]) => [key, isRecord(part) ? copied(part) : part]))

interface PlacedField extends Field {
  readonly at: readonly string[]
}
const isPlaced = (field: Field): field is PlacedField => field.at !== null

function remove(value: DraftValue, at: readonly string[]): void {
  const [head = '', ...rest] = at
  if (rest.length === 0) delete value[head]
  else if (isRecord(value[head])) remove(value[head] as DraftValue, rest)
}

function put(value: DraftValue, at: readonly string[], json: Json): void {
  const [head = '', ...rest] = at
  if (rest.length === 0) value[head] = json
  else {
    if (!isRecord(value[head])) value[head] = {}
    put(value[head] as DraftValue, rest, json)
  }
}

/** The attributes of an object in normal form; those that are not in its value come from the place or are null. */
export function valuesOf(kind: CommonKind, value: JsonObject, place: JsonObject, spelling: JsonSpelling): Values {
  return Object.fromEntries(
    kind.fields.map(({ name, attribute, at, decode }) => {
      if (attribute.writeOnly) return [name, null]
      const json = at === null ? place[name] : decode(at.reduce<Json | undefined>(below, value))
      return [name, fromJson(attribute, json, spelling)]
    }),
  )
}

const below = (json: Json | undefined, key: string): Json | undefined =>
  isRecord(json) && Object.hasOwn(json, key) ? json[key] : undefined

/** From a path below the object's value to one below the resource: the attribute that is there and set. */
export function attributePath({ fields, part }: CommonKind, values: Values, whole: Path): Path {
  const path = part?.path(whole) ?? whole
  const candidates = fields
    .filter(isPlaced)
    .filter(({ at }) => at.every((key, i) => path[i] === key || i >= path.length))
    .sort((a, b) => b.at.length - a.at.length)
  const given = candidates.find(({ name }) => isGiven(values[name]))
  const field = given ?? candidates[0]
  if (!field) {
    const [head] = path
    return fields.some(({ name }) => name === head) ? path : []
  }
  return [field.name, ...field.decodePath(path.slice(field.at.length))]
}

/**
 * Returns a resource's value as the engine would store it; what no attribute mentions is copied from `base`. Throws
 * InvalidValue.
 */
export function storedValue(kind: CommonKind, values: Values, spelling: JsonSpelling, base?: JsonObject): JsonObject {
  const canonical = kind.canonical(declaredValue(kind, values, spelling, base))
  if (canonical.ok) return canonical.value
  throw new InvalidValue(attributePath(kind, values, canonical.path), canonical.message)
}

const isGiven = (value: Values[string] | undefined) => value !== null && value !== undefined && value !== false
