import { isRecord, type Json, type JsonObject, parseExactly, sortKeys } from '@svc/schema'
import { type Attribute, type Attributes, type AttributeType, scalarOf } from './attribute.ts'
import { forDoubles, lostDigits, lostDigitsInValue } from './exact-numbers.ts'
import { isValues, type Path, unknown, type Value, type Values } from './value.ts'

/**
 * How a tool hands over the values of JSON attributes: as their text; as they are, with all digits; or as they are where doubles
 * hold their numbers, and else as their text.
 */
export type JsonSpelling = 'text' | 'value' | 'doubles'

/** A value that is not of its attribute's type. The path is below the resource. */
export class InvalidValue extends Error {
  readonly path: Path
  constructor(path: Path, message: string) {
    super(message)
    this.path = path
  }
}

/** Returns an attribute's value as the metadata spells it, or undefined where it is not set. Throws InvalidValue. */
export function toJson(type: AttributeType, value: Value, spelling: JsonSpelling, path: Path): Json | undefined {
  if (value === null) return undefined
  if (value === unknown) throw new InvalidValue(path, 'is not known yet')
  switch (type.kind) {
    case 'string':
    case 'boolean':
    case 'integer':
    case 'number':
      return isScalar(value) ? value : refuse(path, type.kind)
    case 'json':
      return givenJson(value, type, spelling, path)
    case 'list':
      return Array.isArray(value) ? listToJson(type.of, value, spelling, path) : refuse(path, 'list')
    case 'set':
      return Array.isArray(value) ? asSet(listToJson(type.of, value, spelling, path)) : refuse(path, 'set')
    case 'map':
      return isValues(value)
        ? prune(Object.entries(value).map(([key, one]) => [key, toJson(type.of, one, spelling, [...path, key])]))
        : refuse(path, 'map')
    case 'object':
      return isValues(value) ? objectToJson(type.attributes, value, spelling, path) : refuse(path, 'object')
  }
}

const isScalar = (value: Value): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

function refuse(path: Path, expected: string): never {
  throw new InvalidValue(path, `is no ${expected}`)
}

const listToJson = (of: AttributeType, items: readonly Value[], spelling: JsonSpelling, path: Path): readonly Json[] =>
  items.map((item, i) => toJson(of, item, spelling, [...path, i]) ?? null)

const asSet = (items: readonly Json[]): readonly Json[] => [...new Set(items)].sort()

const prune = (entries: readonly (readonly [string, Json | undefined])[]): JsonObject =>
  Object.fromEntries(entries.flatMap(([key, json]) => (json === undefined ? [] : [[key, json] as const])))

const objectToJson = (attributes: Attributes, value: Values, spelling: JsonSpelling, path: Path): JsonObject =>
  prune(
    Object.entries(attributes).map(([name, { type }]) => [
      name,
      toJson(type, value[name] ?? null, spelling, [...path, name]),
    ]),
  )

type JsonType = Extract<AttributeType, { readonly kind: 'json' }>

function givenJson(value: Value, type: JsonType, spelling: JsonSpelling, path: Path): Json {
  switch (spelling) {
    case 'text':
      return parseText(value, path)
    case 'value':
      return value as Json
    case 'doubles':
      return valueOfDoubles(value, type, path)
  }
}

function jsonFor(json: Json, { isText }: JsonType, spelling: JsonSpelling): Value {
  const sorted = sortKeys(json)
  switch (spelling) {
    case 'text':
      return JSON.stringify(sorted)
    case 'value':
      return sorted
    case 'doubles':
      return forDoubles(sorted, isText ?? false)
  }
}

function parseText(value: Value, path: Path): Json {
  if (typeof value !== 'string') throw new InvalidValue(path, 'is no text of JSON')
  try {
    return parseExactly(value) as Json
  } catch (error) {
    throw new InvalidValue(path, `is not JSON: ${(error as Error).message}`)
  }
}

/** A value whose numbers are doubles, or the text of one that has longer ones. */
function valueOfDoubles(value: Value, { isText }: JsonType, path: Path): Json {
  if (typeof value === 'string' && !isText && /^\s*[[{]/.test(value)) return parseText(value, path)
  const lost = lostDigitsInValue(value)
  if (lost !== null) throw new InvalidValue(path, lostDigits(lost, isText ?? false))
  return value as Json
}

/**
 * The normal form of an attribute's value: defaults filled, sets in order, keys of JSON in order. Null where there is
 * nothing, or something this attribute cannot say (its sibling does).
 */
export function fromJson({ type, default: initial }: Attribute, json: Json | undefined, spelling: JsonSpelling): Value {
  const value = json === undefined || json === null ? null : typeFromJson(type, json, spelling)
  return (isNothing(type, value) ? null : value) ?? initial ?? null
}

/** An object or a map that says nothing, which the engine returns where no caller wrote one. */
const isNothing = ({ kind }: AttributeType, value: Value): boolean =>
  (kind === 'object' || kind === 'map') && isValues(value) && Object.values(value).every((one) => one === null)

function typeFromJson(type: AttributeType, json: Json, spelling: JsonSpelling): Value {
  switch (type.kind) {
    case 'string':
    case 'boolean':
    case 'integer':
    case 'number':
      return scalarOf(type.kind, json) ?? null
    case 'json':
      return jsonFor(json, type, spelling)
    case 'list':
      return Array.isArray(json) ? json.map((item: Json) => typeFromJson(type.of, item, spelling)) : null
    case 'set':
      return Array.isArray(json) ? asSet(json).map((item) => typeFromJson(type.of, item, spelling)) : null
    case 'map':
      return isRecord(json)
        ? Object.fromEntries(
            Object.keys(json)
              .sort()
              .map((key) => [key, typeFromJson(type.of, json[key] ?? null, spelling)]),
          )
        : null
    case 'object':
      return isRecord(json) ? objectFromJson(type.attributes, json, spelling) : null
  }
}

const own = (json: JsonObject, key: string): Json | undefined => (Object.hasOwn(json, key) ? json[key] : undefined)

const objectFromJson = (attributes: Attributes, json: JsonObject, spelling: JsonSpelling): Values =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [
      name,
      fromJson(
        withEffectiveDefault(attribute, (sibling) => own(json, sibling)),
        own(json, name),
        spelling,
      ),
    ]),
  )

/** The attribute, without its default where the attribute that stands in its place is set. */
export function withEffectiveDefault(attribute: Attribute, sibling: (name: string) => unknown): Attribute {
  const { default: _, ...bare } = attribute
  return attribute.unless === undefined || (sibling(attribute.unless) ?? null) === null ? attribute : bare
}
